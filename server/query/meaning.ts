import { createHash } from 'node:crypto';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { Filter } from './filter.ts';
import type { ProductsQuery, Query } from './query.ts';

/**
 * The meaning of a query as one text, the same however the query was spelled. Rows are written as ids, so the text
 * means the same in another snapshot.
 */
export function describeMeaning(query: Query, index: CatalogueIndex): string {
  if (query.kind !== 'products') return JSON.stringify(query);
  const { cursor: _cursor, filters, ...rest } = query;
  return JSON.stringify({ ...rest, filters: filters.map((filter) => nameRows(filter, index)) });
}

/**
 * The part of the meaning that a cursor is bound to: everything except how many products and deals are wanted, which
 * may change from page to page (D15).
 */
export function describeWalk(query: ProductsQuery, index: CatalogueIndex): string {
  const { deals, pageLimit: _pageLimit, ...rest } = query;
  return describeMeaning(
    { ...rest, pageLimit: 0, ...(deals === undefined ? {} : { deals: { sort: deals.sort } }) },
    index,
  );
}

/** SHA-256 as base64url. */
export function digest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest('base64url');
}

function nameRows(filter: Filter, index: CatalogueIndex): unknown {
  switch (filter.name) {
    case 'networks':
      return { ...filter, rows: filter.rows.map((row) => index.networks[row]?.id) };
    case 'retailers':
      return { ...filter, rows: filter.rows.map((row) => index.retailers[row]?.id) };
    case 'manufacturers':
      return { ...filter, rows: filter.rows.map((row) => index.manufacturers[row]?.slug) };
    case 'upfrontCost':
    case 'monthlyCost':
    case 'totalCost':
    case 'contractLength':
    case 'dataAllowance':
      // JSON has no Infinity.
      return { ...filter, quantities: filter.quantities.map(String) };
    case 'condition':
    case 'offers':
    case 'id':
    case 'slug':
      return filter;
  }
}
