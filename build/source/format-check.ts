import { sourceMalformed, type SourceError } from './errors.ts';
import type { OpenedFile } from './open-file.ts';
import { quote } from './quote.ts';

/** What an export writes in place of a record when it fails. */
const FAILURE = /\b(?:errors?|exceptions?|fault|fatal|timed? ?out|aborted)\b/i;
const MARKUP = /^\s*<[!?/A-Za-z]/;
const JSON_START = /^\s*[{[]/;

const MAX_SHOWN = 80;

/** @throws {SourceError} `source-malformed` when the start of a file is HTML, XML or JSON instead of a table */
export function checkIsTable(file: OpenedFile, start: string): void {
  if (MARKUP.test(start) || JSON_START.test(start)) throw wrongFormat(file, 'a row that names the columns', start);
}

/**
 * Checks the last row of a table that has another number of cells than the header.
 *
 * @throws {SourceError} `source-malformed` when it is an error message, HTML, XML or JSON: the rows after it are missing
 */
export function checkTableEnd(file: OpenedFile, line: number, text: string): void {
  if (isFailure(text) || JSON_START.test(text)) throw endsWithFailure(file, line, text);
}

function isFailure(text: string): boolean {
  return FAILURE.test(text) || MARKUP.test(text);
}

/**
 * Checks that a file of JSON or XML has its format: at least one record must have all required keys. An error message, or
 * a feed in another format, has no such record.
 */
export class FormatCheck {
  readonly #file: OpenedFile;
  readonly #keys: readonly string[];
  #shown = '';
  #isMet = false;
  #last: string | undefined;

  constructor(file: OpenedFile, keys: readonly string[]) {
    this.#file = file;
    this.#keys = keys;
  }

  /** Checks a record; `show` returns its text for messages. */
  take(has: (key: string) => boolean, show: () => string): void {
    this.#last = this.#keys.some(has) ? undefined : show();
    if (this.#isMet) return;
    if (this.#shown.length < MAX_SHOWN) this.#shown += ` ${show()}`;
    this.#isMet = this.#keys.every(has);
  }

  /** @throws {SourceError} `source-malformed` when no record of the file has its format, or the last one is an error message */
  finish(): void {
    if (!this.#isMet && this.#shown !== '') {
      throw wrongFormat(this.#file, `records with ${this.#keys.join(', ')}`, this.#shown);
    }
    if (this.#last !== undefined && isFailure(this.#last)) throw endsWithFailure(this.#file, undefined, this.#last);
  }
}

function quoteLine(text: string): string {
  return quote(text.slice(0, 1_000).trim().replace(/\s+/g, ' '));
}

function wrongFormat(file: OpenedFile, expected: string, found: string): SourceError {
  const sentence = `expected ${expected}, got ${quoteLine(found)}; check where the file is fetched from, and the adapter`;
  return sourceMalformed(file, 1, sentence);
}

function endsWithFailure(file: OpenedFile, line: number | undefined, text: string): SourceError {
  const sentence = `expected the last record at the end, got ${quoteLine(text)}; what should follow is missing, so fetch the file again`;
  return sourceMalformed(file, line, sentence);
}
