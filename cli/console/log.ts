import { write, writeSync } from 'node:fs';
import { escapeControls } from '../../build/source/quote.ts';
import { isErrorCode } from '../../data/store/system-error.ts';
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
  const destination = new LogDestination(process.stderr.fd);
  return (entry) =>
    destination.write(`${escapeControls(isStderrTerminal ? describeEntry(entry) : formatEntry(entry))}\n`);
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

/** How long a line waits for others: a write for each line would cost as much as a cached response. */
const WAIT_MS = 250;
/** The most text that waits for a slow reader; further lines are dropped and counted. */
const MAX_WAITING_LENGTH = 16 * 1024 * 1024;
/** The wait between two writes to a blocked reader, and their number when the process ends. */
const RETRY_MS = 20;
const MAX_LAST_RETRIES = 50;

const NOTHING = Buffer.alloc(0);

/**
 * Writes lines to an open file, several at a time and without blocking. Waiting lines are written when the process ends.
 * Lines that cannot be written (a full disk, a closed pipe) are lost; the next lines are tried again. For a blocked
 * reader some megabytes are kept. Further lines are dropped, and a later line says how many.
 */
export class LogDestination {
  readonly #fd: number;
  #lines = '';
  /** What is left of the last chunk; nothing while one is being written. */
  #chunk: Buffer = NOTHING;
  #dropped = 0;
  /** A write is planned, or goes on. */
  #isBusy = false;

  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => this.#writeLast());
  }

  /** @param line with its line feed */
  write(line: string): void {
    if (this.#lines.length + this.#chunk.length + line.length > MAX_WAITING_LENGTH) {
      this.#dropped++;
      return;
    }
    this.#tellDropped();
    this.#lines += line;
    this.#writeIn(WAIT_MS);
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    const entry = { level: 'warn', time: new Date().toISOString(), event: 'log-lines-dropped', lines: this.#dropped };
    this.#lines += `${JSON.stringify(entry)}\n`;
    this.#dropped = 0;
  }

  #writeIn(ms: number): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    // `#writeLast` writes the lines when the process ends earlier.
    setTimeout(() => this.#writeWaiting(), ms).unref();
  }

  #writeWaiting(): void {
    const chunk = this.#chunk.length > 0 ? this.#chunk : this.#takeLines();
    this.#chunk = NOTHING;
    write(this.#fd, chunk, 0, chunk.length, null, (error, written) => {
      this.#isBusy = false;
      if (error === null) this.#chunk = chunk.subarray(written);
      // A non-blocking pipe with a slow reader.
      else if (isErrorCode(error, 'EAGAIN')) this.#chunk = chunk;
      if (this.#chunk.length > 0) this.#writeIn(RETRY_MS);
      else if (this.#lines !== '') this.#writeIn(WAIT_MS);
    });
  }

  #takeLines(): Buffer {
    const lines = Buffer.from(this.#lines);
    this.#lines = '';
    return lines;
  }

  #writeLast(): void {
    this.#tellDropped();
    let rest = Buffer.concat([this.#chunk, this.#takeLines()]);
    for (let retries = 0; rest.length > 0 && retries < MAX_LAST_RETRIES;) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (error) {
        if (!isErrorCode(error, 'EAGAIN')) return;
        retries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}
