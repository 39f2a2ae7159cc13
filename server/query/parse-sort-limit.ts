import { MAX_DEALS_PER_PRODUCT } from '../../data/query/parameter.ts';
import {
  DEAL_SORT_KEYS,
  PRODUCT_SORT_KEYS,
  SORT_DIRECTIONS,
  type DealSortKey,
  type ProductSortKey,
  type Sort,
} from '../../data/query/vocabulary.ts';
import { unknownWord } from './parse-words.ts';
import type { QueryIssue } from './query-issue.ts';

export interface Sorts {
  readonly products?: Sort<ProductSortKey>;
  readonly deals?: Sort<DealSortKey>;
}

const EXPECTED_SORT = 'deals(<key>-asc|desc), products(<key>-asc|desc), or both separated by a comma';

/** Reads `sort=`: one key for deals, one for products, or both (spec §4.4, D14). */
export function parseSort(text: string, issues: QueryIssue[]): Sorts {
  let products: Sort<ProductSortKey> | undefined;
  let deals: Sort<DealSortKey> | undefined;
  const repeated = new Set<string>();
  for (const item of text.split(',')) {
    const trimmed = item.trim();
    const opener = trimmed.indexOf('(');
    if (opener < 1 || !trimmed.endsWith(')')) {
      issues.push({ code: 'malformed-value', parameter: 'sort', expected: EXPECTED_SORT, value: text });
      return {};
    }
    const wrapper = trimmed.slice(0, opener);
    const order = trimmed.slice(opener + 1, -1).trim();
    if ((wrapper === 'products' && products !== undefined) || (wrapper === 'deals' && deals !== undefined)) {
      // One issue is enough: it quotes the whole text.
      if (repeated.has(wrapper)) continue;
      repeated.add(wrapper);
      issues.push({ code: 'malformed-value', parameter: 'sort', expected: `one key for ${wrapper}`, value: text });
    } else if (wrapper === 'products') {
      products = parseOrder(order, PRODUCT_SORT_KEYS, issues) ?? products;
    } else if (wrapper === 'deals') {
      deals = parseOrder(order, DEAL_SORT_KEYS, issues) ?? deals;
    } else {
      issues.push(unknownWord('sort', wrapper, ['products', 'deals'], 'products(…) or deals(…)', issues.length));
    }
  }
  return { ...(products === undefined ? {} : { products }), ...(deals === undefined ? {} : { deals }) };
}

function parseOrder<Key extends string>(
  text: string,
  keys: readonly Key[],
  issues: QueryIssue[],
): Sort<Key> | undefined {
  const direction = SORT_DIRECTIONS.find((candidate) => text.endsWith(`-${candidate}`));
  const word = direction === undefined ? '' : text.slice(0, -direction.length - 1);
  if (direction === undefined || word === '' || /[(){}\s]/.test(word)) {
    issues.push({
      code: 'malformed-value',
      parameter: 'sort',
      expected: `a key with its direction, such as ${keys[0]}-asc`,
      value: text,
    });
    return undefined;
  }
  const key = keys.find((candidate) => candidate === word);
  if (key === undefined) {
    issues.push(unknownWord('sort', word, keys, `one of ${keys.join(', ')}`, issues.length));
    return undefined;
  }
  return { key, direction };
}

export interface Limits {
  /** Products per page. */
  readonly products?: number;
  /** Deals per product. */
  readonly deals?: number;
}

const EXPECTED_LIMIT = 'a whole number, deals(<n>), or both separated by a comma';

/** Reads `limit=`: products per page and, as `deals(n)`, deals per product (spec §4.5, D15). Never clamps. */
export function parseLimit(text: string, maxProducts: number, issues: QueryIssue[]): Limits {
  let products: number | undefined;
  let deals: number | undefined;
  for (const item of text.split(',')) {
    const trimmed = item.trim();
    const opener = trimmed.indexOf('(');
    if (opener === -1) {
      if (products !== undefined) return addMalformedLimit(text, issues);
      products = parseCount(trimmed, maxProducts, 'products per page', issues) ?? 0;
    } else if (opener === 0 || !trimmed.endsWith(')')) {
      return addMalformedLimit(text, issues);
    } else if (trimmed.slice(0, opener) === 'deals') {
      if (deals !== undefined) return addMalformedLimit(text, issues);
      const count = trimmed.slice(opener + 1, -1).trim();
      deals = parseCount(count, MAX_DEALS_PER_PRODUCT, 'deals per product', issues) ?? 0;
    } else {
      issues.push(unknownWord('limit', trimmed.slice(0, opener), ['deals'], 'a number or deals(<n>)', issues.length));
    }
  }
  return { ...(products === undefined ? {} : { products }), ...(deals === undefined ? {} : { deals }) };
}

function addMalformedLimit(text: string, issues: QueryIssue[]): Limits {
  issues.push({ code: 'malformed-value', parameter: 'limit', expected: EXPECTED_LIMIT, value: text });
  return {};
}

function parseCount(text: string, max: number, what: string, issues: QueryIssue[]): number | undefined {
  if (!/^-?[0-9]+$/.test(text)) {
    addMalformedLimit(text, issues);
    return undefined;
  }
  const count = Number(text);
  if (count >= 1 && count <= max) return count;
  issues.push({ code: 'out-of-range', parameter: 'limit', expected: `1 to ${max} ${what}`, value: text });
  return undefined;
}
