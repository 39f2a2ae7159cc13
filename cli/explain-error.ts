import { CommanderError } from 'commander';
import { ConfigError } from '../build/config-error.ts';
import { StoreBusyError } from '../build/publish/store-busy-error.ts';
import { StoppedBuildError } from '../build/stopped-build-error.ts';
import { SnapshotError } from '../data/snapshot/snapshot-error.ts';
import { KeyFileError } from '../server/key/key-file.ts';
import { IncompleteInstallationError, NoKeyError } from '../server/start-error.ts';
import { CommandError } from './command-error.ts';
import { describeSystemFault, findRemedy, isSystemFault } from './describe-system-fault.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { quoteForShell } from '../build/source/quote.ts';

/** How a command ends that could not go on: its status, and what to say on stderr, if there is anything left to say. */
export interface Explanation {
  readonly exitCode: ExitCode;
  readonly message?: string;
}

export function explainError(error: unknown): Explanation {
  // The help or the version that was asked for has been shown.
  if (error instanceof CommanderError && error.exitCode === 0) return { exitCode: EXIT.ok };
  if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message };
  if (error instanceof ConfigError || error instanceof NoKeyError) {
    return { exitCode: EXIT.usage, message: error.message };
  }
  if (error instanceof IncompleteInstallationError) return { exitCode: EXIT.failed, message: error.message };
  if (error instanceof StoppedBuildError) return { exitCode: EXIT.failed, message: describeStoppedBuild(error) };
  if (error instanceof StoreBusyError) return { exitCode: EXIT.busy, message: error.message };
  if (error instanceof KeyFileError) return { exitCode: exitCodeOfKeyFile(error), message: describeKeyFile(error) };
  if (error instanceof SnapshotError) return { exitCode: exitCodeOfSnapshot(error), message: error.message };
  return { exitCode: EXIT.failed, message: describeFault(error) };
}

function exitCodeOfKeyFile({ issue }: KeyFileError): ExitCode {
  switch (issue.code) {
    case 'missing-file':
    case 'malformed-file':
    case 'unreadable-file':
      return EXIT.usage;
    case 'locked-file':
      return EXIT.busy;
  }
}

/** With what to do, where the file alone does not say it. */
function describeKeyFile({ issue, message }: KeyFileError): string {
  switch (issue.code) {
    case 'malformed-file':
      return `${message}; mend it, or move it away and make another: deals keys create --keys ${quoteForShell(issue.file)} --name website`;
    case 'unreadable-file':
      return `${message}; it has to be a file that this user may read`;
    case 'missing-file':
    case 'locked-file':
      return message;
  }
}

function describeStoppedBuild({ cause, message }: StoppedBuildError): string {
  const remedy = isSystemFault(cause) ? findRemedy(cause) : undefined;
  return remedy === undefined ? message : `${message}; ${remedy}`;
}

/** A store or a snapshot that is not there was named wrongly; one that is damaged is a fault of the machine. */
function exitCodeOfSnapshot({ issue }: SnapshotError): ExitCode {
  return issue.code === 'no-snapshot' || issue.code === 'unknown-snapshot' ? EXIT.usage : EXIT.failed;
}

/** What the machine refuses is told with what to do; of a bug, where it happened is what counts. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isSystemFault(error) ? describeSystemFault(error) : (error.stack ?? error.message);
}
