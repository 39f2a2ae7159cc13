import { ENDPOINTS, type EndpointName, type ParameterName } from '../../data/query/endpoint.ts';
import { FILTER_OF_PARAMETER, FILTER_OPERATORS, FILTERS, type FilterName } from '../../data/query/filter.ts';
import type { DealSortKey, Sort } from '../../data/query/vocabulary.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { cursorIssue, readCursor } from './pagination.ts';
import type { Filter, ProductsQuery, Query } from './query.ts';
import { didYouMean, findNearestParameter, type QueryIssue } from './query-issue.ts';
import { joinProjection, parseFields, parseGiftCategoryExpand, parseProductExpand } from './parse-projection.ts';
import { isFilterParameter, parseFilter } from './parse-filter.ts';
import { parseLimit, parseSort } from './parse-sort-limit.ts';
import type { QueryPair, QueryString } from './query-string.ts';

/** The settings of `limit` (D15). */
export interface PageLimits {
  readonly defaultProducts: number;
  readonly maxProducts: number;
}

export interface ParsedQuery {
  /** Meaningless when there are issues. */
  readonly query: Query;
  readonly issues: readonly QueryIssue[];
}

interface QueryRequest {
  readonly endpoint: EndpointName;
  readonly id?: string;
  readonly query: QueryString;
}

/**
 * Parses a request: the endpoint, the id of its path and its query string, with the names of the snapshot. Every error of
 * the request is an issue (D4).
 */
export function parseQuery(request: QueryRequest, index: CatalogueIndex, limits: PageLimits): ParsedQuery {
  const issues: QueryIssue[] = [];
  if (request.id !== undefined && !/^[0-9]+$/.test(request.id)) {
    issues.push({
      code: 'malformed-value',
      parameter: 'id',
      expected: 'a product id, decimal digits',
      value: request.id,
    });
  }
  issues.push(...request.query.issues);
  const given = takeParameters(PARAMETERS[request.endpoint], request.query.pairs, issues);
  return { query: build(request, given, index, limits, issues), issues };
}

/** The values of known parameters; a filter may come several times, with different operators. */
interface Given {
  readonly values: ReadonlyMap<ParameterName, string>;
  readonly filters: readonly QueryPair[];
}

/** The parameters of an endpoint, for lookups. */
interface Parameters {
  readonly names: readonly ParameterName[];
  /** Without `filter`, whose parameters have names of their own. */
  readonly byName: ReadonlyMap<string, ParameterName>;
  readonly hasFilters: boolean;
  /** Every parameter as it is spelled in a request. */
  readonly words: readonly string[];
  readonly expected: string;
}

const PARAMETERS = Object.fromEntries(
  ENDPOINTS.map(({ name, parameters }) => [name, createParameters(parameters)]),
) as Readonly<Record<EndpointName, Parameters>>;

function createParameters(names: readonly ParameterName[]): Parameters {
  const spelled = names.map((name) => (name === 'filter' ? 'filter[<name>]' : name));
  return {
    names,
    byName: new Map(names.filter((name) => name !== 'filter').map((name) => [name, name])),
    hasFilters: names.includes('filter'),
    words: names.flatMap((name) => (name === 'filter' ? [...FILTER_OF_PARAMETER.keys()] : [name])),
    expected: names.length === 0 ? 'no parameters' : `one of ${spelled.join(', ')}`,
  };
}

function takeParameters(parameters: Parameters, pairs: readonly QueryPair[], issues: QueryIssue[]): Given {
  const values = new Map<ParameterName, string>();
  const filters: QueryPair[] = [];
  const repeated = new Set<string>();
  const unknown = new Set<string>();
  for (const pair of pairs) {
    const name = parameters.byName.get(pair.name);
    if (name !== undefined) {
      if (values.has(name)) repeated.add(name);
      else values.set(name, pair.value);
    } else if (parameters.hasFilters && isFilterParameter(pair.name)) {
      filters.push(pair);
    } else if (!unknown.has(pair.name)) {
      unknown.add(pair.name);
      issues.push({
        code: 'unknown-parameter',
        parameter: pair.name,
        expected: parameters.expected,
        value: pair.name,
        ...didYouMean(pair.name, parameters.words, issues.length, findNearestParameter),
      });
    }
  }
  for (const name of repeated) {
    issues.push({
      code: 'repeated-parameter',
      parameter: name,
      expected: 'it once',
      value: name,
    });
  }
  return { values, filters };
}

