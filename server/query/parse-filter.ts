import { CONDITIONS, type Condition } from '../../data/record/product.ts';
import { parsePence, UNLIMITED_MARKER } from '../../data/record/amount.ts';
import {
  FILTER_OPERATORS,
  FILTERS,
  OFFERS,
  SET_OPERATORS,
  type FilterKind,
  type FilterOperator,
  type Offer,
} from '../../data/query/filter.ts';
import type { CatalogueIndex, SlugLookup } from '../../data/snapshot/catalogue-index.ts';
import type { Filter, SetOperator } from './query.ts';
import { didYouMean, findNearestParameter, type QueryIssue } from './query-issue.ts';
import { unknownWord } from './parse-words.ts';

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

type FilterRow = (typeof FILTERS)[number];

const ROW_OF_PARAMETER: ReadonlyMap<string, FilterRow> = new Map(FILTERS.map((row) => [`filter[${row.name}]`, row]));
/** Every filter as it is spelled in a request. */
export const FILTER_PARAMETERS: readonly string[] = [...ROW_OF_PARAMETER.keys()];

/** Whether a parameter name is that of a filter: `filter`, `filter[…]`. */
export function isFilterParameter(name: string): boolean {
  return name === 'filter' || name.startsWith('filter[');
}

/**
 * Reads one `filter[<name>]=<operator>{<value>,…}` against the words that the snapshot knows (spec §4.3, D13).
 * Undefined when it has errors; each wrong value is an issue.
 */
