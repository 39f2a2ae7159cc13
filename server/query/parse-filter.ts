import { CONDITIONS } from '../../data/record/condition.ts';
import { parsePence } from '../../data/record/money.ts';
import { UNLIMITED_MARKER } from '../../data/record/allowance.ts';
import { findNearestWord } from '../../data/query/nearest-word.ts';
import {
  FILTER_OPERATORS,
  FILTERS,
  OFFERS,
  SET_OPERATORS,
  type FilterKind,
  type FilterOperator,
} from '../../data/query/filter.ts';
import type { CatalogueIndex, Directory } from '../../data/snapshot/catalogue-index.ts';
import type { Filter, SetOperator } from './filter.ts';
import { unknownWord } from './parse-words.ts';
import type { QueryIssue } from './query-issue.ts';

const MAX_MONTHS = 999;

/** Which operators a kind of value takes: quantities all six, sets `eq` and `ne` (D13). */
export const OPERATORS_OF_KIND = {
  money: FILTER_OPERATORS,
  months: FILTER_OPERATORS,
  gigabytes: FILTER_OPERATORS,
  condition: SET_OPERATORS,
  network: SET_OPERATORS,
  offer: SET_OPERATORS,
  retailer: SET_OPERATORS,
  manufacturer: SET_OPERATORS,
  id: SET_OPERATORS,
  slug: SET_OPERATORS,
} as const satisfies Record<FilterKind, readonly FilterOperator[]>;

const EXAMPLES = {
  money: 'eq{0} or lte{29.99}',
  months: 'eq{24} or lte{12}',
  gigabytes: 'gte{10} or eq{unlimited}',
  condition: 'eq{new} or eq{refurbished}',
  network: 'eq{<network slug or id>}',
  offer: 'eq{cashback} or eq{gift}',
  retailer: 'eq{<retailer slug or id>}',
  manufacturer: 'eq{<manufacturer slug>}',
  id: 'eq{<product id>}',
  slug: 'eq{<product slug>}',
} as const satisfies Record<FilterKind, string>;

const FILTER_PARAMETERS: readonly string[] = FILTERS.map(({ name }) => `filter[${name}]`);

/** Whether a parameter name is meant as a filter: `filter`, `filter[…]`. */
export function isFilterParameter(name: string): boolean {
  return name === 'filter' || name.startsWith('filter[');
}

/**
 * Reads one `filter[<name>]=<operator>{<value>,…}` against the words that the snapshot knows (spec §4.3, D13).
 * Undefined when it has faults; each bad value is an issue of its own.
 */
