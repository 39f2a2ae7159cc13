declare const rowOf: unique symbol;

/** Position of a record in its table: 0 … rowCount − 1. Meaningless outside the snapshot it came from. */
export type Row<Table extends string> = number & { readonly [rowOf]: Table };

export type ProductRow = Row<'product'>;
export type DealRow = Row<'deal'>;
export type NetworkRow = Row<'network'>;
export type RetailerRow = Row<'retailer'>;
export type ManufacturerRow = Row<'manufacturer'>;

/** Brands a position; the caller knows it lies in the table. */
export function rowAt<Table extends string>(position: number): Row<Table> {
  return position as Row<Table>;
}
