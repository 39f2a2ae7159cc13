import { SourceError } from './errors.ts';
import type { OpenedFile } from './open-file.ts';
import { quote } from './quote.ts';

/** The start of a file that is no table, and what it is. */
const OTHER_FORMATS: readonly (readonly [start: RegExp, name: string])[] = [
  [/^\s*<(?:!doctype\s+html|html)\b/i, 'an HTML page'],
  [/^\s*<[!?/A-Za-z]/, 'XML'],
  [/^\s*[{[]/, 'JSON'],
];

/** What an export that fails in the middle writes in place of a record. */
const FAILURE_KEYS = ['error', 'errors', 'exception', 'fault'] as const;
const FAILURE = /\b(?:error|exception|fatal|timed? ?out|aborted)\b/i;

/** No sentence shows more. */
const MAX_SHOWN = 80;

/** @throws {SourceError} `source-malformed` when the text at the start of a file is HTML, XML or JSON and not a table */
export function checkIsTable(file: OpenedFile, start: string): void {
  const [, name] = OTHER_FORMATS.find(([pattern]) => pattern.test(start)) ?? [];
  if (name !== undefined) throw wrongFormat(file, 'a row that names the columns', `${name}, ${quoteStart(start)}`);
}

/**
 * Checks what a table ends with, when that has another number of cells than its rows.
 * @throws {SourceError} `source-malformed` when it is an error message, HTML, XML or JSON: the rows behind it are missing
 */
export function checkTableEnd(file: OpenedFile, line: number, text: string): void {
  if (isFailure(text) || /^\s*[{[]/.test(text)) throw endsWithFailure(file, line, text);
}

function isFailure(text: string): boolean {
  return FAILURE.test(text) || /^\s*<[!?/A-Za-z]/.test(text);
}

/**
 * Whether a file of JSON or XML is one of its format: a record has all keys without which a table is not read either. An
 * error message, or the feed of somebody else, has no such record.
 */
export class FormatCheck {
  readonly #file: OpenedFile;
  readonly #keys: readonly string[];
  /** The start of what was read. */
  #shown = '';
  #isMet = false;
  /** The last record, where it is an error message. */
  #failure: string | undefined;

  constructor(file: OpenedFile, keys: readonly string[]) {
    this.#file = file;
    this.#keys = keys;
  }

  /** Takes a record: whether it has a key, and what shows it to a person. */
  take(has: (key: string) => boolean, show: () => string): void {
    this.#failure = this.#keys.some(has) ? undefined : findFailure(has, show());
    if (this.#isMet) return;
    if (this.#shown.length < MAX_SHOWN) this.#shown += ` ${show()}`;
    this.#isMet = this.#keys.every(has);
  }

  /** @throws {SourceError} `source-malformed` when the file had records and none was of its format, or ends in an error message */
  finish(): void {
    if (this.#isMet && this.#failure !== undefined) throw endsWithFailure(this.#file, undefined, this.#failure);
    if (this.#isMet || this.#shown === '') return;
    throw wrongFormat(this.#file, `records with ${this.#keys.join(', ')}`, quoteStart(this.#shown));
  }
}

/** An object is known by its keys, what is none by its text. */
function findFailure(has: (key: string) => boolean, text: string): string | undefined {
  return (/^\s*[{[]/.test(text) ? FAILURE_KEYS.some(has) : isFailure(text)) ? text : undefined;
}

function quoteStart(text: string): string {
  return quote(text.trim().replace(/\s+/g, ' '));
}

function wrongFormat(file: OpenedFile, expected: string, found: string): SourceError {
  return new SourceError({
    code: 'source-malformed',
    source: file.source,
    file: file.path,
    line: 1,
    message: `${file.path}:1: expected ${expected}, got ${found}; check where the file is fetched from, and the adapter`,
  });
}

function endsWithFailure(file: OpenedFile, line: number | undefined, text: string): SourceError {
  const place = line === undefined ? file.path : `${file.path}:${line}`;
  return new SourceError({
    code: 'source-malformed',
    source: file.source,
    file: file.path,
    line,
    message: `${place}: expected the last record at the end, got ${quoteStart(text)}; what should follow is missing, so fetch the file again`,
  });
}
