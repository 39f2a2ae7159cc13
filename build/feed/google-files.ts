import { sourceMalformed } from '../source/errors.ts';
import { FormatCheck } from '../source/format-check.ts';
import { checkColumns } from '../source/header.ts';
import { parseJsonObject, splitJsonLines, type JsonMap } from '../source/json.ts';
import { noticeAt } from '../source/notice-at.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { findDelimiter } from '../source/parse-csv.ts';
import { readXmlItems, type XmlElement } from '../source/parse-xml.ts';
import { quote, showFound } from '../source/quote.ts';
import { peekFirst, readTextLines } from '../source/text-lines.ts';
import {
  attributeName,
  GoogleItem,
  isStructuredAttribute,
  SUB_ATTRIBUTES,
  type GoogleValue,
  type GoogleValues,
} from './google-item.ts';
import { excluded, locationIn, type Excluded } from './raw-deal.ts';
import { readTable } from './read-table.ts';

/** Without these columns no row could become a deal. */
const REQUIRED_ATTRIBUTES = ['id', 'title', 'link', 'price'];

type Items = AsyncGenerator<readonly (GoogleItem | Excluded)[]>;

/**
 * Reads the items of a table, of JSON lines, or of RSS and Atom, which the first character tells apart.
 *
 * @param required the columns that a table needs besides those that every deal comes from
 * @throws {SourceError} `missing-column`, or when the file is something else, or cannot be read to its end
 */
export async function* readGoogleItems(file: OpenedFile, required: readonly string[]): Items {
  const { first = Buffer.alloc(0), all } = await peekFirst(file.chunks);
  const whole = { ...file, chunks: all };
  const check = new FormatCheck(file, REQUIRED_ATTRIBUTES);
  // XML in any encoding: the first printable character is `<`.
  if (/^[^!-~]*</.test(first.toString('latin1', 0, 64))) {
    yield* readXml(whole, check);
    check.finish();
    return;
  }
  const { first: firstLines = Buffer.alloc(0), all: lines } = await peekFirst(readTextLines(whole));
  const text = firstLines.toString('utf8');
  if (text.trimStart().startsWith('{')) {
    yield* readJson(file, lines, check);
    check.finish();
    return;
  }
  const readTableHeader = (names: readonly string[], headerLine: number) => {
    const attributes = readHeader(file, names, headerLine, required);
    return (cells: readonly string[], line: number) => new GoogleItem(line, groupCells(cells, attributes));
  };
  // The header tells the delimiter.
  yield* readTable(file, lines, readTableHeader, { delimiter: findDelimiter(text.split('\n', 1)[0] ?? '') });
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
      throw sourceMalformed(file, line, sentence);
    }
    return attribute;
  });
  const needed = [...REQUIRED_ATTRIBUTES, ...required].map((name) => [name]);
  checkColumns({ file, names, line }, needed, (name) => attributes.includes(name), {
    remedy: 'ask the feed for them, or map other columns',
  });
  return attributes;
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

/** A record of a file without a header: an item, or the notice that there is none. */
function checkItem(
  file: OpenedFile,
  line: number,
  values: GoogleValues,
  check: FormatCheck,
  broken?: { readonly expected: string; readonly found: string },
): GoogleItem | Excluded {
  check.take(
    (key) => broken === undefined && values.has(key),
    () => broken?.found ?? showValues(values),
  );
  if (broken === undefined) return new GoogleItem(line, values);
  const [id] = values.get('id') ?? [];
  const location = { ...locationIn(file, line), record: typeof id === 'string' ? id.trim() : undefined };
  return excluded(noticeAt(location, { code: 'malformed-record', ...broken, found: showFound(broken.found) }));
}

