/** The disk did not keep what was written, or what was written is not what was meant: nothing is published. */
export class PublishingError extends Error {
  override readonly name = 'PublishingError';
}
