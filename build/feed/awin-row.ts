import { cleanText } from '../source/clean-text.ts';
import { createSourceError } from '../source/errors.ts';
import { tryParseJson, valueAt } from '../source/json.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { quote } from '../source/quote.ts';
import { findImageUrl, isGtin } from './values.ts';

/** A row of an Awin download: cells by name, texts repaired, JSON parsed on demand. */
export class AwinRow {
  /** The first malformed JSON cell. */
  brokenJson: { readonly column: AwinColumn; readonly found: string } | undefined;
  readonly #parsed = new Map<AwinColumn, unknown>();
  readonly #cells: readonly string[];
  readonly #positions: ReadonlyMap<AwinColumn, number>;

  constructor(cells: readonly string[], positions: ReadonlyMap<AwinColumn, number>) {
    this.#cells = cells;
    this.#positions = positions;
  }

  /** The text of a cell; undefined when it is blank or `null`, or the download has no such column. */
  text(column: AwinColumn): string | undefined {
    return cleanText(this.#cell(column));
  }

  /** The value of a JSON cell; undefined when the cell is blank or malformed. */
  json(column: AwinColumn): unknown {
    if (!this.#parsed.has(column)) this.#parsed.set(column, this.#parse(column));
    return this.#parsed.get(column);
  }

  #parse(column: AwinColumn): unknown {
    const text = this.#cell(column).trim();
    if (text === '') return undefined;
    const value = tryParseJson(text);
    if (value === undefined) this.brokenJson ??= { column, found: text };
    return value;
  }

  #cell(column: AwinColumn): string {
    const position = this.#positions.get(column);
    return position === undefined ? '' : (this.#cells[position] ?? '');
  }
}

/** The text or number at `path` in a JSON value; undefined when it is blank or absent. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const inner = valueAt(value, ...path);
  return typeof inner === 'string' || typeof inner === 'number' ? cleanText(String(inner)) : undefined;
}

const GTIN_COLUMNS = ['product_GTIN', 'ean', 'upc'] as const satisfies readonly AwinColumn[];
const IMAGE_COLUMNS = ['merchant_image_url', 'large_image', 'aw_image_url'] as const satisfies readonly AwinColumn[];

/** The `currency` column, else the prefix of the price (`GBP129.99`). A feed without either is not checked. */
export function findCurrency(row: AwinRow): string | undefined {
  return row.text('currency')?.toUpperCase() ?? /^[A-Z]{3}/.exec(row.text('display_price') ?? '')?.[0];
}

/** The first valid GTIN: a spreadsheet may have rounded it. */
export function readGtin(row: AwinRow): string | undefined {
  return GTIN_COLUMNS.map((column) => row.text(column)).find((text) => text !== undefined && isGtin(text));
}

export function readImageUrl(row: AwinRow): string | undefined {
  return findImageUrl(IMAGE_COLUMNS.map((column) => row.text(column)));
}

/** The columns that are read, of some 150 in an Awin download. */
const AWIN_COLUMNS = [
  'aw_deep_link',
  'aw_image_url',
  'colour',
  'condition',
  'currency',
  'description',
  'display_price',
  'ean',
  'in_stock',
  'is_for_sale',
  'large_image',
  'merchant_category',
  'merchant_deep_link',
  'merchant_id',
  'merchant_image_url',
  'merchant_name',
  'merchant_product_id',
  'product_GTIN',
  'product_name',
  'product_type',
  'search_price',
  'stock_status',
  'upc',
  'valid_from',
  'valid_to',
  'Telcos:contract_type',
  'Telcos:deal_cashback_json',
  'Telcos:deal_cost_json',
  'Telcos:deal_extras_json',
  'Telcos:deal_retailer_json',
  'Telcos:device_features_json',
  'Telcos:device_full_name',
  'Telcos:device_product_edition_json',
  'Telcos:device_product_json',
  'Telcos:device_product_version_json',
  'Telcos:gift',
  'Telcos:inc_data',
  'Telcos:inc_minutes',
  'Telcos:inc_texts',
  'Telcos:initial_cost',
  'Telcos:month_cost',
  'Telcos:network',
  'Telcos:network_details_json',
  'Telcos:storage_size',
  'Telcos:tariff',
  'Telcos:tariff_allowances_json',
  'Telcos:tariff_details_json',
  'Telcos:term',
] as const;

export type AwinColumn = (typeof AWIN_COLUMNS)[number];

/** The short shape needs one column of each line: without it no row could become a deal. */
const REQUIRED_GENERIC_COLUMNS: readonly (readonly AwinColumn[])[] = [
  ['merchant_product_id'],
  ['merchant_id'],
  ['product_name'],
  ['aw_deep_link', 'merchant_deep_link'],
];

/** The same for the shape with telecom columns. */
const REQUIRED_TELECOM_COLUMNS: readonly (readonly AwinColumn[])[] = [
  ['merchant_product_id'],
  ['merchant_id', 'merchant_name', 'Telcos:deal_retailer_json'],
  ['aw_deep_link', 'merchant_deep_link'],
  ['Telcos:device_full_name', 'Telcos:device_product_json'],
  ['Telcos:network', 'Telcos:network_details_json'],
  ['Telcos:tariff', 'Telcos:tariff_details_json'],
  ['Telcos:term', 'Telcos:deal_cost_json'],
  ['Telcos:initial_cost', 'Telcos:deal_cost_json'],
  ['Telcos:month_cost', 'Telcos:deal_cost_json'],
];

const COLUMN_OF_KEY: ReadonlyMap<string, AwinColumn> = new Map(
  AWIN_COLUMNS.map((column) => [headerKey(column), column]),
);

export function isTelecomColumn(column: AwinColumn): boolean {
  return column.startsWith('Telcos:');
}

/** Whether the header has telecom columns; the short shape has none. */
export function hasTelecomColumns(columns: ReadonlyMap<AwinColumn, number>): boolean {
  return [...columns.keys()].some(isTelecomColumn);
}

/**
 * The position of every column that is read. Names are compared without case; `:`, `_` and `%3A` are the same, since all
 * three are in use. Of two columns with the same name the first is read.
 *
 * @throws {SourceError} `missing-column` with all that are missing.
 */
export function findAwinColumns(
  file: OpenedFile,
  names: readonly string[],
  line: number,
): ReadonlyMap<AwinColumn, number> {
  const positions = new Map<AwinColumn, number>();
  for (const [position, name] of names.entries()) {
    const column = COLUMN_OF_KEY.get(headerKey(name));
    if (column !== undefined && !positions.has(column)) positions.set(column, position);
  }
  const required = hasTelecomColumns(positions) ? REQUIRED_TELECOM_COLUMNS : REQUIRED_GENERIC_COLUMNS;
  const missing = required.filter((columns) => !columns.some((column) => positions.has(column)));
  if (missing.length === 0) return positions;
  const expected = missing.map((columns) => columns.join(' or ')).join(', ');
  const sentence = `expected the columns ${expected}, got ${quote(names.join(','))}; tick them in the download of the feed`;
  throw createSourceError('missing-column', file, line, sentence);
}

function headerKey(name: string): string {
  return name.toLowerCase().replaceAll('%3a', '_').replaceAll(':', '_');
}
