import { formatPence, parsePence } from '../../data/record/amount.ts';
import { cleanText } from '../source/clean-text.ts';
import { tryParseJson, valueAt } from '../source/json.ts';
import { isGtin, isPicture } from './kinds.ts';
import type { RawField, RawFields } from './parse-deal.ts';
import type { ColumnTable } from './read-record.ts';

/** Where each column of a download is, by its key. */
export type AwinColumns = ReadonlyMap<string, number>;

interface Place {
  readonly column: string;
  readonly key: string;
  /** The keys within the JSON of a cell. */
  readonly path: readonly string[];
}

const PLACES = new Map<string, Place>();

/** `Telcos:deal_cost_json.tco_inc_vat` is a key of a JSON cell. */
function placeOf(name: string): Place {
  let place = PLACES.get(name);
  if (place === undefined) {
    const [column = '', ...path] = name.split('.');
    place = { column, key: columnKey(column), path };
    PLACES.set(name, place);
  }
  return place;
}

/** Names are compared without case; `:`, `_` and `%3A` are the same, since all three are in use. */
function columnKey(name: string): string {
  return name.toLowerCase().replaceAll('%3a', '_').replaceAll(':', '_');
}

/** A row of an Awin download: cells by name, texts repaired, JSON parsed on demand. */
export class AwinRow {
  /** The first malformed JSON cell. */
  brokenJson: { readonly column: string; readonly found: string } | undefined;
  readonly #parsed = new Map<string, unknown>();
  readonly #cells: readonly string[];
  readonly #columns: AwinColumns;

  constructor(cells: readonly string[], columns: AwinColumns) {
    this.#cells = cells;
    this.#columns = columns;
  }

  /** The text of a cell, or of a key of a JSON cell; undefined when it is blank or `null`, or there is none. */
  readonly text = (name: string): string | undefined => {
    const { key, path } = placeOf(name);
    return path.length === 0 ? cleanText(this.#cell(key)) : textAt(this.json(name), ...path);
  };

  /** The value of a JSON cell; undefined when the cell is blank or malformed. */
  json(name: string): unknown {
    const { column, key } = placeOf(name);
    if (this.#parsed.has(key)) return this.#parsed.get(key);
    const text = this.#cell(key).trim();
    const value = text === '' ? undefined : tryParseJson(text);
    if (text !== '' && value === undefined) this.brokenJson ??= { column, found: text };
    this.#parsed.set(key, value);
    return value;
  }

  /** Each text once, without absent ones and `0`, which means none. */
  list(...columns: readonly string[]): readonly string[] {
    return [...new Set(columns.flatMap((column) => this.text(column) ?? []).filter((text) => text !== '0'))];
  }

  #cell(key: string): string {
    return this.#cells[this.#columns.get(key) ?? -1] ?? '';
  }
}

/** The text or number at `path` in a JSON value; undefined when it is blank or absent. */
function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const inner = valueAt(value, ...path);
  return typeof inner === 'string' || typeof inner === 'number' ? cleanText(String(inner)) : undefined;
}

/** The position of every column, in any order. Of two columns with the same name the first is read. */
export function findAwinColumns(names: readonly string[]): AwinColumns {
  return new Map(names.map((name, position) => [columnKey(name), position] as const).toReversed());
}

export function hasColumn(columns: AwinColumns, name: string): boolean {
  return columns.has(columnKey(name));
}

/** Awin writes zeros for never. */
const NEVER = { '0000-00-00': '', '0000-00-00 00:00:00': '' };

/** The columns that rows of both shapes have. */
export const SHARED_COLUMNS = {
  dealId: 'merchant_product_id',
  // A spreadsheet may have rounded one.
  gtin: { column: 'product_GTIN', read: ({ text }) => ['product_GTIN', 'ean', 'upc'].map(text).find(isGtin) },
  dealLink: { column: ['aw_deep_link', 'merchant_deep_link'] },
  productImage: {
    read: ({ text }) => ['merchant_image_url', 'large_image', 'aw_image_url'].map(text).find(isPicture),
  },
  validFrom: { column: 'valid_from', values: NEVER },
  validTo: { column: 'valid_to', values: NEVER },
  inStock: { read: readStock },
} as const satisfies ColumnTable<AwinRow>;

