import { hash } from 'node:crypto';
import type { Sort } from '../../data/query/vocabulary.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { GROUPS, type Filter, type ProductsQuery, type Projection, type Query } from './query.ts';

/**
 * A query as text: the same for every spelling of one query, another for every other query. All words come from tables or
 * consist of digits, letters and `._~-`, so none can be mistaken for a separator.
 */
export interface CanonicalQuery {
  readonly cacheKey: string;
  /** The part that a cursor belongs to: all but the numbers of `limit`, which may change from page to page (D15). */
  readonly cursorScope: string;
}

/** Rows are written as ids, so the text means the same in another snapshot. */
export function canonicalQuery(query: Query, index: CatalogueIndex): CanonicalQuery {
  const cursorScope = writeCursorScope(query, index);
  return query.kind === 'products'
    ? { cacheKey: cursorScope + describeLimits(query), cursorScope }
    : { cacheKey: cursorScope, cursorScope };
}

/** SHA-256 as base64url of the parts, each with its length. */
export function digest(...parts: readonly string[]): string {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  // In one call: 3x over createHash with an update for each part.
  return hash('sha256', text, 'base64url');
}

function writeCursorScope(query: Query, index: CatalogueIndex): string {
  switch (query.kind) {
    case 'products': {
      let text = 'products';
      for (const describe of PRODUCTS_PARTS) text += describe(query, index);
      return text;
    }
    case 'giftCategories':
      return `giftCategories${describeProjection(query.projection)}${query.hasGifts ? ' gifts' : ''}`;
    case 'gifts':
      return `gifts${describeProjection(query.projection)}`;
    case 'networks':
    case 'retailers':
    case 'manufacturers':
      return query.kind;
  }
}

type ScopeProperty = Exclude<keyof ProductsQuery, 'kind' | 'pageLimit' | 'cursor'>;

/** One line for each property of a query for products; the compiler requires a line for a new one. */
const PRODUCTS_PARTS: readonly ((query: ProductsQuery, index: CatalogueIndex) => string)[] = Object.values({
  id: ({ id }) => (id === undefined ? '' : `/${id}`),
  projection: ({ projection }) => describeProjection(projection),
  hasCheapestDeal: ({ hasCheapestDeal }) => (hasCheapestDeal ? ' cheapestDeal' : ''),
  hasPriceHistory: ({ hasPriceHistory }) => (hasPriceHistory ? ' priceHistory' : ''),
  isGrouped: ({ isGrouped }) => (isGrouped ? ' grouped' : ''),
  deals: ({ deals }) => (deals === undefined ? '' : ` deals(${describeSort(deals.sort)})`),
  productSort: ({ productSort }) => (productSort === undefined ? '' : ` sort(${describeSort(productSort)})`),
  filters: ({ filters }, index) => describeFilters(filters, index),
} satisfies Record<ScopeProperty, (query: ProductsQuery, index: CatalogueIndex) => string>);

function describeLimits({ pageLimit, deals }: ProductsQuery): string {
  return deals?.perProduct === undefined ? ` limit=${pageLimit}` : ` limit=${pageLimit},deals(${deals.perProduct})`;
}

function describeProjection(projection: Projection): string {
  const { attributes } = projection;
  let text = attributes === undefined ? '' : ` attributes(${attributes.join(',')})`;
  for (const group of GROUPS) {
    const selection = projection[group];
    // No attribute is called "whole".
    if (selection !== undefined) text += ` ${group}(${selection === 'whole' ? selection : selection.join(',')})`;
  }
  return text;
}

function describeSort({ key, direction }: Sort<string>): string {
  return `${key}-${direction}`;
}

function describeFilters(filters: readonly Filter[], index: CatalogueIndex): string {
  let text = '';
  for (const filter of filters) text += ` ${filter.name}=${filter.operator}{${nameValues(filter, index).join(',')}}`;
  return text;
}

function nameValues(filter: Filter, index: CatalogueIndex): readonly (string | number | undefined)[] {
  if ('quantities' in filter) return filter.quantities;
  if ('texts' in filter) return filter.texts;
  if ('words' in filter) return filter.words;
  const records = filter.name === 'networks' ? index.networks : index.retailers;
  return filter.rows.map((row) => records[row]?.id);
}