function showValues(values: GoogleValues): string {
  return [...values].map(([name, [value]]) => (typeof value === 'string' ? `${name}: ${value}` : name)).join(', ');
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
async function* readJson(file: OpenedFile, lines: AsyncIterable<Buffer>, check: FormatCheck): Items {
  for await (const batch of splitJsonLines(file, lines, check)) {
    yield batch.map(({ line, text }) => {
      const object = parseJsonObject(text);
      const broken = object === undefined ? { expected: 'a JSON object', found: text } : undefined;
      return checkItem(file, line, readGroups(object ?? new Map()), check, broken);
    });
  }
}

function readGroups(object: JsonMap): GoogleValues {
  const values = new Map<string, readonly GoogleValue[]>();
  const groups: (readonly [string, object])[] = [];
  for (const [key, value] of object) {
    const name = attributeName(key);
    if (isGroup(name, value)) groups.push([name, value]);
    else values.set(name, readJsonValues(value));
  }
  const isMeta = ([name]: (typeof groups)[number]): boolean => name === META_GROUP;
  const inOrder = groups.toSorted((a, b) => Number(isMeta(a)) - Number(isMeta(b)));
  for (const [, group] of inOrder) {
    for (const [key, value] of Object.entries(group)) {
      const name = attributeName(key);
      if (!values.has(name)) values.set(name, readJsonValues(value));
    }
  }
  return values;
}

function isGroup(name: string, value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !OBJECT_ATTRIBUTES.includes(name);
}

function readJsonValues(value: unknown): readonly GoogleValue[] {
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

const ROOT_NAMES = ['rss', 'feed', 'rdf'];
const ITEM_NAMES = ['item', 'entry'];

/** As much as a row of a table may have. */
const MAX_ITEM_CHARACTERS = 1_000_000;

/**
 * Reads the `item`s of RSS and the `entry`s of Atom. Malformed XML within an item excludes that item; outside of an item
 * it rejects the file.
 */
async function* readXml(file: OpenedFile, check: FormatCheck): Items {
  const format = {
    expectedRoot: 'an RSS or Atom feed, <rss> or <feed>',
    isRoot: ({ name }: XmlElement) => ROOT_NAMES.includes(attributeName(name)),
    isItem: ({ name }: XmlElement) => ITEM_NAMES.includes(attributeName(name)),
    maxItemCharacters: MAX_ITEM_CHARACTERS,
    repair: createXmlRepair(),
    remedy: 'have the feed written again',
  };
  for await (const items of readXmlItems(file, format)) {
    yield items.map(({ element, line, error }) => {
      const broken = error === undefined ? undefined : { expected: 'a well-formed item', found: error };
      return checkItem(file, line, readElements(element), check, broken);
    });
  }
}

/** The values of an item. `g:id`, the id of the product, takes precedence over the `id` of Atom, which is a URL. */
function readElements({ children }: XmlElement): ReadonlyMap<string, readonly GoogleValue[]> {
  const values = new Map<string, GoogleValue[]>();
  for (const child of children) {
    const name = attributeName(child.name);
    const others = values.get(name);
    if (others === undefined) values.set(name, [readElement(child)]);
    else if (child.name.includes(':')) others.unshift(readElement(child));
    else others.push(readElement(child));
  }
  return values;
}

/** A text, the parts of a structured attribute, or the target of a link of Atom. */
function readElement({ text, children, attributes }: XmlElement): GoogleValue {
  if (children.length > 0) return new Map(children.map((part) => [attributeName(part.name), part.text]));
  const isMainLink = (attributes.get('rel') ?? 'alternate') === 'alternate';
  return text.trim() === '' && isMainLink ? (attributes.get('href') ?? '') : text;
}

const TAG_PATTERN = /<(\/?)((?:[A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*)/g;
const BARE_AMPERSAND = /&(?!#?\w{1,40};)/g;
const UNFINISHED_TAG = /(?:<\/?[\w.:-]{0,200}|&#?\w{0,40})$/;
const MAX_UNFINISHED_TAG = 202;

/**
 * Repairs two frequent errors: `<g:brand>` closed with `</brand>`, and an `&` that starts no reference, as in a link.
 * Well-formed XML keeps its meaning.
 */
function createXmlRepair(): (text: string) => string {
  const openPrefixed = new Map<string, string>();
  let pending = '';
  return (chunk) => {
    const text = pending + chunk;
    // A tag may continue in the next chunk.
    const cut = UNFINISHED_TAG.exec(text.slice(-MAX_UNFINISHED_TAG))?.[0] ?? '';
    pending = cut;
    const whole = text.slice(0, text.length - cut.length).replaceAll(BARE_AMPERSAND, '&amp;');
    return whole.replaceAll(TAG_PATTERN, (tag, slash: string, name: string) => {
      const local = name.slice(name.indexOf(':') + 1);
      const isPrefixed = local !== name;
      if (slash === '') {
        if (isPrefixed) openPrefixed.set(local, name);
        else openPrefixed.delete(local);
        return tag;
      }
      const opened = openPrefixed.get(local);
      openPrefixed.delete(local);
      return isPrefixed || opened === undefined ? tag : `</${opened}`;
    });
  };
}
