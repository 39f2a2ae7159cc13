import type { OpenedFile } from './open-file.ts';
import { quote } from './quote.ts';
import { SourceError } from './source-error.ts';

/** The start of a file that is no table, and what it is. */
const OTHER_FORMATS: readonly (readonly [start: RegExp, name: string])[] = [
  [/^\s*<(?:!doctype\s+html|html)\b/i, 'an HTML page'],
  [/^\s*<[!?/A-Za-z]/, 'XML'],
  [/^\s*[{[]/, 'JSON'],
];

/** @throws {SourceError} `source-malformed` when the text at the start of a file is HTML, XML or JSON and not a table */
export function checkIsTable(file: OpenedFile, start: string): void {
  const [, name] = OTHER_FORMATS.find(([pattern]) => pattern.test(start)) ?? [];
  if (name !== undefined) throw otherFile(file, 'a row that names the columns', `${name}, ${quoteStart(start)}`);
}

/**
 * @throws {SourceError} `source-malformed` when the text at the start of a file is one JSON value of several lines and
 * not one of each line
 */
export function checkIsJsonLines(file: OpenedFile, start: string): void {
  const text = start.trim();
  if (!text.includes('\n')) return;
  try {
    JSON.parse(text);
  } catch {
    return;
  }
  throw otherFile(file, 'one JSON object on each line', `one JSON value, ${quoteStart(text)}`);
}

/**
 * Whether a file of JSON or XML is one of its format: a record has all keys without which a table is not read either. An
 * error message, or the feed of somebody else, has no such record.
 */
export class FormatCheck {
  readonly #file: OpenedFile;
  readonly #keys: readonly string[];
  #first: string | undefined;
  #isMet = false;

  constructor(file: OpenedFile, keys: readonly string[]) {
    this.#file = file;
    this.#keys = keys;
  }

  /** Takes a record: whether it has a key, and what shows it to a person. */
  take(has: (key: string) => boolean, show: () => string): void {
    if (this.#isMet) return;
    this.#first ??= show();
    this.#isMet = this.#keys.every(has);
  }

  /** @throws {SourceError} `source-malformed` when the file had records and none was of its format */
  finish(): void {
    if (this.#isMet || this.#first === undefined) return;
    throw otherFile(this.#file, `records with ${this.#keys.join(', ')}`, quoteStart(this.#first));
  }
}

function quoteStart(text: string): string {
  return quote(text.trim().replace(/\s+/g, ' '));
}

function otherFile(file: OpenedFile, expected: string, found: string): SourceError {
  return new SourceError({
    code: 'source-malformed',
    source: file.source,
    file: file.path,
    line: 1,
    message: `${file.path}:1: expected ${expected}, got ${found}; check where the file is fetched from, and the adapter`,
  });
}
