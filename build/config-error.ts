/**
 * A configuration that cannot be used. `faults` are all that are wrong with it, each a sentence that names file and
 * key.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[], options?: { readonly cause?: unknown }) {
    super(faults.join('\n'), options);
    this.faults = faults;
  }
}
