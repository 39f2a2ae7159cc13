import type { AwinColumn } from './awin-column.ts';
import type { AwinRow } from './awin-row.ts';
import { isGtin } from './gtin.ts';
import { findPicture } from './picture-url.ts';

const GTIN_COLUMNS = ['product_GTIN', 'ean', 'upc'] as const satisfies readonly AwinColumn[];
const PICTURE_COLUMNS = ['merchant_image_url', 'large_image', 'aw_image_url'] as const satisfies readonly AwinColumn[];

/** The column, else the code that is glued to the price (`GBP129.99`). A feed that has neither is taken at its word. */
export function findCurrency(row: AwinRow): string | undefined {
  return row.text('currency')?.toUpperCase() ?? /^[A-Z]{3}/.exec(row.text('display_price') ?? '')?.[0];
}

/** The first GTIN that is one: a number that a spreadsheet has rounded is none. */
export function readGtin(row: AwinRow): string | undefined {
  return GTIN_COLUMNS.map((column) => row.text(column)).find((text) => text !== undefined && isGtin(text));
}

export function readPicture(row: AwinRow): string | undefined {
  return findPicture(PICTURE_COLUMNS.map((column) => row.text(column)));
}