type Writable<Value> = { -readonly [Property in keyof Value]: Value[Property] };

const NO_EXPANSIONS: ReadonlySet<never> = new Set();
const DEFAULT_DEAL_SORT: Sort<DealSortKey> = { key: 'total-cost', direction: 'asc' };

function build(
  request: { readonly endpoint: EndpointName; readonly id?: string },
  given: Given,
  index: CatalogueIndex,
  limits: PageLimits,
  issues: QueryIssue[],
): Query {
  const { endpoint } = request;
  const read = <Value>(name: ParameterName, parse: (text: string) => Value, absent: Value): Value => {
    const text = given.values.get(name);
    if (text === undefined) return absent;
    if (text.trim() !== '') return parse(text);
    issues.push({ code: 'malformed-value', parameter: name, expected: 'a value', value: text });
    return absent;
  };
  switch (endpoint) {
    case 'products':
    case 'product': {
      const expansions = read('expand', (text) => parseProductExpand(text, issues), NO_EXPANSIONS);
      const fields = read('fields', (text) => parseFields(text, 'products', issues), {});
      const sorts = read('sort', (text) => parseSort(text, issues), {});
      const limit = read('limit', (text) => parseLimit(text, limits.maxProducts, issues), {});
      const cursor = read('cursor', (text) => parseCursor(text, issues), undefined);
      const query: Writable<ProductsQuery> = {
        kind: 'products',
        filters: parseFilters(given.filters, index, issues),
        projection: joinProjection(expansions, fields),
        hasCheapestDeal: expansions.has('cheapestDeal'),
        hasPriceHistory: expansions.has('priceHistory'),
        isGrouped: expansions.has('grouped'),
        pageLimit: limit.products ?? limits.defaultProducts,
      };
      if (request.id !== undefined) query.id = request.id;
      if (sorts.products !== undefined) query.productSort = sorts.products;
      // A sort or limit of deals where no deals are expanded changes nothing (D14).
      if (expansions.has('deals')) {
        const sort = sorts.deals ?? DEFAULT_DEAL_SORT;
        query.deals = limit.deals === undefined ? { sort } : { sort, perProduct: limit.deals };
      }
      if (cursor !== undefined) query.cursor = cursor;
      return query;
    }
    case 'giftCategories': {
      const expansions = read('expand', (text) => parseGiftCategoryExpand(text, issues), NO_EXPANSIONS);
      const fields = read('fields', (text) => parseFields(text, 'giftcategories', issues), {});
      return { kind: endpoint, projection: joinProjection(expansions, fields), hasGifts: expansions.has('gifts') };
    }
    case 'gifts':
      return { kind: endpoint, projection: read('fields', (text) => parseFields(text, 'gifts', issues), {}) };
    case 'networks':
    case 'retailers':
    case 'manufacturers':
      return { kind: endpoint };
  }
}

/** A text that cannot be a cursor is an issue. Whether a cursor belongs to the query is checked last (D17). */
function parseCursor(text: string, issues: QueryIssue[]): string | undefined {
  if (readCursor(text) !== undefined) return text;
  issues.push(cursorIssue(text));
  return undefined;
}

/** All filters, in the order of their table; one name with different operators is a range (D4). */
function parseFilters(pairs: readonly QueryPair[], index: CatalogueIndex, issues: QueryIssue[]): readonly Filter[] {
  const filters: Filter[] = [];
  const given = new Set<string>();
  const repeated = new Set<string>();
  for (const { name, value } of pairs) {
    const operatorGiven = `${name} ${value.slice(0, value.indexOf('{')).trim()}`;
    if (given.has(operatorGiven)) repeated.add(name);
    given.add(operatorGiven);
    const filter = parseFilter(name, value, index, issues);
    if (filter !== undefined) filters.push(filter);
  }
  for (const parameter of repeated) {
    issues.push({
      code: 'repeated-parameter',
      parameter,
      expected: 'each operator once',
      value: parameter,
    });
  }
  return filters.length > 1 ? filters.sort((a, b) => tableOrder(a) - tableOrder(b)) : filters;
}

/** By name, then by operator. */
function tableOrder({ name, operator }: Filter): number {
  return FILTER_NAMES.indexOf(name) * FILTER_OPERATORS.length + FILTER_OPERATORS.indexOf(operator);
}

const FILTER_NAMES: readonly FilterName[] = FILTERS.map(({ name }) => name);
