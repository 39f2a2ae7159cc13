import { write, writeSync } from 'node:fs';

/** Lines are written together: a write for each would take as long as answering a request that was answered before. */
const CHUNK_LENGTH = 8 * 1024;
/** How long a line waits for others. */
const WAIT_MS = 250;
/** What waits for a reader of the log that does not read; more is dropped rather than kept in memory. */
const MAX_WAITING_LENGTH = 16 * 1024 * 1024;
/** How soon a reader is tried again that takes nothing at the moment, and how often when the process ends. */
const RETRY_MS = 20;
const MAX_LAST_RETRIES = 50;

/**
 * Writes the lines of a log to an open file, in chunks and without waiting for it. What waits when the process ends is
 * written then. Lines that cannot be written (a full disk, a reader that has gone) are lost, and cost nothing else: the
 * lines that follow are tried again.
 */
export class LogWriter {
  readonly #fd: number;
  #lines: string[] = [];
  #waitingLength = 0;
  #isTimed = false;
  #isWriting = false;
  /** The rest of a chunk that the reader did not take. */
  #rest: Buffer | undefined;

  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => this.#writeLast());
  }

  /** Takes a line with its line feed. */
  write(line: string): void {
    if (this.#waitingLength + line.length > MAX_WAITING_LENGTH) return;
    this.#lines.push(line);
    this.#waitingLength += line.length;
    if (this.#waitingLength >= CHUNK_LENGTH) this.#writeWaiting();
    else this.#writeIn(WAIT_MS);
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
    const chunk = this.#takeWaiting();
    if (chunk.length === 0) return;
    this.#isWriting = true;
    write(this.#fd, chunk, 0, chunk.length, null, (error, written) => {
      this.#isWriting = false;
      if (error === null) this.#rest = written < chunk.length ? chunk.subarray(written) : undefined;
      else if (isBusy(error)) this.#rest = chunk;
      if (this.#rest !== undefined) this.#writeIn(RETRY_MS);
      else if (this.#waitingLength >= CHUNK_LENGTH) this.#writeWaiting();
      else if (this.#lines.length > 0) this.#writeIn(WAIT_MS);
    });
  }

  #takeWaiting(): Buffer {
    const lines = Buffer.from(this.#lines.join(''));
    const chunk = this.#rest === undefined ? lines : Buffer.concat([this.#rest, lines]);
    this.#lines = [];
    this.#waitingLength = 0;
    this.#rest = undefined;
    return chunk;
  }

  #writeLast(): void {
    let chunk = this.#takeWaiting();
    for (let retries = 0; chunk.length > 0 && retries <= MAX_LAST_RETRIES;) {
      try {
        chunk = chunk.subarray(writeSync(this.#fd, chunk));
      } catch (error) {
        if (!isBusy(error)) return;
        retries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}

/** A reader that is behind, of a pipe that does not wait for it. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
