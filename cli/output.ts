import picocolors from 'picocolors';

/** What `Output` needs of `process.stdout` and `process.stderr`. */
export interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string | Uint8Array): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

const CLEAR_LINE = '\r\u001B[2K';

/**
 * Where a command writes: results to stdout, everything else to stderr. On a terminal progress is one line that
 * rewrites itself; under cron it is plain lines. A reader that goes away (`deals query … | head`) is no fault: what
 * would follow is dropped and the command ends as it would have.
 */
export class Output {
  readonly #results: OutputStream;
  readonly #messages: OutputStream;
  readonly #isTerminal: boolean;
  readonly #colours: ReturnType<typeof picocolors.createColors>;
  #isQuiet = false;
  #hasLiveLine = false;

  constructor(
    results: OutputStream,
    messages: OutputStream,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#results = untilClosed(results);
    this.#messages = untilClosed(messages);
    this.#isTerminal = messages.isTTY === true && environment['TERM'] !== 'dumb';
    this.#colours = picocolors.createColors(this.#isTerminal && !environment['NO_COLOR']);
  }

  /** From now on only results and errors are written (`--quiet`). */
  silence(): void {
    this.#isQuiet = true;
  }

  /** Writes a part of the result as it is. */
  result(text: string | Uint8Array): void {
    this.#endLiveLine();
    this.#results.write(text);
  }

  /** Writes a line for the person at the terminal or the reader of the log. */
  message(text: string): void {
    if (this.#isQuiet) return;
    this.#endLiveLine();
    this.#messages.write(`${text}\n`);
  }

  /** Says what the command is doing now. The next line takes its place. */
  progress(text: string): void {
    if (this.#isQuiet) return;
    if (!this.#isTerminal) {
      this.#messages.write(`${text}\n`);
      return;
    }
    this.#messages.write(`${CLEAR_LINE}${this.#colours.dim(text)}`);
    this.#hasLiveLine = true;
  }

  /** Says why the command ends without having done what it was asked, also when it is quiet. */
  error(text: string): void {
    this.#endLiveLine();
    this.#messages.write(`${this.#colours.red('deals:')} ${text}\n`);
  }

  #endLiveLine(): void {
    if (!this.#hasLiveLine) return;
    this.#messages.write(CLEAR_LINE);
    this.#hasLiveLine = false;
  }
}

/** The stream until its reader goes away, then nothing. Any other fault of it is thrown. */
function untilClosed(stream: OutputStream): OutputStream {
  let isClosed = false;
  stream.on('error', (error) => {
    if (!('code' in error) || error.code !== 'EPIPE') throw error;
    isClosed = true;
  });
  return {
    write: (text) => isClosed || stream.write(text),
    on: stream.on.bind(stream),
  };
}
