import { dirname } from 'node:path';

/** What Node says of something that the system refused, as far as it says it. */
export interface SystemFault extends Error {
  readonly code?: string;
  readonly syscall: string;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
}

/** What the system refused, and what to do about it. */
export function describeSystemFault(error: SystemFault, portFlag?: string): string {
  const remedy = findRemedy(error, portFlag);
  return remedy === undefined ? error.message : `${error.message}; ${remedy}`;
}

/** What to do about something that the system refused, where that is known. */
export function findRemedy(error: SystemFault, portFlag = '--port'): string | undefined {
  return error.syscall === 'listen' ? findPortRemedy(error, portFlag) : findFileRemedy(error);
}

/** Whether the error is that of a port that is taken, or that nobody may have. */
export function isPortFault(error: unknown): error is SystemFault {
  return isSystemFault(error) && error.syscall === 'listen';
}

export function isSystemFault(error: unknown): error is SystemFault {
  return error instanceof Error && 'syscall' in error;
}

function findPortRemedy({ code }: SystemFault, portFlag: string): string | undefined {
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

function findFileRemedy({ code, syscall, path }: SystemFault): string | undefined {
  if (syscall === 'getaddrinfo') return 'give --host an address of this machine';
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
