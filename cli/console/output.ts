import { StringDecoder } from 'node:string_decoder';
import picocolors from 'picocolors';
import { escapeControls } from '../../build/source/quote.ts';

/** What `Output` needs of `process.stdout` and `process.stderr`. */
export interface OutputStream {
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
  write(text: string | Uint8Array): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

const CLEAR_LINE = '\r\u001B[2K';

const DEFAULT_COLUMNS = 80;

/**
 * Where a command writes: results to stdout, everything else to stderr. On a terminal progress is one line that rewrites
 * itself, and texts from sources cannot control the terminal; under cron progress is plain lines. A closed pipe
 * (`deals query … | head`) is no fault: further output is dropped. Another error of stdout (a full disk) is reported at
 * once. Messages that cannot be written are dropped.
 */
export class Output {
  readonly #results: OutputStream;
  readonly #messages: OutputStream;
  readonly #colours: ReturnType<typeof picocolors.createColors>;
  readonly #decoder = new StringDecoder('utf8');
  #isQuiet = false;
  #hasLiveLine = false;
  #fault: Error | undefined;
  /** Whether results, and messages, are shown on a terminal. */
  readonly isStdoutTerminal: boolean;
  readonly isStderrTerminal: boolean;
  /** The width at which help is wrapped. */
  readonly columns: number;

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
    this.columns = results.columns ?? findColumns(environment['COLUMNS']);
  }

  /** The error of stdout, if there was one. */
  get writeError(): Error | undefined {
    return this.#fault;
  }

  /** From now on only results and errors are written (`--quiet`). */
  silence(): void {
    this.#isQuiet = true;
  }

  /**
   * Writes a part of the result. Control characters in texts are escaped, as \u009b, which means the same in JSON. Bytes
   * of a response are written unchanged, except on a terminal.
   */
  result(text: string | Uint8Array): void {
    this.#endLiveLine();
    if (typeof text === 'string') this.#results.write(escapeLines(text));
    // A character may begin in one part and end in the next.
    else this.#results.write(this.isStdoutTerminal ? escapeLines(this.#decoder.write(text)) : text);
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

/** The stream until its reader closes it or it fails. After that, writes do nothing. */
function untilError(stream: OutputStream, tell: (error: Error) => void): OutputStream {
  let isClosed = false;
  stream.on('error', (error) => {
    if (isClosed) return;
    isClosed = true;
    if (!('code' in error) || error.code !== 'EPIPE') tell(error);
  });
  return {
    write: (text) => isClosed || stream.write(text),
    on: stream.on.bind(stream),
  };
}

/** Escapes control characters in lines. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

function findColumns(text: string | undefined): number {
  const columns = /^[0-9]{1,4}$/.test(text ?? '') ? Number(text) : 0;
  return columns > 0 ? columns : DEFAULT_COLUMNS;
}

const NUMERIC_CELL = /^(?:[0-9]+(?:\.[0-9]+%)?)?$/;

/** Columns are as wide as their widest cell; numbers are aligned to the right. */
export function formatTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [header, ...rows];
  const columns = header.map((_, column) => ({
    width: Math.max(...lines.map((line) => String(line[column]).length)),
    isNumeric: rows.every((row) => NUMERIC_CELL.test(String(row[column]))),
  }));
  return formatLines(
    lines.map((line) =>
      columns
        .map(({ width, isNumeric }, column) => {
          const cell = String(line[column]);
          return isNumeric ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    ),
  );
}

export function formatLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** The value of `--json`. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
