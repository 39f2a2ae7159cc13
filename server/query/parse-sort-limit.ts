import { MAX_DEALS_PER_PRODUCT, MAX_PAGE_LIMIT } from '../../data/query/parameter.ts';
import {
  DEAL_SORT_KEYS,
  PRODUCT_SORT_KEYS,
  SORT_DIRECTIONS,
  type DealSortKey,
  type ProductSortKey,
  type Sort,
} from '../../data/query/vocabulary.ts';
import type { QueryIssues } from './query-issue.ts';
import { tokenize } from './tokenize.ts';

/** Reads `<word>` and `<name>(<word>)`, each name once, into words by name; a bare word has no name. */
function readTerms(
  parameter: string,
  text: string,
  expected: string,
  issues: QueryIssues,
  allowed?: readonly string[],
): ReadonlyMap<string, string> {
  const terms = new Map<string, string>();
  for (const item of tokenize(text)) {
    const { name = '', bracket = '', list = [] } = item ?? {};
    const term = bracket === '' ? '' : name;
    if (name === '' || bracket === '{' || list.length > 1 || terms.has(term)) {
      issues.add('malformed-value', parameter, expected, text, allowed && { allowed });
      return new Map();
    }
    terms.set(term, bracket === '' ? name : (list[0] ?? ''));
  }
  return terms;
}

export interface Sorts {
  products?: Sort<ProductSortKey> | undefined;
  deals?: Sort<DealSortKey> | undefined;
}

const EXPECTED_SORT = 'deals(<key>-asc|desc), products(<key>-asc|desc), or both separated by a comma';

/** Every order, as a client writes it. */
const ORDERS = Object.entries({ products: PRODUCT_SORT_KEYS, deals: DEAL_SORT_KEYS }).flatMap(([name, keys]) =>
  keys.flatMap((key) => SORT_DIRECTIONS.map((direction) => `${name}(${key}-${direction})`)),
);

/** Reads `sort=`: one key for deals, one for products, or both (spec §4.4, D14). */
export function parseSort(text: string, issues: QueryIssues): Sorts {
  const sorts: Sorts = {};
  for (const [name, order] of readTerms('sort', text, EXPECTED_SORT, issues, ORDERS)) {
    if (name === 'products') sorts.products = parseOrder(order, PRODUCT_SORT_KEYS, issues);
    else if (name === 'deals') sorts.deals = parseOrder(order, DEAL_SORT_KEYS, issues);
    else if (name === '') issues.add('malformed-value', 'sort', EXPECTED_SORT, text, { allowed: ORDERS });
    else issues.addUnknown('unknown-value', 'sort', name, ['products', 'deals'], 'products(…) or deals(…)');
  }
  return sorts;
}

function parseOrder<Key extends string>(
  text: string,
  keys: readonly Key[],
  issues: QueryIssues,
): Sort<Key> | undefined {
  const direction = SORT_DIRECTIONS.find((candidate) => text.endsWith(`-${candidate}`));
  const word = direction === undefined ? '' : text.slice(0, -direction.length - 1);
  if (direction === undefined || word === '' || /[{}\s]/.test(word)) {
    const expected = `a key with its direction, such as ${keys[0]}-asc`;
    return issues.add('malformed-value', 'sort', expected, text, { allowed: ORDERS });
  }
  const key = keys.find((candidate) => candidate === word);
  if (key !== undefined) return { key, direction };
  return issues.addUnknown('unknown-value', 'sort', word, keys, `one of ${keys.join(', ')}`);
}

export interface Limits {
  /** Products per page. */
  products?: number | undefined;
  /** Deals per product. */
  deals?: number | undefined;
}

const EXPECTED_LIMIT = 'a whole number, deals(<n>), or both separated by a comma';

/** Reads `limit=`: products per page and, as `deals(n)`, deals per product (spec §4.5, D15). Never clamps. */
export function parseLimit(text: string, issues: QueryIssues): Limits {
  const limits: Limits = {};
  for (const [name, count] of readTerms('limit', text, EXPECTED_LIMIT, issues)) {
    if (name === '') limits.products = parseCount(count, MAX_PAGE_LIMIT, 'products per page', issues);
    else if (name === 'deals') limits.deals = parseCount(count, MAX_DEALS_PER_PRODUCT, 'deals per product', issues);
    else issues.addUnknown('unknown-value', 'limit', name, ['deals'], 'a number or deals(<n>)');
  }
  return limits;
}

function parseCount(text: string, max: number, what: string, issues: QueryIssues): number | undefined {
  if (!/^-?[0-9]+$/.test(text)) return issues.add('malformed-value', 'limit', EXPECTED_LIMIT, text);
  const count = Number(text);
  return count >= 1 && count <= max ? count : issues.add('out-of-range', 'limit', `1 to ${max} ${what}`, text);
}
