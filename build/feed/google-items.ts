import { cleanText, normalizeName } from '../source/clean-text.ts';
import { locationIn, noticeAt, sourceMalformed } from '../source/errors.ts';
import { FormatCheck } from '../source/format-check.ts';
import { isJsonObject, readJsonRecords, type JsonObject } from '../source/json.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { readXmlItems, type XmlElement, type XmlItem } from '../source/parse-xml.ts';
import { quote } from '../source/quote.ts';
import type { Excluded, SourceLocation } from '../source/record.ts';
import { checkColumns, readTable, type TableHeader } from '../source/table.ts';
import { peekFirst, readTextLines } from '../source/text-lines.ts';

/** The sub-attributes of an attribute by name. */
type Parts = ReadonlyMap<string, string>;

type Value = string | Parts;

/** The attributes of an item by name, each a text or its parts; attributes may be repeated. */
type Values = ReadonlyMap<string, readonly Value[]>;

/** The sub-attributes in the order of the text, `month:24:35.00 GBP`. */
const SUB_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  subscription_cost: ['period', 'period_length', 'amount'],
  installment: ['months', 'amount', 'downpayment', 'credit_type'],
  product_detail: ['section_name', 'attribute_name', 'attribute_value'],
};

/** A mapping names a product detail as `product_detail:Data allowance`. */
export const DETAIL_PREFIX = 'product_detail:';

