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

export interface Sorts {
  products?: Sort<ProductSortKey> | undefined;
  deals?: Sort<DealSortKey> | undefined;
}

const EXPECTED_SORT = 'deals(<key>-asc|desc), products(<key>-asc|desc), or both separated by a comma';

/** Reads `sort=`: one key for deals, one for products, or both (spec §4.4, D14). */
export function parseSort(text: string, issues: QueryIssues): Sorts {
  const sorts: Sorts = {};
  const repeated = new Set<string>();
  for (const item of tokenize(text)) {
    if (item === undefined || item.bracket !== '(' || item.name === '' || item.list.length > 1) {
      issues.add('malformed-value', 'sort', EXPECTED_SORT, text);
      return {};
    }
    const { name } = item;
    const [order = ''] = item.list;
    if (name !== 'products' && name !== 'deals') {
      issues.addUnknown('sort', name, ['products', 'deals'], 'products(…) or deals(…)');
    } else if (sorts[name] !== undefined) {
      // One issue is enough: it quotes the whole text.
      if (!repeated.has(name)) issues.add('malformed-value', 'sort', `one key for ${name}`, text);
      repeated.add(name);
    } else if (name === 'products') {
      sorts.products = parseOrder(order, PRODUCT_SORT_KEYS, issues);
    } else {
      sorts.deals = parseOrder(order, DEAL_SORT_KEYS, issues);
    }
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
    return issues.add('malformed-value', 'sort', `a key with its direction, such as ${keys[0]}-asc`, text);
  }
  const key = keys.find((candidate) => candidate === word);
  return key === undefined ? issues.addUnknown('sort', word, keys, `one of ${keys.join(', ')}`) : { key, direction };
}

export interface Limits {
  /** Products per page. */
  products?: number;
  /** Deals per product. */
  deals?: number;
}

const EXPECTED_LIMIT = 'a whole number, deals(<n>), or both separated by a comma';

/** Reads `limit=`: products per page and, as `deals(n)`, deals per product (spec §4.5, D15). Never clamps. */
export function parseLimit(text: string, issues: QueryIssues): Limits {
  const limits: Limits = {};
  for (const item of tokenize(text)) {
    if (item === undefined || item.name === '' || item.bracket === '{' || item.list.length > 1) {
      return addMalformedLimit(text, issues);
    }
    const { name, bracket, list } = item;
    if (bracket === '') {
      if (limits.products !== undefined) return addMalformedLimit(text, issues);
      limits.products = parseCount(name, MAX_PAGE_LIMIT, 'products per page', issues) ?? 0;
    } else if (name === 'deals') {
      if (limits.deals !== undefined) return addMalformedLimit(text, issues);
      limits.deals = parseCount(list[0] ?? '', MAX_DEALS_PER_PRODUCT, 'deals per product', issues) ?? 0;
    } else {
      issues.addUnknown('limit', name, ['deals'], 'a number or deals(<n>)');
    }
  }
  return limits;
}

function addMalformedLimit(text: string, issues: QueryIssues): Limits {
  issues.add('malformed-value', 'limit', EXPECTED_LIMIT, text);
  return {};
}

function parseCount(text: string, max: number, what: string, issues: QueryIssues): number | undefined {
  if (!/^-?[0-9]+$/.test(text)) return issues.add('malformed-value', 'limit', EXPECTED_LIMIT, text);
  const count = Number(text);
  return count >= 1 && count <= max ? count : issues.add('out-of-range', 'limit', `1 to ${max} ${what}`, text);
}
