import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../../data/store/regular-file.ts';
import type { Output } from './output.ts';

/** What every command receives, apart from its options. */
export interface Context {
  readonly output: Output;
  /** The time for commands without `--now`. */
  now(): Date;
  /** Sets the exit code of the process. */
  end(exitCode: ExitCode): void;
}

/** The exit codes of `deals`, for the scheduler that runs it. */
export const EXIT = {
  /** The command did what it was asked. */
  ok: 0,
  /** A bug or the machine: disk full, permission denied, a damaged snapshot. */
  failed: 1,
  /** The command line or the configuration was wrong; nothing was changed. */
  usage: 2,
  /** A gate refused the build, or `deals check` cannot read a source to its end; the current snapshot stays. */
  refused: 3,
  /**
   * The build is published, or nothing has changed. An operator must look: a source is held (its earlier deals are
   * served, or have expired) or missing, or many of its prices jumped. Or `deals status` finds something to look at.
   */
  attention: 4,
  /** Another command holds the store or the key file; try again later (EX_TEMPFAIL). */
  busy: 75,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with an exit code and a sentence that says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const VERSION_FLAGS: readonly string[] = ['-V', '--version'];

export function readVersion(): string {
  const text = readFileSync(join(findPackageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
