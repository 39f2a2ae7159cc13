import { createSourceError } from '../source/errors.ts';
import type { FormatCheck } from '../source/format-check.ts';
import { parseJsonObject, splitJsonLines, type JsonMap } from '../source/json.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { findDelimiter } from '../source/parse-csv.ts';
import { quote } from '../source/quote.ts';
import {
  attributeName,
  isStructuredAttribute,
  SUB_ATTRIBUTES,
  type GoogleRecord,
  type GoogleValue,
  type GoogleValues,
} from './google-item.ts';
import type { Excluded, RawDeal } from './raw-deal.ts';
import { readTable } from './read-table.ts';

/** Without these columns no row could become a deal. */
export const REQUIRED_ATTRIBUTES = ['id', 'title', 'link', 'price'];

/**
 * Reads a table whose header names the attributes. The header also tells the delimiter.
 *
 * @throws {SourceError} `missing-column`, or when the file cannot be read to its end.
 */
export function readGoogleTable(
  file: OpenedFile,
  first: Buffer,
  lines: AsyncIterable<Buffer>,
  required: readonly string[],
  readRecord: (record: GoogleRecord) => RawDeal | Excluded,
): AsyncGenerator<readonly (RawDeal | Excluded)[]> {
  return readTable(
    file,
    lines,
    {
      readHeader: (names, line) => readHeader(file, names, line, required),
      readRow: (cells, names, line) => readRecord({ kind: 'item', line, values: groupCells(cells, names) }),
    },
    { delimiter: findDelimiter(first.toString('utf8').split('\n', 1)[0] ?? '') },
  );
}

/** The attribute of every column; `subscription_cost(period:period_length:amount)` lists its sub-attributes. */
function readHeader(
  file: OpenedFile,
  names: readonly string[],
  line: number,
  required: readonly string[],
): readonly string[] {
  const attributes = names.map((name) => {
    const [, bare = name, order] = /^([^(]*)\(([^)]*)\)$/.exec(name) ?? [];
    const attribute = attributeName(bare);
    const parts: readonly string[] | undefined = isStructuredAttribute(attribute)
      ? SUB_ATTRIBUTES[attribute]
      : undefined;
    const given = order?.split(':').map(attributeName);
    if (parts !== undefined && given !== undefined && given.some((part, index) => part !== parts[index])) {
      const sentence = `expected ${attribute}(${parts.join(':')}), got ${quote(name)}`;
      throw createSourceError('source-malformed', file, line, sentence);
    }
    return attribute;
  });
  const missing = [...REQUIRED_ATTRIBUTES, ...required].filter((name) => !attributes.includes(name));
  if (missing.length === 0) return attributes;
  const expected = `expected the columns ${missing.join(', ')}, got ${quote(names.join(','))}`;
  throw createSourceError('missing-column', file, line, `${expected}; ask the feed for them, or map other columns`);
}

/** The cells of each attribute. */
function groupCells(cells: readonly string[], names: readonly string[]): GoogleValues {
  const values = new Map<string, string[]>();
  for (const [position, name] of names.entries()) {
    const others = values.get(name);
    if (others === undefined) values.set(name, [cells[position] ?? '']);
    else others.push(cells[position] ?? '');
  }
  return values;
}

/** The group that describes the feed: attributes of the product take precedence. */
const META_GROUP = 'meta';

/** The attributes whose value may be an object; any other object is a group of attributes. */
const OBJECT_ATTRIBUTES: readonly string[] = [
  ...Object.keys(SUB_ATTRIBUTES),
  'price',
  'sale_price',
  'shipping',
  'tax',
  'unit_pricing_measure',
];

/** Reads JSON lines: one object per line, flat or with its attributes in groups. */
export async function* readGoogleJson(
  file: OpenedFile,
  lines: AsyncIterable<Buffer>,
  check: FormatCheck,
): AsyncGenerator<readonly GoogleRecord[]> {
  for await (const batch of splitJsonLines(file, lines, check)) {
    yield batch.map(({ line, text }): GoogleRecord => {
      const object = parseJsonObject(text);
      return object === undefined
        ? { kind: 'broken', line, expected: 'a JSON object', found: text, id: undefined }
        : { kind: 'item', line, values: readGroups(object) };
    });
  }
}

function readGroups(object: JsonMap): GoogleValues {
  const values = new Map<string, readonly GoogleValue[]>();
  const groups: (readonly [string, object])[] = [];
  for (const [key, value] of object) {
    const name = attributeName(key);
    if (isGroup(name, value)) groups.push([name, value]);
    else values.set(name, readValues(value));
  }
  const inOrder = [
    ...groups.filter(([name]) => name !== META_GROUP),
    ...groups.filter(([name]) => name === META_GROUP),
  ];
  for (const [, group] of inOrder) {
    for (const [key, value] of Object.entries(group)) {
      const name = attributeName(key);
      if (!values.has(name)) values.set(name, readValues(value));
    }
  }
  return values;
}

function isGroup(name: string, value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !OBJECT_ATTRIBUTES.includes(name);
}

function readValues(value: unknown): readonly GoogleValue[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((each): readonly GoogleValue[] => {
    if (typeof each === 'object' && each !== null) {
      const parts = Object.entries(each).flatMap(([key, part]): readonly [string, string][] => {
        const text = joinText(part);
        return text === undefined ? [] : [[attributeName(key), text]];
      });
      return [new Map(parts)];
    }
    const text = showScalar(each);
    return text === undefined ? [] : [text];
  });
}

/** A part is a text, or an amount such as `{"value": "35.00", "currency": "GBP"}`. */
function joinText(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return showScalar(part);
  const { value, currency } = part as { value?: unknown; currency?: unknown };
  const amount = showScalar(value);
  return amount === undefined ? undefined : `${amount} ${showScalar(currency) ?? ''}`;
}

function showScalar(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
