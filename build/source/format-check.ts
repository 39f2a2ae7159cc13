import { sourceMalformed, type SourceError } from './errors.ts';
import type { OpenedFile } from './open-file.ts';
import { quote } from './quote.ts';

/** The start of a file in another format than a table, with the name of the format. */
const OTHER_FORMATS: readonly (readonly [start: RegExp, name: string])[] = [
  [/^\s*<(?:!doctype\s+html|html)\b/i, 'an HTML page'],
  [/^\s*<[!?/A-Za-z]/, 'XML'],
  [/^\s*[{[]/, 'JSON'],
];

/** The keys that an export writes in place of a record when it fails. */
const FAILURE_KEYS = ['error', 'errors', 'exception', 'fault'] as const;
const FAILURE = /\b(?:error|exception|fatal|timed? ?out|aborted)\b/i;

const MAX_SHOWN = 80;

/** @throws {SourceError} `source-malformed` when the start of a file is HTML, XML or JSON instead of a table */
export function checkIsTable(file: OpenedFile, start: string): void {
  const [, name] = OTHER_FORMATS.find(([pattern]) => pattern.test(start)) ?? [];
  if (name !== undefined) throw wrongFormat(file, 'a row that names the columns', `${name}, ${quoteStart(start)}`);
}

/**
 * Checks the last row of a table that has another number of cells than the header.
 *
 * @throws {SourceError} `source-malformed` when it is an error message, HTML, XML or JSON: the rows after it are missing
 */
export function checkTableEnd(file: OpenedFile, line: number, text: string): void {
  if (isFailure(text) || /^\s*[{[]/.test(text)) throw endsWithFailure(file, line, text);
}

function isFailure(text: string): boolean {
  return FAILURE.test(text) || /^\s*<[!?/A-Za-z]/.test(text);
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
  #failure: string | undefined;

  constructor(file: OpenedFile, keys: readonly string[]) {
    this.#file = file;
    this.#keys = keys;
  }

  /** Checks a record; `show` returns its text for messages. */
  take(has: (key: string) => boolean, show: () => string): void {
    this.#failure = this.#keys.some(has) ? undefined : findFailure(has, show());
    if (this.#isMet) return;
    if (this.#shown.length < MAX_SHOWN) this.#shown += ` ${show()}`;
    this.#isMet = this.#keys.every(has);
  }

  /** @throws {SourceError} `source-malformed` when no record of the file has its format, or the last one is an error message */
  finish(): void {
    if (this.#isMet && this.#failure !== undefined) throw endsWithFailure(this.#file, undefined, this.#failure);
    if (this.#isMet || this.#shown === '') return;
    throw wrongFormat(this.#file, `records with ${this.#keys.join(', ')}`, quoteStart(this.#shown));
  }
}

/** Detects an error message by the keys of an object, or by the text of anything else. */
function findFailure(has: (key: string) => boolean, text: string): string | undefined {
  return (/^\s*[{[]/.test(text) ? FAILURE_KEYS.some(has) : isFailure(text)) ? text : undefined;
}

function quoteStart(text: string): string {
  return quote(text.trim().replace(/\s+/g, ' '));
}

function wrongFormat(file: OpenedFile, expected: string, found: string): SourceError {
  const sentence = `expected ${expected}, got ${found}; check where the file is fetched from, and the adapter`;
  return sourceMalformed(file, 1, sentence);
}

function endsWithFailure(file: OpenedFile, line: number | undefined, text: string): SourceError {
  const sentence = `expected the last record at the end, got ${quoteStart(text)}; what should follow is missing, so fetch the file again`;
  return sourceMalformed(file, line, sentence);
}
