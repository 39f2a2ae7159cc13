import { visit } from 'jsonc-parser';
import { createSourceError, locationIn, noticeAt, SourceError, truncatedRecord } from './errors.ts';
import { FormatCheck } from './format-check.ts';
import type { OpenedFile } from './open-file.ts';
import { quote } from './quote.ts';
import type { Excluded, SourceLocation } from './record.ts';
import { countLineFeeds, readTextLines } from './text-lines.ts';

/** No export comes near it. */
const MAX_VALUES = 20_000_000;

/** An object or list takes some 60 bytes of memory, as much as five other values, and two bytes of a file. */
const CONTAINER_VALUES = 5;

/**
 * Reads a JSON file, which is held in memory.
 *
 * @throws {SourceError} `source-malformed` with line and column when it is not JSON, `source-too-large` when it has more
 * values than any export.
 */
export async function readJson(file: OpenedFile): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of readTextLines(file, Infinity)) chunks.push(chunk);
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  chunks.length = 0;
  const excess = findExcessValue(bytes, MAX_VALUES);
  if (excess !== undefined) {
    const expected = `at most ${MAX_VALUES} values, where an object or list counts as ${CONTAINER_VALUES}`;
    const sentence = `expected ${expected}, got more; check that it is an export of the site`;
    throw createSourceError('source-too-large', file, countLineFeeds(bytes, excess) + 1, sentence);
  }
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const { source, path } = file;
    const { line, column, sentence } = findJsonFault(text);
    const message = `${path}:${line}:${column}: ${sentence}`;
    throw new SourceError({ code: 'source-malformed', source, file: path, line }, message, cause);
  }
}

interface JsonLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/**
 * The non-blank lines of an NDJSON file, in batches, from its text lines.
 *
 * @param check has checked the lines so far; its error takes precedence
 * @throws {SourceError} `source-malformed` when the last line has no line end and is not JSON: the file ends within it
 */
export async function* splitJsonLines(
  file: OpenedFile,
  lines: AsyncIterable<Buffer>,
  check?: FormatCheck,
): AsyncGenerator<readonly JsonLine[]> {
  let line = 0;
  for await (const chunk of lines) {
    const batch: JsonLine[] = [];
    const texts = chunk.toString('utf8').split('\n');
    const open = texts.at(-1) ?? '';
    if (open === '') texts.pop();
    for (const text of texts) {
      line++;
      if (text.trim() !== '') batch.push({ line, text });
    }
    if (open.trim() !== '' && tryParseJson(open) === undefined) {
      check?.finish();
      throw truncatedRecord(file, line, 'a line of JSON to its end');
    }
    if (batch.length > 0) yield batch;
  }
}

/**
 * The records of an NDJSON file of a feed, in batches, from its text lines. A line that is no object is excluded.
 *
 * @param keys at least one record must have all of them
 * @param open the values of an object by their names
 * @param show the text of a record in messages about the whole file
 * @throws {SourceError} when the file is something else, ends with an error message, or within a record
 */
export async function* readJsonRecords<Values extends ReadonlyMap<string, unknown>, Item>(
  file: OpenedFile,
  lines: AsyncIterable<Buffer>,
  keys: readonly string[],
  open: (object: JsonObject) => Values,
  read: (values: Values, location: SourceLocation) => Item | Excluded,
  show: (values: Values, text: string) => string = (_, text) => text,
): AsyncGenerator<readonly (Item | Excluded)[]> {
  const check = new FormatCheck(file, keys);
  for await (const batch of splitJsonLines(file, lines, check)) {
    yield batch.map(({ line, text }) => {
      const location = locationIn(file, line);
      const object = tryParseJson(text);
      const values = isJsonObject(object) ? open(object) : undefined;
      check.take(
        (key) => values?.has(key) === true,
        () => (values === undefined ? text : show(values, text)),
      );
      if (values !== undefined) return read(values, location);
      return { notice: noticeAt(location, { code: 'malformed-record', expected: 'a JSON object', found: text }) };
    });
  }
  check.finish();
}

/** Undefined when the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of own keys: a file may have a key `__proto__`. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let inner = value;
  for (const key of path) {
    if (!isJsonObject(inner) || !Object.hasOwn(inner, key)) return undefined;
    inner = inner[key];
  }
  return inner;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Finds the offset of the value that is one too many, before `JSON.parse` takes many times its size of memory. Undefined
 * for invalid JSON, too.
 */
export function findExcessValue(bytes: Uint8Array, maxValues: number): number | undefined {
  let values = 0;
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset] as number;
    if (byte === QUOTE) offset = endOfString(bytes, offset);
    else if (byte === COMMA) values++;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) values += CONTAINER_VALUES;
    if (values > maxValues) return offset;
  }
  return undefined;
}

/** The offset of the closing quote of a string, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let offset = start + 1;
  while (offset < bytes.length && bytes[offset] !== QUOTE) offset += bytes[offset] === BACKSLASH ? 2 : 1;
  return offset;
}

/** What is expected, by the error codes of the library, which are types only. */
const EXPECTED: Readonly<Record<number, string>> = {
  1: 'a value, or a key in double quotes',
  2: 'a number of JSON',
  3: 'a key in double quotes',
  4: 'a value',
  5: '":"',
  6: 'a comma, or the end of the object or list',
  7: 'the end of the object, "}"',
  8: 'the end of the list, "]"',
  9: 'the end of the file',
  10: 'JSON without comments',
  11: 'a comment that ends in "*/"',
  12: 'a text that ends on its line, in double quotes',
  13: 'a number of JSON',
  14: 'the escapes of JSON',
  15: 'the escapes of JSON',
  16: 'an escape in place of a control character',
};

/** Where a text stops being JSON. */
export interface JsonFault {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  /** What was expected there, and what was found. */
  readonly sentence: string;
}

/**
 * The first fault of a text that is not JSON, which may have comments if `hasComments`. The message of `JSON.parse` has no
 * line, and changes with the version of Node.
 */
export function findJsonFault(text: string, hasComments = false): JsonFault {
  const faults: JsonFault[] = [];
  const onError = (code: number, offset: number, length: number, line: number, character: number): void => {
    if (faults.length > 0) return;
    const found = length === 0 ? 'the end of the file' : quote(text.slice(offset, offset + length));
    faults.push({ line: line + 1, column: character + 1, sentence: `expected ${EXPECTED[code]}, got ${found}` });
  };
  try {
    visit(text, { onError }, { disallowComments: !hasComments });
  } catch (error) {
    // The library calls itself for each level.
    if (!(error instanceof RangeError)) throw error;
  }
  return faults[0] ?? { line: 1, column: 1, sentence: 'expected JSON that nests less deeply' };
}
