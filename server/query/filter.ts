import {
  FILTER_KINDS,
  FILTER_OF_PARAMETER,
  FILTER_OPERATORS,
  filterRow,
  FILTERS,
  MAX_NAME_CHARACTERS,
  MAX_NAME_WORDS,
  takesList,
  type DealFilterRow,
  type FilterKind,
  type FilterOperator,
  type FilterValue,
  type NumberKind,
  type ProductFilterRow,
} from '../../data/query/filter.ts';
import { compareCodeUnits } from '../../data/record/id.ts';
import {
  type CatalogueIndex,
  type ColumnValues,
  compileNameSearch,
  type DealRow,
  type ProductRow,
  rowAt,
  splitNameWords,
} from '../../data/snapshot/catalogue-index.ts';
import type { ProductLine } from '../../data/snapshot/format.ts';
import type { Filter } from './query.ts';
import { type QueryIssues, tokenize, type QueryPair } from './query-text.ts';

/** Whether a parameter name is that of a filter: `filter`, `filter[…]`. */
export function isFilterParameter(name: string): boolean {
  return name === 'filter' || name.startsWith('filter[');
}

/** All filters, in the order of their table; one name with different operators is a range (D4). */
export function parseFilters(
  pairs: readonly QueryPair[],
  index: CatalogueIndex,
  issues: QueryIssues,
): readonly Filter[] {
  const filters: Filter[] = [];
  const given = new Set<string>();
  const repeated = new Map<string, string>();
  for (const { name, value } of pairs) {
    const operatorGiven = `${name} ${value.slice(0, value.indexOf('{')).trim()}`;
    if (given.has(operatorGiven)) repeated.set(name, value);
    given.add(operatorGiven);
    const filter = parseFilter(name, value, index, issues);
    if (filter !== undefined) filters.push(filter);
  }
  for (const [name, value] of repeated)
    issues.add('repeated-parameter', name, 'each operator once, with commas between its values', value);
  return filters.sort((a, b) => tableOrder(a) - tableOrder(b));
}

/** By name, then by operator. */
function tableOrder({ name, operator }: Filter): number {
  const position = FILTERS.findIndex((row) => row.name === name);
  return position * FILTER_OPERATORS.length + FILTER_OPERATORS.indexOf(operator);
}

/**
 * Reads one `filter[<name>]=<operator>{<value>,…}` against the words that the snapshot knows (spec §4.3, D13).
 * Undefined when it has errors; each wrong value is an issue.
 */
function parseFilter(parameter: string, text: string, index: CatalogueIndex, issues: QueryIssues): Filter | undefined {
  const row = FILTER_OF_PARAMETER.get(parameter);
  if (row === undefined) {
    const known = [...FILTER_OF_PARAMETER.keys()];
    return issues.addUnknown('unknown-parameter', parameter, parameter, known, 'one of the filters');
  }
  const { usage, operators } = FILTER_KINDS[row.kind];
  const [item, ...others] = tokenize(text);
  if (item === undefined || item.bracket !== '{' || item.name === '' || others.length > 0) {
    const again = others.length > 0 ? '; give each operator as a parameter of its own' : '';
    return issues.add('malformed-value', parameter, `${usage}${again}`, text);
  }
  const before = issues.list.length;
  if (item.list.includes('')) issues.add('malformed-value', parameter, `${usage}, without an empty value`, text);
  const operator = operators.find((candidate) => candidate === item.name);
  if (operator === undefined) {
    const [only, ...more] = operators;
    const expected = more.length === 0 ? `the operator ${only}` : `one of the operators ${operators.join(', ')}`;
    if (more.length > 0) return issues.addUnknown('unknown-value', parameter, item.name, operators, expected);
    return issues.add('unknown-value', parameter, expected, item.name, { allowed: operators, suggestion: only });
  }
  if (issues.list.length > before) return undefined;
  const values = new Set<FilterValue>();
  for (const each of new Set(item.list)) {
    const value = parseValue(each, row.kind, parameter, index, issues);
    if (value !== undefined) values.add(value);
  }
  if (issues.list.length > before) return undefined;
  if (!takesList(operator) && values.size > 1) {
    return issues.add('malformed-value', parameter, `exactly one value for ${operator}`, text);
  }
  // They differ, and all are numbers or all are texts.
  return { name: row.name, operator, values: [...values].sort((a, b) => (a < b ? -1 : 1)) };
}

/** Parses a value of a kind; undefined when it has an error. */
function parseValue(
  text: string,
  kind: FilterKind,
  parameter: string,
  index: CatalogueIndex,
  issues: QueryIssues,
): FilterValue | undefined {
  const { number, words, list, pattern, what, expected = what } = FILTER_KINDS[kind];
  if (number !== undefined) return parseNumber(text, number, expected, parameter, issues);
  if (kind === 'name') return parseName(text, parameter, issues);
  if (words !== undefined) {
    const known = words.map(({ word }) => word);
    if (known.includes(text)) return text;
    return issues.addUnknown('unknown-value', parameter, text, known, `one of ${known.join(', ')}`);
  }
  if (list !== undefined) {
    const lookup = index.lookups[list];
    const row = lookup.find(text);
    if (row !== undefined) return index[list][row]?.slug;
    return issues.addUnknown('unknown-value', parameter, text, lookup.slugs, expected);
  }
  if (new RegExp(`^(?:${pattern})$`).test(text)) return text;
  return issues.add('malformed-value', parameter, expected, text);
}

