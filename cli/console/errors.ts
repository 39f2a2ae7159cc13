import { dirname } from 'node:path';
import { CommanderError } from 'commander';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import {
  isSystemError,
  nameQuota,
  QUOTA_CODE,
  StoppedBuildError,
  type SystemError,
} from '../../data/store/system-error.ts';
import { KeyFileError } from '../../server/keys/key-file.ts';
import { CommandError, EXIT, type ExitCode } from './command.ts';

/** How a failed command ends: its exit code and its message on stderr, if it has one. */
interface CommandFailure {
  readonly exitCode: ExitCode;
  readonly message?: string;
}

/**
 * The exit codes of errors whose sentence says all, by name: a command loads only the modules that it needs. Any other
 * error is one of the system, or a bug, which shows its stack.
 */
const EXIT_CODES: Readonly<Record<string, ExitCode>> = {
  ConfigError: EXIT.usage,
  KeyFileError: EXIT.usage,
  RemoteUsageError: EXIT.usage,
  TargetError: EXIT.usage,
  PushRefusedError: EXIT.refused,
  SourceError: EXIT.refused,
  PushOvertakenError: EXIT.busy,
  StoreBusyError: EXIT.busy,
  RemoteError: EXIT.failed,
  SnapshotError: EXIT.failed,
  StoppedBuildError: EXIT.failed,
};

export function explainError(error: unknown): CommandFailure {
  // Commander has shown the help or the version.
  if (error instanceof CommanderError && error.exitCode === 0) return { exitCode: EXIT.ok };
  if (!(error instanceof Error)) return { exitCode: EXIT.failed, message: String(error) };
  if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message };
  const known = EXIT_CODES[error.name];
  if (known !== undefined) return { exitCode: findSpecialCode(error) ?? known, message: describeKnown(error) };
  return {
    exitCode: EXIT.failed,
    message: isSystemError(error)
      ? addRemedy(nameQuota(error.message), findRemedy(error))
      : (error.stack ?? error.message),
  };
}

function findSpecialCode(error: Error): ExitCode | undefined {
  if (error instanceof KeyFileError && error.code === 'locked-file') return EXIT.busy;
  // A missing store or snapshot is a usage error; a damaged one is a fault of the machine.
  if (error instanceof SnapshotError && /^(?:no|unknown)-snapshot$/.test(error.code)) return EXIT.usage;
  return undefined;
}

function describeKnown(error: Error): string {
  const remedy =
    error instanceof KeyFileError
      ? error.remedy
      : error instanceof StoppedBuildError && isSystemError(error.cause)
        ? findRemedy(error.cause)
        : undefined;
  return addRemedy(error.message, remedy);
}

function addRemedy(message: string, remedy: string | undefined): string {
  return remedy === undefined ? message : `${message}; ${remedy}`;
}

const ADDRESS_REMEDY = 'give --host an address of this machine';

function findRemedy({ code = '', syscall, path }: SystemError): string | undefined {
  if (syscall === 'getaddrinfo') return ADDRESS_REMEDY;
  if (syscall === 'listen') {
    const remedies: Readonly<Record<string, string>> = {
      EADDRINUSE: 'end the program that has it, or choose another port',
      EACCES: 'choose a port from 1024 on, with nginx in front',
      EADDRNOTAVAIL: ADDRESS_REMEDY,
    };
    return remedies[code];
  }
  if (code === 'ENOSPC' || code === QUOTA_CODE) return 'make room on that disk, and run the command again';
  if (path === undefined) return undefined;
  if (code !== 'EACCES' && code !== 'EPERM') return undefined;
  return `give this user the right to it and to the folder ${dirname(path)}, or run the command as the user who has it`;
}