export function parseFilter(
  parameter: string,
  text: string,
  index: CatalogueIndex,
  issues: QueryIssue[],
): Filter | undefined {
  const row = FILTERS.find(({ name }) => parameter === `filter[${name}]`);
  if (row === undefined) {
    const suggestion = findNearestWord(parameter, FILTER_PARAMETERS);
    issues.push({
      code: 'unknown-parameter',
      parameter,
      expected: 'one of the filters',
      value: parameter,
      allowed: FILTER_PARAMETERS,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
    return undefined;
  }
  const opened = openOperator(parameter, text, row.kind, issues);
  if (opened === undefined) return undefined;
  const { operator, values } = opened;
  const before = issues.length;
  const filter = parseValues(row, operator, values, parameter, index, issues);
  if (issues.length > before) return undefined;
  if ('quantities' in filter && operator !== 'eq' && operator !== 'ne' && filter.quantities.length > 1) {
    issues.push({ code: 'malformed-value', parameter, expected: `exactly one value for ${operator}`, value: text });
    return undefined;
  }
  return filter;
}

function openOperator(
  parameter: string,
  text: string,
  kind: FilterKind,
  issues: QueryIssue[],
): { readonly operator: FilterOperator; readonly values: readonly string[] } | undefined {
  const trimmed = text.trim();
  const opener = trimmed.indexOf('{');
  const inner = trimmed.slice(opener + 1, -1);
  if (opener < 1 || !trimmed.endsWith('}') || inner.includes('{') || inner.includes('}')) {
    issues.push({ code: 'malformed-value', parameter, expected: EXAMPLES[kind], value: text });
    return undefined;
  }
  const word = trimmed.slice(0, opener);
  const allowed: readonly FilterOperator[] = OPERATORS_OF_KIND[kind];
  const operator = allowed.find((candidate) => candidate === word);
  const values = inner.split(',').map((value) => value.trim());
  if (values.includes('')) {
    issues.push({
      code: 'malformed-value',
      parameter,
      expected: `${EXAMPLES[kind]}, without an empty value`,
      value: text,
    });
  }
  if (operator === undefined) {
    issues.push(unknownWord(parameter, word, allowed, `one of the operators ${allowed.join(', ')}`));
    return undefined;
  }
  return values.includes('') ? undefined : { operator, values };
}

function parseValues(
  row: (typeof FILTERS)[number],
  operator: FilterOperator,
  values: readonly string[],
  parameter: string,
  index: CatalogueIndex,
  issues: QueryIssue[],
): Filter {
  // Kinds other than quantities were refused every operator but eq and ne.
  const setOperator = operator as SetOperator;
  const collect = <Value>(parse: (value: string) => Value | QueryIssue): readonly Value[] => {
    const parsed: Value[] = [];
    for (const value of new Set(values)) {
      const result = parse(value);
      if (isIssue(result)) issues.push(result);
      else if (!parsed.includes(result)) parsed.push(result);
    }
    return parsed;
  };
  const malformed =
    (expected: string) =>
    (value: string): QueryIssue => ({ code: 'malformed-value', parameter, expected, value });
  const oneOf = <Word extends string>(words: readonly Word[]) =>
    collect(
      (value) =>
        words.find((word) => word === value) ??
        unknownWord(parameter, value, words, `one of ${words.join(', ')}`, issues.length),
    ).toSorted();
  const oneIn = <Found extends number>(directory: Directory<Found>, what: string) =>
    collect(
      (value) =>
        directory.find(value) ??
        unknownWord(parameter, value, directory.slugs, `a ${what} of this catalogue`, issues.length),
    ).toSorted(byNumber);

  switch (row.name) {
    case 'upfrontCost':
    case 'monthlyCost':
    case 'totalCost':
      return {
        name: row.name,
        operator,
        quantities: collect((value) => parseMoney(parameter, value)).toSorted(byNumber),
      };
    case 'contractLength':
      return {
        name: row.name,
        operator,
        quantities: collect((value) => parseMonths(parameter, value)).toSorted(byNumber),
      };
    case 'dataAllowance':
      return {
        name: row.name,
        operator,
        quantities: collect((value) => parseMegabytes(parameter, value)).toSorted(byNumber),
      };
    case 'networks':
      return { name: row.name, operator: setOperator, rows: oneIn(index.networkDirectory, 'network') };
    case 'retailers':
      return { name: row.name, operator: setOperator, rows: oneIn(index.retailerDirectory, 'retailer') };
    case 'manufacturers':
      return { name: row.name, operator: setOperator, rows: oneIn(index.manufacturerDirectory, 'manufacturer') };
    case 'condition':
      return { name: row.name, operator: setOperator, conditions: oneOf(CONDITIONS) };
    case 'offers':
      return { name: row.name, operator: setOperator, offers: oneOf(OFFERS) };
    case 'id':
      return {
        name: row.name,
        operator: setOperator,
        texts: collect((value) =>
          /^[0-9]+$/.test(value) ? value : malformed('a product id, decimal digits')(value),
        ).toSorted(),
      };
    case 'slug':
      return {
        name: row.name,
        operator: setOperator,
        texts: collect((value) =>
          /^[a-z0-9._~-]+$/.test(value) ? value : malformed('a product slug, lower-case and URL-safe')(value),
        ).toSorted(),
      };
  }
}

function parseMoney(parameter: string, text: string): number | QueryIssue {
  const pence = parsePence(text);
  if (pence !== undefined && pence >= 0) return pence;
  const isNumber = /^-?[0-9]+(?:\.[0-9]{1,2})?$/.test(text);
  return isNumber
    ? { code: 'out-of-range', parameter, expected: 'an amount from 0 to 999999999.99', value: text }
    : { code: 'malformed-value', parameter, expected: 'an amount such as 29.99', value: text };
}

function parseMonths(parameter: string, text: string): number | QueryIssue {
  if (!/^-?[0-9]+$/.test(text)) {
    return { code: 'malformed-value', parameter, expected: 'a whole number of months', value: text };
  }
  const months = Number(text);
  if (months >= 0 && months <= MAX_MONTHS) return months;
  return { code: 'out-of-range', parameter, expected: `0 to ${MAX_MONTHS} months`, value: text };
}

/** Gigabytes as megabytes; 999999 and `unlimited` compare above every number (D13). */
function parseMegabytes(parameter: string, text: string): number | QueryIssue {
  if (text === 'unlimited') return Infinity;
  if (!/^-?[0-9]+(?:\.[0-9]{1,3})?$/.test(text)) {
    return /^[a-z-]+$/i.test(text)
      ? unknownWord(parameter, text, ['unlimited'], 'gigabytes or unlimited')
      : { code: 'malformed-value', parameter, expected: 'gigabytes such as 4 or 0.5, or unlimited', value: text };
  }
  const gigabytes = Number(text);
  if (gigabytes < 0 || gigabytes > UNLIMITED_MARKER) {
    return { code: 'out-of-range', parameter, expected: `0 to ${UNLIMITED_MARKER} gigabytes`, value: text };
  }
  return gigabytes === UNLIMITED_MARKER ? Infinity : Math.round(gigabytes * 1000);
}

function isIssue(value: unknown): value is QueryIssue {
  return typeof value === 'object' && value !== null;
}

function byNumber(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
