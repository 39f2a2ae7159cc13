/** What each exit status of `deals` means to the scheduler that runs it. */
export const EXIT = {
  /** The command did what it was asked. */
  ok: 0,
  /** A bug or the machine: disk full, permission denied, a damaged snapshot. */
  failed: 1,
  /** The command line or the configuration was wrong; nothing was changed. */
  usage: 2,
  /** The sources were refused; what is current stays as it was. */
  refused: 3,
  /**
   * The build is published, or nothing has changed; but a source was held, carried forward, withdrawn or is missing, or
   * many of its prices jumped, and someone must look.
   */
  attention: 4,
  /** Another command holds the store or the key file; try again later (EX_TEMPFAIL). */
  busy: 75,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
