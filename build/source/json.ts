import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser';
import { locationIn, noticeAt, SourceError, sourceMalformed, truncatedRecord } from './errors.ts';
import { FormatCheck } from './format-check.ts';
import type { OpenedFile } from './open-file.ts';
import { quote } from './quote.ts';
import type { Excluded, SourceLocation } from './record.ts';
import { countSigns, readTextLines } from './text-lines.ts';

/** One takes some 60 bytes of memory, and may be two bytes of a file. */
const MAX_CONTAINERS = 4_000_000;

/**
 * Reads a JSON file, which is held in memory.
 *
 * @throws {SourceError} `source-malformed` with its line when it is not JSON, `source-too-large` when it has more
 * objects and lists than any export.
 */
export async function readJson(file: OpenedFile): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of readTextLines(file, Infinity)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  chunks.length = 0;
  if (countSigns(bytes, '{') + countSigns(bytes, '[') > MAX_CONTAINERS) {
    const expected = `at most ${MAX_CONTAINERS} objects and lists`;
    const sentence = `expected ${expected}, got more; check that it is an export of the site`;
    throw new SourceError('source-too-large', file, undefined, sentence);
  }
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const { line, sentence } = findJsonFault(text);
    throw sourceMalformed(file, line, sentence, cause);
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
 * @throws {SourceError} when the file is something else, ends with an error message, or within a record
 */
export async function* readJsonRecords<Values extends ReadonlyMap<string, unknown>, Item>(
  file: OpenedFile,
  lines: AsyncIterable<Buffer>,
  keys: readonly string[],
  open: (object: JsonObject) => Values,
  read: (values: Values, location: SourceLocation) => Item | Excluded,
): AsyncGenerator<readonly (Item | Excluded)[]> {
  const check = new FormatCheck(file, keys);
  for await (const batch of splitJsonLines(file, lines, check)) {
    yield batch.map(({ line, text }) => {
      const location = locationIn(file, line);
      const object = tryParseJson(text);
      const values = isJsonObject(object) ? open(object) : undefined;
      check.take(
        (key) => values?.has(key) === true,
        () => text,
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

/** Where a text stops being JSON. */
interface JsonFault {
  /** 1-based. */
  readonly line: number;
  /** What was found, in which column, and why it is not JSON. */
  readonly sentence: string;
}

/**
 * The first fault of a text that is not JSON, which may have comments if `hasComments`. The message of `JSON.parse` has no
 * line, and changes with the version of Node.
 */
export function findJsonFault(text: string, hasComments = false): JsonFault {
  const faults: JsonFault[] = [];
  const onError = (code: ParseErrorCode, offset: number, length: number, line: number, character: number): void => {
    if (faults.length > 0) return;
    const found = length === 0 ? 'the end of the file' : quote(text.slice(offset, offset + length));
    // `CommaExpected`
    const reason = printParseErrorCode(code).replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`);
    const sentence = `expected JSON, got ${found} in column ${character + 1}: ${reason.toLowerCase()}`;
    faults.push({ line: line + 1, sentence });
  };
  try {
    visit(text, { onError }, { disallowComments: !hasComments });
  } catch (error) {
    // The library calls itself for each level.
    if (!(error instanceof RangeError)) throw error;
  }
  return faults[0] ?? { line: 1, sentence: 'expected JSON that nests less deeply' };
}
