import { createSourceError, SourceError, truncatedRecord } from './errors.ts';
import type { FormatCheck } from './format-check.ts';
import type { OpenedFile } from './open-file.ts';
import { countLineBreaks, countLineFeeds, readTextLines } from './text-lines.ts';

/** No export comes near these. */
const JSON_LIMITS: JsonLimits = { containers: 3_000_000, items: 15_000_000 };

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
  const excess = findExceededJsonLimit(bytes, JSON_LIMITS);
  if (excess !== undefined) throw limitExceeded(file, bytes, excess);
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const error = findJsonSyntaxError(text);
    if (error === undefined) throw cause;
    throw new SourceError({
      code: 'source-malformed',
      source: file.source,
      file: file.path,
      line: error.line,
      message: `${file.path}:${error.line}:${error.column}: expected ${error.expected}, got ${error.found}`,
      cause,
    });
  }
}

function limitExceeded(file: OpenedFile, bytes: Buffer, { bound, offset }: ExceededJsonLimit): SourceError {
  const line = countLineFeeds(bytes, offset) + 1;
  const most = JSON_LIMITS[bound];
  const expected = {
    containers: `at most ${most} objects and lists`,
    items: `at most ${most} values`,
  } satisfies Record<keyof JsonLimits, string>;
  const sentence = `expected ${expected[bound]}, got more; check that it is an export of the site`;
  return createSourceError('source-too-large', file, line, sentence);
}

export interface JsonLine {
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

/** The keys and values of a JSON object: a Map, since a file may have a key `__proto__`. */
export type JsonMap = ReadonlyMap<string, unknown>;

/** Parses a JSON object; undefined when the text is anything else. */
export function parseJsonObject(text: string): JsonMap | undefined {
  const value = tryParseJson(text);
  return isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
}

export interface JsonLimits {
  /** Objects and lists: each takes some 60 bytes of memory, and two bytes of a file. */
  readonly containers: number;
  /** The commas between values. */
  readonly items: number;
}

export interface ExceededJsonLimit {
  readonly bound: keyof JsonLimits;
  readonly offset: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Finds where a JSON text exceeds its limits, before `JSON.parse` takes many times its size of memory. The result is
 * undefined for invalid JSON.
 */
export function findExceededJsonLimit(bytes: Uint8Array, bounds: JsonLimits): ExceededJsonLimit | undefined {
  let containers = 0;
  let items = 0;
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset] as number;
    if (byte === QUOTE) {
      offset = endOfString(bytes, offset);
    } else if (byte === COMMA) {
      if (++items > bounds.items) return { bound: 'items', offset };
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      if (++containers > bounds.containers) return { bound: 'containers', offset };
    }
  }
  return undefined;
}

/** The offset of the closing quote of a string, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let offset = start + 1;
  while (offset < bytes.length && bytes[offset] !== QUOTE) offset += bytes[offset] === BACKSLASH ? 2 : 1;
  return offset;
}

/** Where a text stops being JSON, and what was expected there. */
export interface JsonSyntaxError {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  readonly expected: string;
  readonly found: string;
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;

/**
 * The first syntax error of a JSON text; undefined when there is none. The message of `JSON.parse` has neither line nor
 * column, and changes with the version of Node.
 */
export function findJsonSyntaxError(text: string): JsonSyntaxError | undefined {
  /** The closing signs of the objects and lists around the offset. */
  const closers: ('}' | ']')[] = [];
  let expects: 'key' | 'value' | 'separator' = 'value';
  let mayClose = false;
  let offset = 0;

  for (;;) {
    offset = skip(SPACE, text, offset);
    const character = text[offset];
    const close = closers.at(-1);
    if (mayClose && close !== undefined && character === close) {
      closers.pop();
      expects = 'separator';
      offset++;
    } else if (expects === 'separator') {
      if (close === undefined) {
        return character === undefined ? undefined : errorAt(text, offset, 'the end of the file');
      }
      if (character !== ',') return errorAt(text, offset, `"," or "${close}"`);
      expects = close === '}' ? 'key' : 'value';
      mayClose = false;
      offset++;
    } else if (expects === 'key') {
      if (character !== '"') return errorAt(text, offset, 'a key in double quotes');
      const end = skipString(text, offset);
      if (typeof end !== 'number') return end;
      offset = skip(SPACE, text, end);
      if (text[offset] !== ':') return errorAt(text, offset, '":"');
      expects = 'value';
      mayClose = false;
      offset++;
    } else if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']');
      expects = character === '{' ? 'key' : 'value';
      mayClose = true;
      offset++;
    } else {
      const end =
        character === '"' ? skipString(text, offset) : Math.max(skip(NUMBER, text, offset), skip(WORD, text, offset));
      if (typeof end !== 'number') return end;
      if (end === offset) return errorAt(text, offset, 'a value');
      expects = 'separator';
      mayClose = true;
      offset = end;
    }
  }
}

/** The offset after the match of `pattern` at `offset`, or `offset`. */
function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}

function skipString(text: string, start: number): number | JsonSyntaxError {
  for (let i = start + 1; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '"') return i + 1;
    if (character < ' ') return errorAt(text, i, 'the end of the text that begins on this line, or an escape');
    if (character === '\\') {
      if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(i + 1, i + 6)))
        return errorAt(text, i, 'an escape of JSON');
      i++;
    }
  }
  return errorAt(text, text.length, 'a double quote');
}

function errorAt(text: string, offset: number, expected: string): JsonSyntaxError {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const found = text[offset];
  return {
    line: countLineBreaks(before) + 1,
    column: offset - lineStart + 1,
    expected,
    found: found === undefined ? 'the end of the file' : JSON.stringify(found),
  };
}
