import { cleanText } from '../source/clean-text.ts';
import { tryParseJson, valueAt } from '../source/json.ts';
import { isGtin, isPicture } from './kinds.ts';
import type { RawField } from './raw-deal.ts';
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
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
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
