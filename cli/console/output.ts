import { fstatSync } from 'node:fs';
import picocolors from 'picocolors';
import { escapeControls } from '../../build/source/quote.ts';
import { writeAll } from '../../data/store/regular-file.ts';

/** What `Output` needs of `process.stdout` and `process.stderr`. */
export interface OutputStream {
  readonly isTTY?: boolean;
  /** @param done is called when the system has taken all of it; with an error when it never will */
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

const CLEAR_LINE = '\r\u001B[2K';

/**
 * Where a command writes: results to stdout, everything else to stderr. On a terminal progress is one line that rewrites
 * itself, and texts from sources cannot control the terminal; under cron progress is plain lines. A closed pipe
 * (`deals query … | head`) is no fault: further output is dropped. Another error of stdout (a full disk) is reported at
 * once. Messages that cannot be written are dropped.
 */
export class Output {
  readonly #results: ClosableStream;
  readonly #messages: ClosableStream;
  readonly #colours: ReturnType<typeof picocolors.createColors>;
  #isQuiet = false;
  #hasLiveLine = false;
  #fault: Error | undefined;
  /** Whether results, and messages, are shown on a terminal. */
  readonly isStdoutTerminal: boolean;
  readonly isStderrTerminal: boolean;

  constructor(
    results: OutputStream,
    messages: OutputStream,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#results = untilError(results, (error) => this.#endResults(error));
    this.#messages = untilError(messages, () => undefined);
    this.isStderrTerminal = messages.isTTY === true && environment['TERM'] !== 'dumb';
    this.#colours = picocolors.createColors(this.isStderrTerminal && !environment['NO_COLOR']);
    this.isStdoutTerminal = results.isTTY === true;
  }

  /** The error of stdout, if there was one. */
  get writeError(): Error | undefined {
    return this.#fault;
  }

  /** From now on only results and errors are written (`--quiet`). */
  silence(): void {
    this.#isQuiet = true;
  }

  /** Writes a part of the result. Control characters are escaped, as \u009b, which means the same in JSON. */
  result(text: string): void {
    this.#endLiveLine();
    this.#results.write(escapeLines(text));
  }

  /**
   * Writes whole lines of a long result as they are, except on a terminal. Waits until the system has taken them, so that
   * a slow reader slows the command down instead of filling its memory. Returns false when the rest is not needed: the
   * reader is gone, or stdout failed.
   */
  async longResult(lines: Buffer): Promise<boolean> {
    this.#endLiveLine();
    const text = this.isStdoutTerminal ? escapeLines(lines.toString()) : lines;
    const error = await new Promise((resolve) => void this.#results.write(text, resolve));
    return !(error instanceof Error) && !this.#results.isClosed;
  }

  /** Writes a result: with `--json` the value, for programs, else its lines. */
  report({ json }: { readonly json?: boolean }, value: unknown, lines: readonly string[]): void {
    if (json === true) this.json(value);
    else this.lines(lines);
  }

  json(value: unknown): void {
    this.result(`${JSON.stringify(value, undefined, 2)}\n`);
  }

  lines(lines: readonly string[]): void {
    this.result(lines.map((line) => `${line}\n`).join(''));
  }

  message(text: string): void {
    if (!this.#isQuiet) this.warn(text);
  }

  /** Writes a line also with `--quiet`. */
  warn(text: string): void {
    this.#endLiveLine();
    this.#messages.write(`${escapeLines(text)}\n`);
  }

  /** Writes a progress line, which the next line replaces. */
  progress(text: string): void {
    if (this.#isQuiet) return;
    if (!this.isStderrTerminal) {
      this.#messages.write(`${escapeControls(text)}\n`);
      return;
    }
    this.#messages.write(`${CLEAR_LINE}${this.#colours.dim(escapeControls(text))}`);
    this.#hasLiveLine = true;
  }

  /** Says why the command failed, also with `--quiet`. */
  error(text: string): void {
    this.#endLiveLine();
    this.#messages.write(`${this.#colours.red('deals:')} ${escapeLines(text)}\n`);
  }

  #endLiveLine(): void {
    if (!this.#hasLiveLine) return;
    this.#messages.write(CLEAR_LINE);
    this.#hasLiveLine = false;
  }

  #endResults(error: Error): void {
    this.#fault = error;
    this.error(`stdout cannot be written: ${error.message}; what the command has done stays done`);
  }
}

interface ClosableStream extends Pick<OutputStream, 'write'> {
  readonly isClosed: boolean;
}

/** The stream until its reader closes it or it fails. After that, writes do nothing. */
function untilError(stream: OutputStream, tell: (error: Error) => void): ClosableStream {
  let isClosed = false;
  stream.on('error', (error) => {
    if (isClosed) return;
    isClosed = true;
    if (!('code' in error) || error.code !== 'EPIPE') tell(error);
  });
  return {
    get isClosed() {
      return isClosed;
    },
    write: (text, done) => (isClosed ? done?.() : stream.write(text, done)),
  };
}

/**
 * Standard output. To a file, Node writes once: when a full disk takes a part only, the rest is lost without an error. So
 * files and devices get a stream that goes on writing until all is written, or an error says why not.
 */
export function openStdout(): OutputStream {
  const { stdout } = process;
  const stats = fstatSync(stdout.fd);
  return stdout.isTTY || stats.isFIFO() || stats.isSocket() ? stdout : createFileStream(stdout.fd);
}

function createFileStream(descriptor: number): OutputStream {
  const listeners: ((error: Error) => void)[] = [];
  return {
    on: (_, listener) => listeners.push(listener),
    write: (text, done) => {
      try {
        writeAll(descriptor, typeof text === 'string' ? Buffer.from(text) : text);
      } catch (error) {
        for (const listener of listeners) listener(error as Error);
      }
      done?.();
    },
  };
}

/** Escapes control characters in lines. */
function escapeLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

/** The lines of a table: columns are as wide as their widest cell; numbers are aligned to the right. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): readonly string[] {
  const lines = [header, ...rows];
  const columns = header.map((_, column) => ({
    width: Math.max(...lines.map((line) => String(line[column]).length)),
    isNumeric: rows.every((row) => typeof row[column] === 'number' || row[column] === ''),
  }));
  return lines.map((line) =>
    columns
      .map(({ width, isNumeric }, column) => {
        const cell = String(line[column]);
        return isNumeric ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
