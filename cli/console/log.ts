import sonicBoom from 'sonic-boom';
import { escapeControls } from '../../build/source/quote.ts';
import type { Log, LogEntry } from '../../server/log.ts';
import type { Output } from './output.ts';

/** Events of level `error`: an operator must act. All others have level `info`. */
const ERROR_LEVEL_EVENTS: ReadonlySet<string> = new Set([
  'keys-unreadable',
  'metrics-failed',
  'pull-failed',
  'pull-state-unreadable',
  'request-failed',
  'server-error',
  'snapshot-refused',
  'snapshot-unreadable',
]);

/**
 * Writes log entries to stderr at most a quarter of a second late: lines of JSON, or short lines on a terminal. It never
 * waits for the reader. Waiting lines are written when the process ends, also after a crash; SIGKILL loses them.
 */
export function createLog({ isStderrTerminal }: Pick<Output, 'isStderrTerminal'>): Log {
  const write = openLog(process.stderr.fd);
  return (entry) => write(`${escapeControls(isStderrTerminal ? describeEntry(entry) : formatEntry(entry))}\n`);
}

function formatEntry(entry: LogEntry): string {
  const level = ERROR_LEVEL_EVENTS.has(entry.event) ? 'error' : 'info';
  // No entry holds a key; if one did, it would not be written.
  return JSON.stringify({ level, time: new Date().toISOString(), ...entry, 'x-api-key': undefined });
}

/** An entry for a terminal; `14:05:09` is local time. */
function describeEntry({ event, ...facts }: LogEntry): string {
  const clock = new Date().toTimeString().slice(0, 8);
  if (event === 'request') {
    const { status, method, path, milliseconds, finished } = facts;
    return `${clock}  ${status}  ${method} ${path}  ${milliseconds} ms${finished === false ? ', cut off' : ''}`;
  }
  const told = Object.entries(facts).filter(([name, value]) => value !== undefined && name !== 'x-api-key');
  return [clock, event, ...told.map(([name, value]) => `${name}=${value}`)].join('  ');
}

/** How long a line waits for others, and how much is written at once: a write for each would cost as much as a cached response. */
const WAIT_MS = 250;
const MAX_WRITE_BYTES = 65_536;
/** The most text that waits for a slow reader; further lines are dropped and counted. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** How often a blocked reader is tried again, each time after a tenth of a second, when the process ends. */
const MAX_LAST_RETRIES = 10;

/**
 * Writes lines, each with its line feed, to an open file, several at a time and without blocking. Waiting lines are
 * written when the process ends. When a write fails (a full disk, a closed pipe), it is tried again with the next lines.
 */
export function openLog(fd: number): (line: string) => void {
  /** Lines that are not written, from the first for which there is no room until all that waits is written. */
  let dropped = 0;
  let lastRetries = Infinity;
  const file = new sonicBoom.SonicBoom({
    fd,
    contentMode: 'buffer',
    minLength: MAX_WRITE_BYTES - 1,
    maxWrite: MAX_WRITE_BYTES,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: WAIT_MS,
    retryEAGAIN: () => lastRetries-- > 0,
  });
  // Its types know no buffers, which take half the time of texts.
  const write = (line: string): boolean => file.write(Buffer.from(line) as unknown as string);
  const tellDropped = (): void => {
    if (dropped === 0) return;
    const entry = { level: 'warn', time: new Date().toISOString(), event: 'log-lines-dropped', lines: dropped };
    dropped = 0;
    write(`${JSON.stringify(entry)}\n`);
  };
  file.on('drop', () => dropped++);
  file.on('drain', tellDropped);
  file.on('error', () => {});
  process.on('exit', () => {
    tellDropped();
    lastRetries = MAX_LAST_RETRIES;
    try {
      file.flushSync();
    } catch {
      // There is nobody left to tell.
    }
  });
  return (line) => {
    if (dropped === 0) write(line);
    else dropped++;
  };
}
