import type { ExitCode } from './exit-code.ts';
import type { Output } from './output.ts';

/** What a command has besides its options. */
export interface Context {
  readonly output: Output;
  /** The time, for commands that are not told it with `--now`. */
  now(): Date;
  /** Sets the status with which the process will end. */
  end(exitCode: ExitCode): void;
}
