import { write, writeSync } from 'node:fs';
import { escapeControls } from '../../build/source/quote.ts';
import type { Log, LogEntry } from '../../server/log.ts';
import type { Output } from './output.ts';

const STDERR = 2;

/** Events of level `error`: an operator must act. All others have level `info`. */
const ERROR_LEVEL_EVENTS: ReadonlySet<string> = new Set([
  'keys-unreadable',
  'metrics-failed',
  'page-unreadable',
  'pull-failed',
  'pull-refused',
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
  const destination = new LogDestination(STDERR);
  if (isStderrTerminal)
    return (entry) => destination.write(`${formatClock()}  ${escapeControls(describeEntry(entry))}\n`);
  return (entry) => destination.write(writeEntry(entry));
}

/** An entry as a line of JSON. It must cost little: a logger that cost 10 µs a line took a third of a cached response. */
function writeEntry(entry: LogEntry): string {
  const level = ERROR_LEVEL_EVENTS.has(entry.event) ? 'error' : 'info';
  // No entry holds a key; if one did, it would not be written.
  const facts = JSON.stringify('x-api-key' in entry ? { ...entry, 'x-api-key': undefined } : entry);
  const escaped = PRINTABLE_ASCII.test(facts) ? facts : escapeControls(facts);
  return `{"level":"${level}","time":"${formatTime(Date.now())}",${escaped.slice(1)}\n`;
}

const PRINTABLE_ASCII = /^[ -~]*$/;

let formattedMs = 0;
let formattedTime = '';

/** Many lines have the same millisecond. */
function formatTime(ms: number): string {
  if (ms === formattedMs) return formattedTime;
  formattedMs = ms;
  return (formattedTime = new Date(ms).toISOString());
}

/** `14:05:09` in local time. */
function formatClock(): string {
  return new Date().toTimeString().slice(0, 8);
}

function describeEntry({ event, ...facts }: LogEntry): string {
  if (event === 'request') {
    const { status, method, path, milliseconds, finished } = facts;
    return `${status}  ${method} ${path}  ${milliseconds} ms${finished === false ? ', cut off' : ''}`;
  }
  const told = Object.entries(facts).filter(([name, value]) => value !== undefined && name !== 'x-api-key');
  return [event, ...told.map(([name, value]) => `${name}=${value}`)].join('  ');
}

/** Lines are written in chunks: a write for each line would cost as much as a cached response. */
const CHUNK_LENGTH = 8 * 1024;
/** How long a line waits for others. */
const WAIT_MS = 250;
/** The most text that waits for a slow reader; further lines are dropped and counted. */
const MAX_WAITING_LENGTH = 16 * 1024 * 1024;
/** The wait between two writes to a blocked reader, and their number when the process ends. */
const RETRY_MS = 20;
const MAX_LAST_RETRIES = 50;

const NOTHING = Buffer.alloc(0);

/**
 * Writes lines to an open file in chunks, without blocking. Waiting lines are written when the process ends. Lines that
 * cannot be written (a full disk, a closed pipe) are lost; the next lines are tried again. For a blocked reader some
 * megabytes are kept. Further lines are dropped, and a later line says how many.
 */
export class LogDestination {
  readonly #fd: number;
  #lines: string[] = [];
  #linesLength = 0;
  /** The rest of the chunk that is being written. */
  #chunk: Buffer = NOTHING;
  #dropped = 0;
  #isTimed = false;
  #isWriting = false;

  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => this.#writeLast());
  }

  /** @param line with its line feed */
  write(line: string): void {
    // After a drop, lines are accepted at half the limit: otherwise a slow reader gets a gap after every few lines.
    const maxLength = this.#dropped > 0 ? MAX_WAITING_LENGTH / 2 : MAX_WAITING_LENGTH;
    if (this.#linesLength + this.#chunk.length + line.length > maxLength) {
      this.#dropped++;
      return;
    }
    if (this.#dropped > 0) this.#add(this.#tellDropped());
    this.#add(line);
    // The rest of a chunk has its own timer.
    if (this.#chunk.length > 0) return;
    if (this.#linesLength >= CHUNK_LENGTH) this.#writeWaiting();
    else this.#writeIn(WAIT_MS);
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#linesLength += line.length;
  }

  #tellDropped(): string {
    const entry = { level: 'warn', time: new Date().toISOString(), event: 'log-lines-dropped', lines: this.#dropped };
    this.#dropped = 0;
    return `${JSON.stringify(entry)}\n`;
  }

  #writeIn(ms: number): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    const timer = setTimeout(() => {
      this.#isTimed = false;
      this.#writeWaiting();
    }, ms);
    // `#writeLast` writes the lines when the process ends earlier.
    timer.unref();
  }

  #writeWaiting(): void {
    if (this.#isWriting) return;
    if (this.#chunk.length === 0) this.#chunk = this.#takeLines();
    const chunk = this.#chunk;
    if (chunk.length === 0) return;
    this.#isWriting = true;
    write(this.#fd, chunk, 0, chunk.length, null, (error, written) => {
      this.#isWriting = false;
      if (error === null) this.#chunk = chunk.subarray(written);
      else if (!isBusy(error)) this.#chunk = NOTHING;
      if (this.#chunk.length > 0) this.#writeIn(RETRY_MS);
      else if (this.#linesLength >= CHUNK_LENGTH) this.#writeWaiting();
      else if (this.#lines.length > 0) this.#writeIn(WAIT_MS);
    });
  }

  /** Called when the chunk is written: adding lines to a rest would copy it at every try. */
  #takeLines(): Buffer {
    const lines = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#linesLength = 0;
    return lines;
  }

  #writeLast(): void {
    if (this.#dropped > 0) this.#add(this.#tellDropped());
    // The system already has a chunk that is being written.
    const rests = this.#isWriting ? [this.#takeLines()] : [this.#chunk, this.#takeLines()];
    let retries = 0;
    for (let rest of rests) {
      while (rest.length > 0) {
        try {
          rest = rest.subarray(writeSync(this.#fd, rest));
        } catch (error) {
          if (!isBusy(error) || ++retries > MAX_LAST_RETRIES) return;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
        }
      }
    }
  }
}

/** A non-blocking pipe with a slow reader. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
