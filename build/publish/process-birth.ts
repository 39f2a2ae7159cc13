import { readFileSync } from 'node:fs';

/** No such entry; it ended while it was read; it is somebody else's. */
const NOT_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ESRCH', 'EACCES', 'EPERM']);

/** The word for a process of which no more is known than that its id is in use: the system has no /proc, or hides it. */
export const UNKNOWN_BIRTH = '0';

/**
 * When a process began, as a word: the same process id with another birth is another process. Undefined when no such
 * process is alive.
 *
 * @throws {Error} when /proc is there and cannot be read, for want of descriptors: who is alive is then not to be guessed
 */
export function findProcessBirth(pid: number): string | undefined {
  if (!isInUse(pid)) return undefined;
  const stat = readProcFile(`/proc/${pid}/stat`);
  // It may have ended since it was looked for.
  if (stat === undefined) return isInUse(pid) ? UNKNOWN_BIRTH : undefined;
  // The second field is the command in parentheses and may hold anything; the others follow its last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTicks = fields[19];
  // A killed process that its parent has not yet waited for still has an entry, as Z or X.
  if (state === 'Z' || state === 'X' || startTicks === undefined) return undefined;
  return `${startTicks}-${bootWord()}`;
}

function isInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Ticks count from the start of the machine: this tells one start from the next. */
function bootWord(): string {
  return (readProcFile('/proc/sys/kernel/random/boot_id') ?? UNKNOWN_BIRTH).trim().slice(0, 8);
}

function readProcFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && NOT_THERE.has(code)) return undefined;
    throw error;
  }
}
