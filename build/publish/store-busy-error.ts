/** Another build holds the store: nothing was read or written. */
export class StoreBusyError extends Error {
  override readonly name = 'StoreBusyError';
  readonly store: string;
  /** The process that holds it, where it is known. */
  readonly holderPid: number | undefined;

  constructor(store: string, holderPid: number | undefined) {
    const holder = holderPid === undefined ? 'another build' : `the build with process id ${holderPid}`;
    super(`${store}: ${holder} is running; nothing was done. Try again when it has ended.`);
    this.store = store;
    this.holderPid = holderPid;
  }
}
