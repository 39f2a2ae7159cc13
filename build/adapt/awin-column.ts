import type { OpenedFile } from '../source/open-file.ts';
import { quote } from '../source/quote.ts';
import { SourceError } from '../source/source-error.ts';

/** The columns of an Awin download that are read, as Awin writes them today. There are some hundred others. */
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

/** Of each line one column must be there: without it no row of the short shape could become a deal. */
const REQUIRED_GENERIC_COLUMNS: readonly (readonly AwinColumn[])[] = [
  ['merchant_product_id'],
  ['merchant_id'],
  ['product_name'],
  ['aw_deep_link', 'merchant_deep_link'],
];

/** As much for the shape with telecom columns. */
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

/** Whether the header is of the shape with telecom columns; the short one has none of them. */
export function hasTelecomColumns(columns: ReadonlyMap<AwinColumn, number>): boolean {
  return [...columns.keys()].some(isTelecomColumn);
}

/**
 * The position of every column that is read. Names are compared without case, and `:`, `_` and `%3A` are one, since
 * all three spellings are in use; of two columns that then have one name the first is read.
 *
 * @throws {SourceError} `missing-column` naming all that are missing.
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
  throw new SourceError({
    code: 'missing-column',
    source: file.source,
    file: file.path,
    line,
    message: `${file.path}:${line}: expected the columns ${expected}, got ${quote(names.join(','))}; tick them in the download of the feed`,
  });
}

function headerKey(name: string): string {
  return name.toLowerCase().replaceAll('%3a', '_').replaceAll(':', '_');
}
