import {
  DEAL_SORT_KEYS,
  PRODUCT_SORT_KEYS,
  SORT_DIRECTIONS,
  type DealSortKey,
  type ProductSortKey,
  type Sort,
} from '../../data/query/sort.ts';
import { unknownWord } from './parse-words.ts';
import type { QueryIssue } from './query-issue.ts';

export interface Sorts {
  readonly products?: Sort<ProductSortKey>;
  readonly deals?: Sort<DealSortKey>;
}

const EXPECTED = 'deals(<key>-asc|desc), products(<key>-asc|desc), or both separated by a comma';

/** Reads `sort=`: one key for deals, one for products, or both (spec §4.4, D14). */
export function parseSort(text: string, issues: QueryIssue[]): Sorts {
  let products: Sort<ProductSortKey> | undefined;
  let deals: Sort<DealSortKey> | undefined;
  const repeated = new Set<string>();
  for (const item of text.split(',')) {
    const trimmed = item.trim();
    const opener = trimmed.indexOf('(');
    if (opener < 1 || !trimmed.endsWith(')')) {
      issues.push({ code: 'malformed-value', parameter: 'sort', expected: EXPECTED, value: text });
      return {};
    }
    const wrapper = trimmed.slice(0, opener);
    const order = trimmed.slice(opener + 1, -1).trim();
    if ((wrapper === 'products' && products !== undefined) || (wrapper === 'deals' && deals !== undefined)) {
      // Once, however often: the fault quotes the whole text.
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