const OUT_OF_STOCK = /^(?:0|n|no|false|out[ _-]?of[ _-]?stock|sold[ _-]?out|unavailable)$/i;

function readStock(row: AwinRow): RawField | undefined {
  for (const place of ['in_stock', 'is_for_sale', 'stock_status']) {
    const found = row.text(place);
    if (found !== undefined && OUT_OF_STOCK.test(found)) return { text: 'false', found, place };
  }
  return undefined;
}

export const CASHBACK = 'Telcos:deal_cashback_json';
export const EXTRAS = 'Telcos:deal_extras_json';

const AMOUNT_KEY = /value|amount/i;
const TYPE_KEY = /type/i;
const NAME_KEY = /name|title/i;
const DESCRIPTION_KEY = /description/i;

/** Deeper than any list of extras. The shape is not documented, so it needs a limit. */
const MAX_DEPTH = 4;

const NO_GIFT = /^(?:0|no|none|n\/?a|-)$/i;

/**
 * The cashback of a deal. The shape of the cell is not documented: an object with an amount and a type, a list of such
 * objects, or a text with both.
 */
export function readAwinCashback(row: AwinRow): Pick<RawFields, 'cashbackType' | 'cashbackValue'> {
  const cell = row.text(CASHBACK) ?? '';
  for (const texts of listEntries(row, CASHBACK)) {
    const given = findText(texts, TYPE_KEY);
    const type = cashbackTypeOf(given ?? [...texts.values()].join(' ')) ?? given;
    const amount = findText(texts, AMOUNT_KEY) ?? /£ ?([0-9]{1,5}(?:\.[0-9]{2})?)/.exec(texts.get('') ?? '')?.[1];
    const pence = amount === undefined ? undefined : parsePence(amount.replace(/^(?:£|GBP) ?/, ''));
    if (pence === 0 || (type ?? pence) === undefined) continue;
    const fieldOf = (text: string): RawField => ({ text, found: cell });
    return {
      ...(type !== undefined && { cashbackType: fieldOf(type) }),
      ...(pence !== undefined && { cashbackValue: fieldOf(formatPence(pence)) }),
    };
  }
  return {};
}

/** The usual names of the two types; undefined when the text is neither. */
function cashbackTypeOf(text: string): string | undefined {
  if (/redempt|redeem|claim/i.test(text)) return 'Cashback by redemption';
  return /\bauto(?:matic)?/i.test(text) ? 'Automatic Cashback' : undefined;
}

/** The gift of a deal: its own column, else the names of the deal's extras. */
export function readAwinGift(row: AwinRow): string | undefined {
  const gift = row.text('Telcos:gift');
  if (gift !== undefined && !NO_GIFT.test(gift)) return gift;
  const names = listEntries(row, EXTRAS).flatMap(
    (texts) => findText(texts, NAME_KEY) ?? findText(texts, DESCRIPTION_KEY) ?? texts.get('') ?? [],
  );
  return names.filter((name) => !NO_GIFT.test(name)).join(' + ') || undefined;
}

/** The texts of an object by key; a text alone has an empty key. */
type Entry = ReadonlyMap<string, string>;

/** The texts of every object in a JSON cell; a cell of plain text is one entry. */
function listEntries(row: AwinRow, column: string): readonly Entry[] {
  const text = row.text(column);
  if (text === undefined) return [];
  return /^[[{"]/.test(text) ? entriesIn(row.json(column), MAX_DEPTH) : [new Map([['', text]])];
}

function entriesIn(value: unknown, depth: number): readonly Entry[] {
  if (depth === 0 || value === null || value === undefined) return [];
  if (typeof value !== 'object') {
    const text = textAt(value);
    return text === undefined ? [] : [new Map([['', text]])];
  }
  if (Array.isArray(value)) return value.flatMap((child) => entriesIn(child, depth - 1));
  const texts = Object.keys(value).flatMap((key): [string, string][] => {
    const text = textAt(value, key);
    return text === undefined ? [] : [[key, text]];
  });
  const inner = Object.values(value).filter((child) => typeof child === 'object');
  return [...(texts.length > 0 ? [new Map(texts)] : []), ...inner.flatMap((child) => entriesIn(child, depth - 1))];
}

function findText(texts: Entry, key: RegExp): string | undefined {
  return [...texts].find(([name]) => key.test(name))?.[1];
}
