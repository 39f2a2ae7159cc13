import { ENDPOINTS, type EndpointName, type ParameterName } from '../../data/query/endpoint.ts';
import type { GiftCategoryExpansion, ProductExpansion } from '../../data/query/expand.ts';
import { FILTER_OPERATORS, FILTERS } from '../../data/query/filter.ts';
import { findNearestWord } from '../../data/query/nearest-word.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { Filter } from './filter.ts';
import { joinProjection, parseGiftCategoryExpand, parseProductExpand } from './parse-expand.ts';
import { parseFields } from './parse-fields.ts';
import { isFilterParameter, parseFilter } from './parse-filter.ts';
import { parseLimit } from './parse-limit.ts';
import { parseSort } from './parse-sort.ts';
import type { Query } from './query.ts';
import type { QueryIssue } from './query-issue.ts';
import { parsePairs, type QueryPair } from './split-target.ts';

/** The figures of `limit` that the operator may set (D15). */
export interface PageLimits {
  readonly defaultProducts: number;
  readonly maxProducts: number;
}

export interface ParsedQuery {
  /** Meaningless when there are issues. */
  readonly query: Query;
  readonly issues: readonly QueryIssue[];
}

/**
 * Reads a request: the endpoint, the id of its path and its query string, against the words that the snapshot knows.
 * Nothing is ignored: every fault of the request is an issue (D4).
 */
export function parseQuery(
  request: { readonly endpoint: EndpointName; readonly id?: string; readonly query: string },
  index: CatalogueIndex,
  limits: PageLimits,
): ParsedQuery {
  const issues: QueryIssue[] = [];
  if (request.id !== undefined && !/^[0-9]+$/.test(request.id)) {
    issues.push({
      code: 'malformed-value',
      parameter: 'id',
      expected: 'a product id, decimal digits',
      value: request.id,
    });
  }
  const pairs = parsePairs(request.query, issues);
  const given = takeParameters(request.endpoint, pairs, issues);
  return { query: build(request, given, index, limits, issues), issues };
}

/** The values of known parameters; filters apart, since one name may come with different operators. */
interface Given {
  readonly values: ReadonlyMap<ParameterName, string>;
  readonly filters: readonly QueryPair[];
}

function takeParameters(endpoint: EndpointName, pairs: readonly QueryPair[], issues: QueryIssue[]): Given {
  const allowed: readonly ParameterName[] = ENDPOINTS.find(({ name }) => name === endpoint)?.parameters ?? [];
  const values = new Map<ParameterName, string>();
  const filters: QueryPair[] = [];
  const repeated = new Set<string>();
  for (const pair of pairs) {
    const name = allowed.find((candidate) => candidate === pair.name && candidate !== 'filter');
    if (allowed.includes('filter') && isFilterParameter(pair.name)) {
      filters.push(pair);
    } else if (name === undefined) {
      issues.push(unknownParameter(pair.name, allowed));
    } else if (values.has(name)) {
      repeated.add(name);
    } else {
      values.set(name, pair.value);
    }
  }
  for (const name of repeated) {
    issues.push({
      code: 'repeated-parameter',
      parameter: name,
      expected: 'it once, with a comma between values',
      value: name,
    });
  }
  return { values, filters };
}

function unknownParameter(name: string, allowed: readonly ParameterName[]): QueryIssue {
  const words = allowed.flatMap((word) =>
    word === 'filter' ? FILTERS.map((filter) => `filter[${filter.name}]`) : [word],
  );
  const suggestion = findNearestWord(name, words);
  return {
    code: 'unknown-parameter',
    parameter: name,
    expected:
      words.length === 0
        ? 'no parameters'
        : `one of ${allowed.map((word) => (word === 'filter' ? 'filter[<name>]' : word)).join(', ')}`,
    value: name,
    allowed: words,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

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
      const expansions = read('expand', (text) => parseProductExpand(text, issues), new Set<ProductExpansion>());
      const fields = read('fields', (text) => parseFields(text, 'products', issues), {});
      const sorts = read('sort', (text) => parseSort(text, issues), {});
      const limit = read('limit', (text) => parseLimit(text, limits.maxProducts, issues), {});
      const cursor = read('cursor', (text) => text, undefined);
      return {
        kind: 'products',
        ...(request.id === undefined ? {} : { id: request.id }),
        filters: parseFilters(given.filters, index, issues),
        projection: joinProjection(expansions, fields),
        hasCheapestDeal: expansions.has('cheapestDeal'),
        isGrouped: expansions.has('grouped'),
        ...(sorts.products === undefined ? {} : { productSort: sorts.products }),
        // A sort or limit of deals where no deals are expanded changes nothing (D14).
        ...(expansions.has('deals')
          ? {
              deals: {
                sort: sorts.deals ?? { key: 'total-cost', direction: 'asc' },
                ...(limit.deals === undefined ? {} : { perProduct: limit.deals }),
              },
            }
          : {}),
        pageLimit: limit.products ?? limits.defaultProducts,
        ...(cursor === undefined ? {} : { cursor }),
      };
    }
    case 'giftCategories': {
      const expansions = read(
        'expand',
        (text) => parseGiftCategoryExpand(text, issues),
        new Set<GiftCategoryExpansion>(),
      );
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

/** All filters, in the order of their table; one name with different operators is a range (D4). */
function parseFilters(pairs: readonly QueryPair[], index: CatalogueIndex, issues: QueryIssue[]): readonly Filter[] {
  const found = new Map<string, Filter>();
  const given = new Set<string>();
  const repeated = new Set<string>();
  for (const { name, value } of pairs) {
    const operatorGiven = `${name} ${value.slice(0, value.indexOf('{')).trim()}`;
    if (given.has(operatorGiven)) repeated.add(name);
    given.add(operatorGiven);
    const filter = parseFilter(name, value, index, issues);
    if (filter !== undefined) found.set(`${filter.name} ${filter.operator}`, filter);
  }
  for (const parameter of repeated) {
    issues.push({
      code: 'repeated-parameter',
      parameter,
      expected: 'each operator of a filter once, with a comma between values',
      value: parameter,
    });
  }
  return FILTERS.flatMap(({ name }) => FILTER_OPERATORS.flatMap((operator) => found.get(`${name} ${operator}`) ?? []));
}