export function parseFilter(
  parameter: string,
  text: string,
  index: CatalogueIndex,
  issues: QueryIssue[],
): Filter | undefined {
  const row = ROW_OF_PARAMETER.get(parameter);
  if (row === undefined) {
    issues.push({
      code: 'unknown-parameter',
      parameter,
      expected: 'one of the filters',
      value: parameter,
      ...didYouMean(parameter, FILTER_PARAMETERS, issues.length, findNearestParameter),
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
    issues.push(unknownWord(parameter, word, allowed, `one of the operators ${allowed.join(', ')}`, issues.length));
    return undefined;
  }
  return values.includes('') ? undefined : { operator, values };
}

function parseValues(
  row: FilterRow,
  operator: FilterOperator,
  values: readonly string[],
  parameter: string,
  index: CatalogueIndex,
  issues: QueryIssue[],
): Filter {
  // Kinds other than quantities were refused every operator but eq and ne.
  const setOperator = operator as SetOperator;
  switch (row.name) {
    case 'upfrontCost':
    case 'monthlyCost':
    case 'totalCost':
      return { name: row.name, operator, quantities: collectNumbers(parseMoney, values, parameter, issues) };
    case 'contractLength':
      return { name: row.name, operator, quantities: collectNumbers(parseMonths, values, parameter, issues) };
    case 'dataAllowance':
      return { name: row.name, operator, quantities: collectNumbers(parseMegabytes, values, parameter, issues) };
    case 'networks': {
      const parse = findIn(index.networkLookup, 'network');
      return { name: row.name, operator: setOperator, rows: collectNumbers(parse, values, parameter, issues) };
    }
    case 'retailers': {
      const parse = findIn(index.retailerLookup, 'retailer');
      return { name: row.name, operator: setOperator, rows: collectNumbers(parse, values, parameter, issues) };
    }
    case 'manufacturers': {
      const parse = findIn(index.manufacturerLookup, 'manufacturer');
      return { name: row.name, operator: setOperator, rows: collectNumbers(parse, values, parameter, issues) };
    }
    case 'condition':
      return {
        name: row.name,
        operator: setOperator,
        conditions: collect(parseCondition, values, parameter, issues).sort(),
      };
    case 'offers':
      return { name: row.name, operator: setOperator, offers: collect(parseOffer, values, parameter, issues).sort() };
    case 'id':
      return {
        name: row.name,
        operator: setOperator,
        texts: collect(parseProductId, values, parameter, issues).sort(),
      };
    case 'slug':
      return { name: row.name, operator: setOperator, texts: collect(parseSlug, values, parameter, issues).sort() };
  }
}

/** Parses one value of a filter; its issue comes after `faultCount` others. */
type ParseValue<Value> = (value: string, parameter: string, faultCount: number) => Value | QueryIssue;

/** Parses the values, each once; every wrong value is an issue. */
function collect<Value>(
  parse: ParseValue<Value>,
  values: readonly string[],
  parameter: string,
  issues: QueryIssue[],
): Value[] {
  const parsed: Value[] = [];
  // Most filters have one value: nothing to tell apart.
  for (const value of values.length === 1 ? values : new Set(values)) {
    const result = parse(value, parameter, issues.length);
    if (isIssue(result)) issues.push(result);
    else parsed.push(result);
  }
  return parsed.length > 1 ? [...new Set(parsed)] : parsed;
}

/** As `collect`, in ascending order. */
function collectNumbers<Value extends number>(
  parse: ParseValue<Value>,
  values: readonly string[],
  parameter: string,
  issues: QueryIssue[],
): readonly Value[] {
  return collect(parse, values, parameter, issues).sort(byNumber);
}

function findIn<Found>(directory: SlugLookup<Found>, what: string): ParseValue<Found> {
  return (value, parameter, faultCount) =>
    directory.find(value) ?? unknownWord(parameter, value, directory.slugs, `a ${what} of this catalogue`, faultCount);
}

function parseCondition(text: string, parameter: string, faultCount: number): Condition | QueryIssue {
  return (
    CONDITIONS.find((word) => word === text) ??
    unknownWord(parameter, text, CONDITIONS, `one of ${CONDITIONS.join(', ')}`, faultCount)
  );
}

function parseOffer(text: string, parameter: string, faultCount: number): Offer | QueryIssue {
  return (
    OFFERS.find((word) => word === text) ??
    unknownWord(parameter, text, OFFERS, `one of ${OFFERS.join(', ')}`, faultCount)
  );
}

function parseProductId(text: string, parameter: string): string | QueryIssue {
  if (/^[0-9]+$/.test(text)) return text;
  return { code: 'malformed-value', parameter, expected: 'a product id, decimal digits', value: text };
}

function parseSlug(text: string, parameter: string): string | QueryIssue {
  if (/^[a-z0-9._~-]+$/.test(text)) return text;
  return { code: 'malformed-value', parameter, expected: 'a product slug, lower-case and URL-safe', value: text };
}

function parseMoney(text: string, parameter: string): number | QueryIssue {
  const pence = parsePence(text);
  if (pence !== undefined && pence >= 0) return pence;
  const isNumber = /^-?[0-9]+(?:\.[0-9]{1,2})?$/.test(text);
  return isNumber
    ? { code: 'out-of-range', parameter, expected: 'an amount from 0 to 999999999.99', value: text }
    : { code: 'malformed-value', parameter, expected: 'an amount such as 29.99', value: text };
}

function parseMonths(text: string, parameter: string): number | QueryIssue {
  if (!/^-?[0-9]+$/.test(text)) {
    return { code: 'malformed-value', parameter, expected: 'a whole number of months', value: text };
  }
  const months = Number(text);
  if (months >= 0 && months <= MAX_MONTHS) return months;
  return { code: 'out-of-range', parameter, expected: `0 to ${MAX_MONTHS} months`, value: text };
}

/** Gigabytes as megabytes; 999999 and `unlimited` compare above every number (D13). */
function parseMegabytes(text: string, parameter: string, faultCount: number): number | QueryIssue {
  if (text === 'unlimited') return Infinity;
  if (!/^-?[0-9]+(?:\.[0-9]{1,3})?$/.test(text)) {
    return /^[a-z-]+$/i.test(text)
      ? unknownWord(parameter, text, ['unlimited'], 'gigabytes or unlimited', faultCount)
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