/** Normalises `g:Image Link`, `imageLink` and `image-link` to `image_link`. */
export function attributeName(name: string): string {
  return name
    .trim()
    .replace(/^[A-Za-z][\w.-]*:(?! )/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
}

/** An item of product data, from a table, XML or JSON. */
export class GoogleItem {
  readonly location: SourceLocation;
  readonly #values: Values;

  constructor(location: SourceLocation, values: Values) {
    this.location = location;
    this.#values = values;
  }

  /** The text of an attribute, or of a product detail; undefined when it is blank or absent. */
  readonly text = (name: string): string | undefined => {
    if (name.startsWith(DETAIL_PREFIX)) return this.#detail(normalizeName(name.slice(DETAIL_PREFIX.length)));
    for (const value of this.#values.get(name) ?? []) {
      const text = typeof value === 'string' ? cleanText(value) : undefined;
      if (text !== undefined) return text;
    }
    return undefined;
  };

  /** The sub-attributes of every value of an attribute that is not blank. */
  listParts(name: string): readonly Parts[] {
    return (this.#values.get(name) ?? [])
      .flatMap((value) => (typeof value === 'string' ? splitValue(name, value) : [cleanParts(value)]))
      .filter((parts) => parts.size > 0);
  }

  #detail(name: string): string | undefined {
    const details = this.listParts('product_detail');
    const found = details.find((parts) => normalizeName(parts.get('attribute_name') ?? '') === name);
    return found?.get('attribute_value');
  }
}

function splitValue(name: string, value: string): readonly Parts[] {
  const text = cleanText(value);
  if (text === undefined) return [];
  const texts = name === 'product_detail' ? splitDetails(text) : [text];
  return texts.map((each) => splitParts(SUB_ATTRIBUTES[name] ?? [], each));
}

/** Details are separated by commas, but values may have commas too: a detail has two colons. */
function splitDetails(text: string): readonly string[] {
  const details: string[] = [];
  for (const part of text.split(',')) {
    const last = details.length - 1;
    if (last >= 0 && part.split(':').length < 3) details[last] += `,${part}`;
    else details.push(part);
  }
  return details;
}

/** The last sub-attribute takes the rest of the text, with its colons. */
function splitParts(names: readonly string[], text: string): Parts {
  const texts = text.split(':');
  const last = names.length - 1;
  return cleanParts(names.map((name, i) => [name, i === last ? texts.slice(i).join(':') : (texts[i] ?? '')]));
}

function cleanParts(value: Iterable<readonly [string, string]>): Parts {
  return new Map([...value].map(([name, text]) => [name, cleanText(text)] as const).filter(hasText));
}

function hasText(pair: readonly [string, string | undefined]): pair is readonly [string, string] {
  return pair[1] !== undefined;
}

/** Without these columns no row could become a deal. */
const REQUIRED_ATTRIBUTES = ['id', 'title', 'link', 'price'];

type Items = AsyncGenerator<readonly (GoogleItem | Excluded)[]>;

/**
 * Reads the items of a table, of JSON lines, or of RSS and Atom, which the first printable character tells apart.
 *
 * @param required the columns that a table needs besides those that every deal comes from
 * @throws {SourceError} `missing-column`, or when the file is something else, or cannot be read to its end
 */
export async function* readGoogleItems(file: OpenedFile, required: readonly string[]): Items {
  const { first, all } = await peekFirst(file.chunks);
  const whole = { ...file, chunks: all };
  // In any encoding.
  const sign = /[!-~]/.exec(first?.toString('latin1', 0, 1_024) ?? '')?.[0];
  if (sign === '<') {
    yield* readXml(whole);
    return;
  }
  const lines = readTextLines(whole);
  if (sign === '{') {
    const read = (values: Values, location: SourceLocation) => new GoogleItem(location, values);
    yield* readJsonRecords(file, lines, REQUIRED_ATTRIBUTES, readGroups, read);
    return;
  }
  const readTableHeader = (header: TableHeader) => {
    const attributes = readHeader(header, required);
    return (cells: readonly string[], location: SourceLocation) =>
      new GoogleItem(location, groupValues(cells.map((cell, position) => [attributes[position] ?? '', cell])));
  };
  yield* readTable(file, lines, readTableHeader, { delimiter: 'any' });
}

/** The attribute of every column; `subscription_cost(period:period_length:amount)` lists its sub-attributes. */
function readHeader(header: TableHeader, required: readonly string[]): readonly string[] {
  const attributes = header.names.map((name) => {
    const [, bare = name, order] = /^([^(]*)\(([^)]*)\)$/.exec(name) ?? [];
    const attribute = attributeName(bare);
    const parts = Object.hasOwn(SUB_ATTRIBUTES, attribute) ? SUB_ATTRIBUTES[attribute] : undefined;
    if (parts !== undefined && order?.split(':').some((part, index) => attributeName(part) !== parts[index])) {
      const sentence = `expected ${attribute}(${parts.join(':')}), got ${quote(name)}`;
      throw sourceMalformed(header.file, header.line, sentence);
    }
    return attribute;
  });
  const needed = [...REQUIRED_ATTRIBUTES, ...required].map((name) => [name]);
  checkColumns(header, needed, (name) => attributes.includes(name), {
    remedy: 'ask the feed for them, or map other columns',
  });
  return attributes;
}

/** The values of each attribute, in their order. */
function groupValues(pairs: Iterable<readonly [string, Value]>): Values {
  const values = new Map<string, Value[]>();
  for (const [name, value] of pairs) {
    const others = values.get(name);
    if (others === undefined) values.set(name, [value]);
    else others.push(value);
  }
  return values;
}

function showValues(values: Values): string {
  return [...values].map(([name, [value]]) => (typeof value === 'string' ? `${name}: ${value}` : name)).join(', ');
}

/** The attributes whose value may be an object; any other object is a group of attributes. */
const OBJECT_ATTRIBUTES: readonly string[] = [
  ...Object.keys(SUB_ATTRIBUTES),
  'price',
  'sale_price',
  'shipping',
  'tax',
  'unit_pricing_measure',
];

/** Attributes of the item itself come first, then those of its groups; the group `meta` describes the feed. */
function readGroups(object: JsonObject): Values {
  const named = Object.entries(object).map(([key, value]) => [attributeName(key), value] as const);
  const groups = named.filter(([name, value]) => isGroup(name, value));
  const inGroups = [...groups.filter(([name]) => name !== 'meta'), ...groups.filter(([name]) => name === 'meta')]
    .flatMap(([, group]) => Object.entries(group as object))
    .map(([key, value]) => [attributeName(key), value as unknown] as const);
  const values = new Map(named.filter(([name, value]) => !isGroup(name, value)));
  for (const [name, value] of inGroups) if (!values.has(name)) values.set(name, value);
  return new Map([...values].map(([name, value]) => [name, readJsonValues(name, value)]));
}

function isGroup(name: string, value: unknown): boolean {
  return isJsonObject(value) && !OBJECT_ATTRIBUTES.includes(name);
}

function readJsonValues(name: string, value: unknown): readonly Value[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((each): Value | readonly Value[] => {
    if (!isJsonObject(each) || !Object.hasOwn(SUB_ATTRIBUTES, name)) return joinText(each) ?? [];
    const parts = Object.entries(each).map(([key, part]) => [attributeName(key), joinText(part)] as const);
    return new Map(parts.filter(hasText));
  });
}

/** A text, or an amount such as `{"value": "35.00", "currency": "GBP"}`. */
function joinText(part: unknown): string | undefined {
  if (!isJsonObject(part)) return showScalar(part);
  const amount = showScalar(part['value'] ?? part['amount']);
  return amount === undefined ? undefined : `${amount} ${showScalar(part['currency']) ?? ''}`;
}

function showScalar(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

const ROOT_NAMES = ['rss', 'feed', 'rdf'];
const ITEM_NAMES = ['item', 'entry'];

/**
 * Reads the `item`s of RSS and the `entry`s of Atom. Malformed XML within an item excludes that item; outside of an item
 * it rejects the file.
 */
async function* readXml(file: OpenedFile): Items {
  const check = new FormatCheck(file, REQUIRED_ATTRIBUTES);
  const format = {
    expectedRoot: 'an RSS or Atom feed, <rss> or <feed>',
    isRoot: ({ name }: XmlElement) => ROOT_NAMES.includes(attributeName(name)),
    isItem: ({ name }: XmlElement) => ITEM_NAMES.includes(attributeName(name)),
    repair: createXmlRepair(),
  };
  for await (const items of readXmlItems(file, format)) yield items.map(readItem);
  check.finish();

  function readItem({ element: { children }, line, error }: XmlItem): GoogleItem | Excluded {
    // `g:id`, the id of the product, comes before the `id` of Atom, which is a URL.
    const prefixed = children.filter(({ name }) => name.includes(':')).toReversed();
    const inOrder = [...prefixed, ...children.filter(({ name }) => !name.includes(':'))];
    const values = groupValues(inOrder.map((child) => [attributeName(child.name), readElement(child)]));
    check.take(
      (key) => error === undefined && values.has(key),
      () => error ?? showValues(values),
    );
    const location = locationIn(file, line);
    if (error === undefined) return new GoogleItem(location, values);
    const [id] = values.get('id') ?? [];
    const record = typeof id === 'string' ? id.trim() : undefined;
    const facts = { expected: 'a well-formed item', found: error };
    return { notice: noticeAt({ ...location, record }, { code: 'malformed-record', ...facts }) };
  }
}

/** A text, the parts of a structured attribute, or the target of a link of Atom. */
function readElement({ text, children, attributes }: XmlElement): Value {
  if (children.length > 0) return new Map(children.map((part) => [attributeName(part.name), part.text]));
  const isMainLink = (attributes.get('rel') ?? 'alternate') === 'alternate';
  return text.trim() === '' && isMainLink ? (attributes.get('href') ?? '') : text;
}

const BARE_AMPERSAND = /&(?!#?\w{1,40};)/g;
const UNFINISHED_REFERENCE = /&#?\w{0,40}$/;

/** Repairs an `&` that starts no reference, as in a link. */
function createXmlRepair(): (text: string) => string {
  let pending = '';
  return (chunk) => {
    const text = pending + chunk;
    // A reference may continue in the next chunk.
    pending = UNFINISHED_REFERENCE.exec(text.slice(-42))?.[0] ?? '';
    return text.slice(0, text.length - pending.length).replaceAll(BARE_AMPERSAND, '&amp;');
  };
}
