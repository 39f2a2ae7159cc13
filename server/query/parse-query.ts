import { ENDPOINTS, type EndpointName, type ParameterName } from '../../data/query/endpoint.ts';
import { FILTER_OF_PARAMETER } from '../../data/query/filter.ts';
import { DEFAULT_PAGE_LIMIT } from '../../data/query/parameter.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { cursorIssue, readCursor } from './pagination.ts';
import { isFilterParameter, parseFilters } from './parse-filter.ts';
import { joinProjection, parseExpand, parseFields } from './parse-projection.ts';
import { parseLimit, parseSort } from './parse-sort-limit.ts';
import { QueryIssues, type QueryIssue } from './query-issue.ts';
import type { QueryPair, QueryString } from './query-string.ts';
import type { Query } from './query.ts';

export interface ParsedQuery {
  /** Meaningless when there are issues. */
  readonly query: Query;
  /** As sent. */
  readonly cursor?: string | undefined;
  readonly issues: readonly QueryIssue[];
}

interface QueryRequest {
  readonly endpoint: EndpointName;
  readonly id?: string;
  readonly query: QueryString;
}

/**
 * Parses a request: the endpoint, the id of its path and its query string, with the names of the snapshot. Every error of
 * the request is an issue (D4). Two spellings of one query give equal objects, with their keys in the same order.
 */
export function parseQuery(request: QueryRequest, index: CatalogueIndex): ParsedQuery {
  const issues = new QueryIssues();
  const { endpoint, id } = request;
  if (id !== undefined && !/^[0-9]+$/.test(id)) {
    issues.add('malformed-value', 'id', 'a product id, decimal digits', id);
  }
  issues.list.push(...request.query.issues);
  const given = takeParameters(endpoint, request.query.pairs, issues);
  const read = <Value>(name: ParameterName, parse: (text: string) => Value, absent: Value): Value => {
    const text = given.values.get(name);
    if (text === undefined) return absent;
    if (text.trim() !== '') return parse(text);
    issues.add('malformed-value', name, 'a value', text);
    return absent;
  };
  const readProjection = (resource: 'products' | 'giftcategories') => {
    const expansions = read('expand', (text) => parseExpand(text, resource, issues), NO_EXPANSIONS);
    const fields = read('fields', (text) => parseFields(text, resource, issues), {});
    return { expansions, projection: joinProjection(expansions, fields) };
  };
  switch (endpoint) {
    case 'products':
    case 'product': {
      const { expansions, projection } = readProjection('products');
      const sorts = read('sort', (text) => parseSort(text, issues), {});
      const limit = read('limit', (text) => parseLimit(text, issues), {});
      const cursor = read('cursor', (text) => parseCursor(text, issues), undefined);
      // A sort or limit of deals where no deals are expanded changes nothing (D14).
      const hasDeals = expansions.has('deals');
      const query: Query = {
        kind: 'products',
        id,
        filters: parseFilters(given.filters, index, issues),
        projection,
        hasCheapestDeal: expansions.has('cheapestDeal'),
        hasPriceHistory: expansions.has('priceHistory'),
        isGrouped: expansions.has('grouped'),
        productSort: sorts.products,
        dealSort: hasDeals ? (sorts.deals ?? { key: 'total-cost', direction: 'asc' }) : undefined,
        pageLimit: limit.products ?? DEFAULT_PAGE_LIMIT,
        dealsPerProduct: hasDeals ? limit.deals : undefined,
      };
      return { query, cursor, issues: issues.list };
    }
    case 'giftCategories': {
      const { expansions, projection } = readProjection('giftcategories');
      return { query: { kind: endpoint, projection, hasGifts: expansions.has('gifts') }, issues: issues.list };
    }
    case 'gifts': {
      const fields = read('fields', (text) => parseFields(text, 'gifts', issues), {});
      return { query: { kind: endpoint, projection: joinProjection(NO_EXPANSIONS, fields) }, issues: issues.list };
    }
    case 'networks':
    case 'retailers':
    case 'manufacturers':
      return { query: { kind: endpoint }, issues: issues.list };
  }
}

const NO_EXPANSIONS: ReadonlySet<never> = new Set();

/** A text that cannot be a cursor is an issue. Whether a cursor belongs to the query is checked last (D17). */
function parseCursor(text: string, issues: QueryIssues): string | undefined {
  if (readCursor(text) !== undefined) return text;
  issues.list.push(cursorIssue(text));
  return undefined;
}

/** The values of known parameters; a filter may come several times, with different operators. */
interface Given {
  readonly values: ReadonlyMap<ParameterName, string>;
  readonly filters: readonly QueryPair[];
}

const PARAMETERS: ReadonlyMap<EndpointName, readonly ParameterName[]> = new Map(
  ENDPOINTS.map(({ name, parameters }) => [name, parameters]),
);

function takeParameters(endpoint: EndpointName, pairs: readonly QueryPair[], issues: QueryIssues): Given {
  const parameters = PARAMETERS.get(endpoint) ?? [];
  const values = new Map<ParameterName, string>();
  const filters: QueryPair[] = [];
  const repeated = new Set<string>();
  const unknown = new Set<string>();
  for (const pair of pairs) {
    const name = parameters.find((parameter) => parameter === pair.name && parameter !== 'filter');
    if (name !== undefined) {
      if (values.has(name)) repeated.add(name);
      else values.set(name, pair.value);
    } else if (parameters.includes('filter') && isFilterParameter(pair.name)) {
      filters.push(pair);
    } else if (!unknown.has(pair.name)) {
      unknown.add(pair.name);
      addUnknownParameter(pair.name, parameters, issues);
    }
  }
  for (const name of repeated) issues.add('repeated-parameter', name, 'it once', name);
  return { values, filters };
}

function addUnknownParameter(name: string, parameters: readonly ParameterName[], issues: QueryIssues): void {
  const spelled = parameters.map((parameter) => (parameter === 'filter' ? 'filter[<name>]' : parameter));
  const expected = parameters.length === 0 ? 'no parameters' : `one of ${spelled.join(', ')}`;
  const words = parameters.flatMap((parameter) =>
    parameter === 'filter' ? [...FILTER_OF_PARAMETER.keys()] : [parameter],
  );
  issues.addUnknownParameter(name, words, expected);
}
