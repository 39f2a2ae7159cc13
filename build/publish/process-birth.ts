import { readFileSync } from 'node:fs';

/**
 * When a process began, as a word: the same process id with another birth is another process. Undefined when no such
 * process is alive. Where the system has no /proc, all that is known is whether the id is in use, and the word is `0`.
 */
export function findProcessBirth(pid: number): string | undefined {
  if (!isInUse(pid)) return undefined;
  const stat = readProcFile(`/proc/${pid}/stat`);
  if (stat === undefined) return readProcFile('/proc/self/stat') === undefined ? '0' : undefined;
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
  return (readProcFile('/proc/sys/kernel/random/boot_id') ?? '0').trim().slice(0, 8);
}

function readProcFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
