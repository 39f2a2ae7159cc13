import { write, writeSync } from 'node:fs';
import { pino } from 'pino';
import { escapeControls } from '../../build/source/quote.ts';
import type { Log, LogEntry } from '../../server/log.ts';
import { escapeLines, type Output } from './output.ts';

const STDERR = 2;

/** Events of level `error`: what someone must mend. All others are of level `info`. */
const ERROR_LEVEL_EVENTS: ReadonlySet<string> = new Set([
  'keys-unreadable',
  'metrics-failed',
  'page-unreadable',
  'request-failed',
  'server-error',
  'snapshot-refused',
  'snapshot-unreadable',
]);

/**
 * Writes log entries to stderr at most a quarter of a second late: lines of JSON, or short lines on a terminal. It never
 * waits for the reader. Waiting lines are written when the process ends, also after a crash; SIGKILL loses them. No entry
 * holds a key; if one did, pino would redact it.
 */
export function createLog({ isStderrTerminal }: Pick<Output, 'isStderrTerminal'>): Log {
  const writer = new LogDestination(STDERR);
  if (isStderrTerminal) return (entry) => writer.write(`${formatClock()}  ${escapeControls(describeEntry(entry))}\n`);
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      // An entry is flat, so this is the only place.
      redact: ['["x-api-key"]'],
    },
    { write: (line) => writer.write(escapeLines(line)) },
  );
  return (entry) => (ERROR_LEVEL_EVENTS.has(entry.event) ? logger.error(entry) : logger.info(entry));
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

/** Lines are written together: a write for each would take as long as answering a request that was answered before. */
const CHUNK_LENGTH = 8 * 1024;
/** How long a line waits for others. */
const WAIT_MS = 250;
/** What waits for a reader of the log that does not read; more is dropped and counted rather than kept in memory. */
const MAX_WAITING_LENGTH = 16 * 1024 * 1024;
/** How soon a reader is tried again that takes nothing at the moment, and how often when the process ends. */
const RETRY_MS = 20;
const MAX_LAST_RETRIES = 50;

const NOTHING = Buffer.alloc(0);

/**
 * Writes the lines of a log to an open file, in chunks and without waiting for it. What waits when the process ends is
 * written then. Lines that cannot be written (a full disk, a reader that has gone) are lost, and cost nothing else: the
 * lines that follow are tried again. For a reader that takes nothing some megabytes are kept; what comes beyond them is
 * dropped, and a line says how much that was once there is room for it.
 */
class LogDestination {
  readonly #fd: number;
  /** Lines that no chunk holds yet. */
  #lines: string[] = [];
  #linesLength = 0;
  /** The chunk being written, or what the reader has not taken of it. */
  #chunk: Buffer = NOTHING;
  #dropped = 0;
  #isTimed = false;
  #isWriting = false;

  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => this.#writeLast());
  }

  /** Takes a line with its line feed. */
  write(line: string): void {
    // Lines are taken again when half has gone: a reader that is only slow would get a gap after every few of them.
    const maxLength = this.#dropped > 0 ? MAX_WAITING_LENGTH / 2 : MAX_WAITING_LENGTH;
    if (this.#linesLength + this.#chunk.length + line.length > maxLength) {
      this.#dropped++;
      return;
    }
    if (this.#dropped > 0) this.#add(this.#tellDropped());
    this.#add(line);
    // What is left of a chunk has its own time to be tried again: one line more gives the reader no room.
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
    // Nothing is lost when the process ends before that.
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

  /** Lines are joined when nothing is left of the chunk before: to add them to it would copy all of it at every try. */
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

/** A reader that is behind, of a pipe that does not wait for it. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