/** A number without its decimals. The highest one of gigabytes, and `unlimited`, are above every number (D13). */
function parseNumber(
  text: string,
  { spelling, decimals, max, hasUnlimited, outOfRange }: NumberKind,
  expected: string,
  parameter: string,
  issues: QueryIssues,
): number | undefined {
  if (hasUnlimited && text === 'unlimited') return Infinity;
  if (!spelling.test(text)) {
    return hasUnlimited && /^[a-z-]+$/i.test(text)
      ? issues.addUnknown('unknown-value', parameter, text, ['unlimited'], 'gigabytes or unlimited')
      : issues.add('malformed-value', parameter, expected, text);
  }
  const value = Number(text);
  if (value < 0 || value > max) return issues.add('out-of-range', parameter, outOfRange, text);
  // Zero may come with a sign.
  return hasUnlimited === true && value === max ? Infinity : Math.abs(Math.round(value * 10 ** decimals));
}

/** The words to look for in names, each once and in one order, with a space between them (D23). */
function parseName(text: string, parameter: string, issues: QueryIssues): string | undefined {
  if (Array.from(text).length > MAX_NAME_CHARACTERS) {
    return issues.add('out-of-range', parameter, `at most ${MAX_NAME_CHARACTERS} characters`, text);
  }
  const words = splitNameWords(text);
  if (words.length > MAX_NAME_WORDS) {
    return issues.add('out-of-range', parameter, `at most ${MAX_NAME_WORDS} words`, text);
  }
  return [...new Set(words)].sort(compareCodeUnits).join(' ');
}

/** Finds the deals that satisfy all deal filters of a query (D13), by reading deal after deal. */
export class DealFilter {
  /** False when the query has no deal filter, so that every deal qualifies. */
  readonly hasPredicate: boolean;
  readonly #index: CatalogueIndex;
  readonly #conditions: readonly DealTest[];

  constructor(filters: readonly Filter[], index: CatalogueIndex) {
    this.#index = index;
    this.#conditions = filters.flatMap((filter) => {
      const row = filterRow(filter.name);
      return row.on === 'deal' ? [compileDealFilter(filter, row, index)] : [];
    });
    this.hasPredicate = this.#conditions.length > 0;
  }

  accepts(row: number): boolean {
    for (const { cells, passes } of this.#conditions) if (!passes(cells[row] as number)) return false;
    return true;
  }

  /** The cheapest qualifying deal of a product: its deals are in order of cost, so the first that qualifies (D11). */
  findCheapest(product: ProductRow): DealRow | undefined {
    const end = this.#index.endOfDeals(product);
    const row = this.findNext(this.#index.firstDeal(product), end);
    return row === end ? undefined : rowAt(row);
  }

  /** The qualifying deals of a product, in order of cost. */
  listOf(product: ProductRow): readonly DealRow[] {
    const end = this.#index.endOfDeals(product);
    const deals: DealRow[] = [];
    for (let row = this.findNext(this.#index.firstDeal(product), end); row < end; row = this.findNext(row + 1, end)) {
      deals.push(rowAt(row));
    }
    return deals;
  }

  /** The first qualifying deal from `from` on, or `end`. */
  findNext(from: number, end: number): number {
    let row = from;
    while (row < end && !this.accepts(row)) row++;
    return row;
  }
}

/** A filter of deals: whether the cell of a deal passes. */
interface DealTest {
  readonly cells: ColumnValues;
  readonly passes: (cell: number) => boolean;
}

function compileDealFilter({ operator, values }: Filter, row: DealFilterRow, index: CatalogueIndex): DealTest {
  const cells = row.cells(index);
  const test = compileTest(operator, values);
  // Cells without entries are numbers, and so are the values of the filter.
  if (row.entries === undefined) return { cells, passes: test };
  const passing = row.entries(index).map(test);
  return { cells, passes: (cell) => passing[cell] as boolean };
}

type Tested = FilterValue | undefined | readonly FilterValue[];

/** A test of a value, or of all values of a record: `eq` is any of those listed, `ne` none of them (D13). */
function compileTest(operator: FilterOperator, values: readonly FilterValue[]): (value: Tested) => boolean {
  const listed: ReadonlySet<unknown> = new Set(values);
  const isListed = (value: Tested): boolean =>
    Array.isArray(value) ? value.some((each) => listed.has(each)) : listed.has(value);
  const bound = Number(values[0]);
  switch (operator) {
    case 'eq':
    case 'has':
      return isListed;
    case 'ne':
      return (value) => !isListed(value);
    case 'lt':
      return (value) => Number(value) < bound;
    case 'lte':
      return (value) => Number(value) <= bound;
    case 'gt':
      return (value) => Number(value) > bound;
    case 'gte':
      return (value) => Number(value) >= bound;
  }
}

/** Whether a product satisfies all product filters of a query. */
export function compileProductFilter(filters: readonly Filter[], index: CatalogueIndex): (row: ProductRow) => boolean {
  const tests = filters.flatMap((filter) => {
    const row = filterRow(filter.name);
    return row.on === 'product' ? [compileProductTest(filter, row, index)] : [];
  });
  return (row) => tests.every((test) => test(row));
}

function compileProductTest(
  { operator, values }: Filter,
  { value }: ProductFilterRow,
  { products, productNameWords }: CatalogueIndex,
): (row: ProductRow) => boolean {
  if (operator === 'has') return compileNameSearch(String(values[0]), productNameWords);
  const passes = compileTest(operator, values);
  // Rows come from the same snapshot.
  return (row) => passes(value(products[row] as ProductLine));
}
