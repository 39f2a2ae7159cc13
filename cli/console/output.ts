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
  /** How wide a line may be that we break ourselves. */
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

  /** Why the results are not where they should be. */
  get writeError(): Error | undefined {
    return this.#fault;
  }

  /** From now on only results and errors are written (`--quiet`). */
  silence(): void {
    this.#isQuiet = true;
  }

  /**
   * Writes a part of the result. What would move a terminal is escaped, as \u009b, wherever it is read in the end; in JSON
   * that is the same text. Bytes are those of an answer, which a program is given as they are.
   */
  result(text: string | Uint8Array): void {
    this.#endLiveLine();
    if (typeof text === 'string') this.#results.write(escapeLines(text));
    // A sign may begin in one part and end in the next.
    else this.#results.write(this.isStdoutTerminal ? escapeLines(this.#decoder.write(text)) : text);
  }

  /** Writes a line for the person at the terminal or the reader of the log. */
  message(text: string): void {
    if (!this.#isQuiet) this.warn(text);
  }

  /** Says what someone must look at, also when it is quiet. */
  warn(text: string): void {
    this.#endLiveLine();
    this.#messages.write(`${escapeLines(text)}\n`);
  }

  /** Says what the command is doing now. The next line takes its place. */
  progress(text: string): void {
    if (this.#isQuiet) return;
    if (!this.isStderrTerminal) {
      this.#messages.write(`${escapeControls(text)}\n`);
      return;
    }
    this.#messages.write(`${CLEAR_LINE}${this.#colours.dim(escapeControls(text))}`);
    this.#hasLiveLine = true;
  }

  /** Says why the command ends without having done what it was asked, also when it is quiet. */
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

/** The stream until its reader goes away or it fails, then nothing; `tell` hears of a failure. */
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

/** The same lines, in which nothing moves the terminal. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

function findColumns(text: string | undefined): number {
  const columns = /^[0-9]{1,4}$/.test(text ?? '') ? Number(text) : 0;
  return columns > 0 ? columns : DEFAULT_COLUMNS;
}

/** A number, a share, or nothing. */
const NUMERIC_CELL = /^(?:[0-9]+(?:\.[0-9]+%)?)?$/;

/** Lays rows out in columns as wide as their widest cell. Columns of numbers stand to the right. */
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
