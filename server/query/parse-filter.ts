import { parsePence, UNLIMITED_MARKER } from '../../data/record/amount.ts';
import {
  FILTER_KINDS,
  FILTER_OF_PARAMETER,
  MAX_NAME_CHARACTERS,
  MAX_NAME_WORDS,
  operatorsOf,
  type FilterKind,
  type FilterOperator,
  type FilterRow,
  type QuantityOperator,
  type SetOperator,
} from '../../data/query/filter.ts';
import type { CatalogueIndex, SlugLookup } from '../../data/snapshot/catalogue-index.ts';
import { splitNameWords } from '../../data/snapshot/name-words.ts';
import type { Filter } from './query.ts';
import { didYouMean, findNearestParameter, type QueryIssue } from './query-issue.ts';
import { unknownWord } from './parse-words.ts';

const MAX_MONTHS = 999;

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
  const row = FILTER_OF_PARAMETER.get(parameter);
  if (row === undefined) {
    issues.push({
      code: 'unknown-parameter',
      parameter,
      expected: 'one of the filters',
      value: parameter,
      ...didYouMean(parameter, [...FILTER_OF_PARAMETER.keys()], issues.length, findNearestParameter),
    });
    return undefined;
  }
  const opened = openOperator(parameter, text, row.kind, issues);
  if (opened === undefined) return undefined;
  const { operator, values } = opened;
  const before = issues.length;
  const filter = parseValues(row, operator, values, parameter, index, issues);
  if (issues.length > before) return undefined;
  const valueCount = 'quantities' in filter ? filter.quantities.length : new Set(values).size;
  if (operator !== 'eq' && operator !== 'ne' && valueCount > 1) {
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
  const { usage } = FILTER_KINDS[kind];
  const operators = operatorsOf(kind);
  const trimmed = text.trim();
  const opener = trimmed.indexOf('{');
  const inner = trimmed.slice(opener + 1, -1);
  if (opener < 1 || !trimmed.endsWith('}') || inner.includes('{') || inner.includes('}')) {
    issues.push({ code: 'malformed-value', parameter, expected: usage, value: text });
    return undefined;
  }
  const word = trimmed.slice(0, opener);
  const operator = operators.find((candidate) => candidate === word);
  const values = inner.split(',').map((value) => value.trim());
  if (values.includes('')) {
    issues.push({ code: 'malformed-value', parameter, expected: `${usage}, without an empty value`, value: text });
  }
  if (operator === undefined) {
    const [only, ...others] = operators;
    const isOnly = only !== undefined && others.length === 0;
    const expected = isOnly ? `the operator ${only}` : `one of the operators ${operators.join(', ')}`;
    const issue = unknownWord(parameter, word, operators, expected, issues.length);
    issues.push(isOnly ? { ...issue, suggestion: only } : issue);
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
  const read = <Value extends string | number>(parse: ParseValue<Value>): readonly Value[] =>
    collect(parse, values, parameter, issues).sort(ascending);
  // Each kind was refused every operator but its own.
  const quantityOperator = operator as QuantityOperator;
  const setOperator = operator as SetOperator;
  if (row.kind === 'money') return { name: row.name, operator: quantityOperator, quantities: read(parseMoney) };
  if (row.kind === 'months') return { name: row.name, operator: quantityOperator, quantities: read(parseMonths) };
  if (row.kind === 'gigabytes') {
    return { name: row.name, operator: quantityOperator, quantities: read(parseMegabytes) };
  }
  if (row.kind === 'name') {
    const words = collect(parseNameWords, values, parameter, issues).flat();
    return { name: row.name, operator: 'has', words: [...new Set(words)].sort(ascending) };
  }
  if (row.kind === 'network') {
    return { name: row.name, operator: setOperator, rows: read(findIn(index.networkLookup, 'network')) };
  }
  if (row.kind === 'retailer') {
    return { name: row.name, operator: setOperator, rows: read(findIn(index.retailerLookup, 'retailer')) };
  }
  return { name: row.name, operator: setOperator, texts: read(createTextParser(row.kind, index)) };
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

function findIn<Found>(directory: SlugLookup<Found>, what: string): ParseValue<Found> {
  return (value, parameter, faultCount) =>
    directory.find(value) ?? unknownWord(parameter, value, directory.slugs, `a ${what} of this catalogue`, faultCount);
}

/** Parses a value that stays a text: a slug of the catalogue, one of the words of its kind, or a text with its pattern. */
function createTextParser(kind: FilterKind, index: CatalogueIndex): ParseValue<string> {
  if (kind === 'manufacturer') {
    const find = findIn(index.manufacturerLookup, 'manufacturer');
    return (value, parameter, faultCount) => {
      const found = find(value, parameter, faultCount);
      return isIssue(found) ? found : value;
    };
  }
  const { words, what, expected = what } = FILTER_KINDS[kind];
  if (words !== undefined) {
    const known = words.map(({ word }) => word);
    return (value, parameter, faultCount) =>
      known.includes(value) ? value : unknownWord(parameter, value, known, `one of ${known.join(', ')}`, faultCount);
  }
  const pattern = PATTERNS[kind];
  return (value, parameter) => (pattern.test(value) ? value : { code: 'malformed-value', parameter, expected, value });
}

const PATTERNS = Object.fromEntries(
  Object.entries(FILTER_KINDS).map(([kind, { pattern }]) => [kind, new RegExp(`^(?:${pattern})$`)]),
) as Readonly<Record<FilterKind, RegExp>>;

/** The words to look for in names (D23). */
function parseNameWords(text: string, parameter: string): readonly string[] | QueryIssue {
  const outOfRange = (expected: string): QueryIssue => ({ code: 'out-of-range', parameter, expected, value: text });
  if (Array.from(text).length > MAX_NAME_CHARACTERS) return outOfRange(`at most ${MAX_NAME_CHARACTERS} characters`);
  const words = splitNameWords(text);
  return words.length > MAX_NAME_WORDS ? outOfRange(`at most ${MAX_NAME_WORDS} words`) : words;
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
  return typeof value === 'object' && value !== null && 'code' in value;
}

function ascending(a: string | number, b: string | number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
