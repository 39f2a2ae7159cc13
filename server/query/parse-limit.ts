import { MAX_DEALS_PER_PRODUCT } from '../../data/query/limit.ts';
import { unknownWord } from './parse-words.ts';
import type { QueryIssue } from './query-issue.ts';

export interface Limits {
  /** Products per page. */
  readonly products?: number;
  /** Deals per product. */
  readonly deals?: number;
}

const EXPECTED = 'a whole number, deals(<n>), or both separated by a comma';

/** Reads `limit=`: products per page and, as `deals(n)`, deals per product (spec §4.5, D15). Never clamps. */
export function parseLimit(text: string, maxProducts: number, issues: QueryIssue[]): Limits {
  let products: number | undefined;
  let deals: number | undefined;
  for (const item of text.split(',')) {
    const trimmed = item.trim();
    const opener = trimmed.indexOf('(');
    if (opener === -1) {
      if (products !== undefined) return refuse(text, issues);
      products = parseCount(trimmed, maxProducts, 'products per page', issues) ?? 0;
    } else if (opener === 0 || !trimmed.endsWith(')')) {
      return refuse(text, issues);
    } else if (trimmed.slice(0, opener) === 'deals') {
      if (deals !== undefined) return refuse(text, issues);
      const count = trimmed.slice(opener + 1, -1).trim();
      deals = parseCount(count, MAX_DEALS_PER_PRODUCT, 'deals per product', issues) ?? 0;
    } else {
      issues.push(unknownWord('limit', trimmed.slice(0, opener), ['deals'], 'a number or deals(<n>)', issues.length));
    }
  }
  return { ...(products === undefined ? {} : { products }), ...(deals === undefined ? {} : { deals }) };
}

function refuse(text: string, issues: QueryIssue[]): Limits {
  issues.push({ code: 'malformed-value', parameter: 'limit', expected: EXPECTED, value: text });
  return {};
}

function parseCount(text: string, max: number, what: string, issues: QueryIssue[]): number | undefined {
  if (!/^-?[0-9]+$/.test(text)) {
    refuse(text, issues);
    return undefined;
  }
  const count = Number(text);
  if (count >= 1 && count <= max) return count;
  issues.push({ code: 'out-of-range', parameter: 'limit', expected: `1 to ${max} ${what}`, value: text });
  return undefined;
}
