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
  if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message };
  if (error instanceof ConfigError || error instanceof NoKeyError) {
    return { exitCode: EXIT.usage, message: error.message };
  }
  if (error instanceof IncompleteInstallationError) return { exitCode: EXIT.failed, message: error.message };
  if (error instanceof StoppedBuildError) return { exitCode: EXIT.failed, message: describeStoppedBuild(error) };
  if (error instanceof StoreBusyError) return { exitCode: EXIT.busy, message: error.message };
  if (error instanceof KeyFileError) return { exitCode: exitCodeOfKeyFile(error), message: describeKeyFile(error) };
  if (error instanceof SnapshotError) return { exitCode: exitCodeOfSnapshot(error), message: error.message };
  return { exitCode: EXIT.failed, message: describeUnexpectedError(error) };
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
  const remedy = isSystemError(cause) ? findRemedy(cause) : undefined;
  return remedy === undefined ? message : `${message}; ${remedy}`;
}

/** A missing store or snapshot is a usage error; a damaged one is a fault of the machine. */
function exitCodeOfSnapshot({ details }: SnapshotError): ExitCode {
  return details.code === 'no-snapshot' || details.code === 'unknown-snapshot' ? EXIT.usage : EXIT.failed;
}

/** An error of the system gets a remedy, a bug its stack trace. */
function describeUnexpectedError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isSystemError(error) ? describeSystemError(error) : (error.stack ?? error.message);
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
