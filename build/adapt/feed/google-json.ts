import type { FormatCheck } from '../../source/format-check.ts';
import { parseJsonObject, splitJsonLines, type JsonMap } from '../../source/json.ts';
import type { OpenedFile } from '../../source/open-file.ts';
import { attributeName, STRUCTURED_ATTRIBUTES, type GoogleRecord, type GoogleValue } from './google-item.ts';

/** The group that describes the feed: attributes of the product take precedence. */
const META_GROUP = 'meta';

/** The attributes whose value may be an object; any other object is a group of attributes. */
const OBJECT_ATTRIBUTES: readonly string[] = [
  ...Object.keys(STRUCTURED_ATTRIBUTES),
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

function readGroups(object: JsonMap): ReadonlyMap<string, readonly GoogleValue[]> {
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
