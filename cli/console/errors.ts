import { dirname } from 'node:path';
import { CommanderError } from 'commander';
import { ConfigError } from '../../build/source/errors.ts';
import { StoppedBuildError } from '../../data/store/durable-file.ts';
import { StoreBusyError } from '../../data/store/lock.ts';
import { quoteForShell, SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { KeyFileError } from '../../server/keys/key-file.ts';
import { IncompleteInstallationError, NoKeyError } from '../../server/start-error.ts';
import { CommandError, EXIT, type ExitCode } from './command.ts';

/** How a failed command ends: its exit code and its message on stderr, if it has one. */
export interface CommandFailure {
  readonly exitCode: ExitCode;
  readonly message?: string;
}

export function explainError(error: unknown): CommandFailure {
  // Commander has shown the help or the version.
  if (error instanceof CommanderError && error.exitCode === 0) return { exitCode: EXIT.ok };
  if (!(error instanceof Error)) return { exitCode: EXIT.failed, message: String(error) };
  return { exitCode: exitCodeOf(error), message: describe(error) };
}

function exitCodeOf(error: Error): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ConfigError || error instanceof NoKeyError) return EXIT.usage;
  if (error instanceof StoreBusyError) return EXIT.busy;
  if (error instanceof KeyFileError) return error.code === 'locked-file' ? EXIT.busy : EXIT.usage;
  // A missing store or snapshot is a usage error; a damaged one is a fault of the machine.
  if (error instanceof SnapshotError && /^(?:no|unknown)-snapshot$/.test(error.details.code)) return EXIT.usage;
  return EXIT.failed;
}

/** Errors whose sentence says all. Any other is one of the system, or a bug, which shows its stack. */
const EXPLAINED = [
  CommandError,
  ConfigError,
  NoKeyError,
  IncompleteInstallationError,
  StoreBusyError,
  SnapshotError,
] as const;

function describe(error: Error): string {
  const { message } = error;
  if (error instanceof KeyFileError) return describeKeyFile(error);
  if (error instanceof StoppedBuildError) {
    const remedy = isSystemError(error.cause) ? findRemedy(error.cause) : undefined;
    return remedy === undefined ? message : `${message}; ${remedy}`;
  }
  if (EXPLAINED.some((kind) => error instanceof kind)) return message;
  return isSystemError(error) ? describeSystemError(error) : (error.stack ?? message);
}

function describeKeyFile({ code, file, message }: KeyFileError): string {
  switch (code) {
    case 'malformed-file':
      return `${message}; mend it, or move it away and make another: deals keys create --keys ${quoteForShell(file)} --name website`;
    case 'unreadable-file':
      return `${message}; it has to be a file that this user may read`;
    case 'missing-file':
    case 'locked-file':
      return message;
  }
}

/** The fields of an error of the system, as far as Node sets them. */
export interface SystemError extends Error {
  readonly code?: string;
  readonly syscall: string;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
}

export function describeSystemError(error: SystemError, portFlag?: string): string {
  const remedy = findRemedy(error, portFlag);
  return remedy === undefined ? error.message : `${error.message}; ${remedy}`;
}

function findRemedy(error: SystemError, portFlag = '--port'): string | undefined {
  return error.syscall === 'listen' ? findPortRemedy(error, portFlag) : findFileRemedy(error);
}

/** Whether the system refused a port: it is taken, or this user may not have it. */
export function isPortError(error: unknown): error is SystemError {
  return isSystemError(error) && error.syscall === 'listen';
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error;
}

function findPortRemedy({ code }: SystemError, portFlag: string): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `end the program that has it, or choose another port with ${portFlag}`;
    case 'EACCES':
      return `choose a port from 1024 on with ${portFlag}, with nginx in front`;
    case 'EADDRNOTAVAIL':
      return 'give --host an address of this machine';
    case undefined:
    default:
      return undefined;
  }
}

function findFileRemedy({ code, syscall, path }: SystemError): string | undefined {
  if (syscall === 'getaddrinfo') return 'give --host an address of this machine';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'make room on that disk, and run the command again';
  if (path === undefined) return undefined;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `give this user the right to it and to the folder ${dirname(path)}, or run the command as the user who has it`;
    case 'EROFS':
      return `the disk can only be read: mount it for writing, or name a place on another`;
    case undefined:
    default:
      return undefined;
  }
}
