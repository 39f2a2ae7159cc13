import type { ProblemCode } from '../../data/query/problem.ts';
import type { OracleCatalogue } from './catalogue.ts';
import { faultOfValue, FILTER_NAMES, isSingle, operatorsOf, type OracleFilter } from './filters.ts';
import {
  DEAL_SORT_WORDS,
  DEAL_WORDS,
  ENDPOINTS,
  FACET_WORDS,
  PREFIXED_WORDS,
  PRODUCT_SORT_WORDS,
  type EndpointName,
} from './words.ts';

export interface Fault {
  readonly parameter: string;
  readonly code: ProblemCode;
}

interface OracleSort {
  readonly key: string;
  readonly isDescending: boolean;
}

export interface OracleQuery {
  readonly kind: 'query';
  readonly endpoint: EndpointName;
  readonly id: string;
  expand: string[];
  fields: string[];
  /** Words of deals among those of products (D26). */
  dealFields: string[];
  filters: OracleFilter[];
  productSort?: OracleSort;
  dealSort?: OracleSort;
  pageLimit: number;
  dealLimit: number;
  facets?: string[];
  /** A text that may be a cursor: whether it is one of this query is asked last (D17). */
  hasCursor: boolean;
}

export interface Refusal {
  readonly kind: 'refusal';
  readonly status: number;
  readonly code: ProblemCode;
  readonly faults: readonly Fault[];
}

/** Reads a request target. */
export function readTarget(catalogue: OracleCatalogue, target: string): OracleQuery | Refusal {
  const [path = '', ...rest] = target.split('?');
  const endpoint = endpointOf(path);
  if (endpoint === undefined) return { kind: 'refusal', status: 404, code: 'unknown-path', faults: [] };
  const query: OracleQuery = {
    kind: 'query',
    endpoint,
    id: endpoint === 'product' ? (path.split('/')[4] ?? '') : '',
    expand: [],
    fields: [],
    dealFields: [],
    filters: [],
    pageLimit: 20,
    dealLimit: Infinity,
    hasCursor: false,
  };
  const faults: Fault[] = [];
  if (endpoint === 'product' && !/^[0-9]+$/.test(query.id)) faults.push({ parameter: 'id', code: 'malformed-value' });
  const seen: string[] = [];
  for (const pair of rest.join('?').split('&')) {
    if (pair !== '') faults.push(...readPair(catalogue, query, pair, seen));
  }
  if (faults.length === 0) return query;
  return { kind: 'refusal', status: 400, code: faults.length === 1 ? faults[0]!.code : 'invalid-request', faults };
}

function endpointOf(path: string): EndpointName | undefined {
  const slashed = path.endsWith('/') ? path : `${path}/`;
  if (/^\/deals\/v1\/products\/[^/]+\/$/.test(slashed)) return 'product';
  return (Object.keys(ENDPOINTS) as EndpointName[]).find((name) => ENDPOINTS[name].path === slashed);
}

function readPair(catalogue: OracleCatalogue, query: OracleQuery, pair: string, seen: string[]): Fault[] {
  const [rawName = '', ...rest] = pair.split('=');
  const name = decode(rawName) ?? rawName;
  const filterName = /^filter\[(.*)\]$/.exec(name)?.[1];
  const allowed = ENDPOINTS[query.endpoint].parameters;
  const isKnown =
    filterName === undefined
      ? allowed.includes(name) && name !== 'filter'
      : allowed.includes('filter') && FILTER_NAMES.includes(filterName);
  if (!isKnown) return [{ parameter: name, code: 'unknown-parameter' }];

  const value = decode(rest.join('='));
  if (value === undefined) return [{ parameter: name, code: 'malformed-value' }];
  // One filter may be given once per operator (D4).
  const identity = filterName === undefined ? name : `${name} ${value.split('{')[0]}`;
  if (seen.includes(identity)) return [{ parameter: name, code: 'repeated-parameter' }];
  seen.push(identity);

  const codes = filterName === undefined ? readParameter(query, name, value) : [];
  if (filterName !== undefined) codes.push(...readFilter(catalogue, query, filterName, value));
  return codes.map((code) => ({ parameter: name, code }));
}

/** Undefined for broken percent-encoding, bytes that are not UTF-8, and NUL (D4). */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

function readParameter(query: OracleQuery, name: string, value: string): ProblemCode[] {
  switch (name) {
    case 'expand':
      return readExpand(query, value);
    case 'fields':
      return readFields(query, value);
    case 'sort':
      return readSort(query, value);
    case 'limit':
      return readLimit(query, value);
    case 'facets':
      return readFacets(query, value);
    default:
      query.hasCursor = /^[0-9a-f]{12}[\w-]{12}[0-9a-z]{7}(0|[1-9a-z][0-9a-z]{0,5})\.[1-9a-z][0-9a-z]{0,9}$/.test(
        value,
      );
      return query.hasCursor ? [] : ['invalid-cursor'];
  }
}

/** The items of `products(a,b)`, `products{a,b}` or `a,b`. */
function readWords(endpoint: EndpointName, value: string): string[] | ProblemCode {
  const wrapped = /^([^(){},]+)(?:\(([^(){}]*)\)|\{([^(){}]*)\})$/.exec(value);
  if (wrapped === null && /[(){}]/.test(value)) return 'malformed-value';
  if (wrapped !== null && wrapped[1] !== ENDPOINTS[endpoint].wrapper) return 'unknown-value';
  const words = splitList(wrapped === null ? value : (wrapped[2] ?? wrapped[3] ?? ''));
  return words.includes('') ? 'malformed-value' : words;
}

function splitList(text: string): string[] {
  return text.split(',').map((item) => item.replace(/^ +| +$/g, ''));
}

function readExpand(query: OracleQuery, value: string): ProblemCode[] {
  const { wrapper, expand } = ENDPOINTS[query.endpoint];
  const words = readWords(query.endpoint, value);
  if (typeof words === 'string') return [words];
  query.expand = words.map((word) => (wrapper === 'products' ? (PREFIXED_WORDS[word] ?? word) : word));
  return query.expand.filter((word) => !expand.includes(word)).map(() => 'unknown-value');
}

function readFields(query: OracleQuery, value: string): ProblemCode[] {
  const { fields, axes, wrapper } = ENDPOINTS[query.endpoint];
  const ofDeals = /^(.*,)?\s*deals(?:\(([^(){}]*)\)|\{([^(){}]*)\})\s*(,.*)?$/.exec(value);
  if (wrapper === 'products' && ofDeals !== null && !/[({][^)}]*$/.test(ofDeals[1] ?? '')) {
    const [, before = '', inner, braced, after = ''] = ofDeals;
    query.dealFields = splitList(inner ?? braced ?? '');
    const codes = query.dealFields
      .filter((word) => !DEAL_WORDS.includes(word))
      .map((word): ProblemCode => (word === '' ? 'malformed-value' : 'unknown-value'));
    if (before === '' && after === '') return codes;
    return [...codes, ...readFields(query, before === '' ? after.slice(1) : before.slice(0, -1) + after)];
  }
  const words = readWords(query.endpoint, value);
  if (typeof words === 'string') return [words];
  query.fields = words;
  const unknown = words.filter((word) => ![fields, ...axes].some((known) => known.includes(word)));
  const chosen = axes.filter((axis) => words.some((word) => axis.includes(word)));
  const isComplete = chosen.length === 0 || chosen.length === axes.length;
  return [
    ...unknown.map(() => 'unknown-value' as const),
    ...(isComplete ? [] : ['incomplete-image-selection' as const]),
  ];
}

function readFacets(query: OracleQuery, value: string): ProblemCode[] {
  const words = splitList(value);
  if (/[(){}]/.test(value) || words.includes('')) return ['malformed-value'];
  query.facets = [...new Set(words)];
  return query.facets.filter((word) => !FACET_WORDS.includes(word)).map(() => 'unknown-value');
}

function readSort(query: OracleQuery, value: string): ProblemCode[] {
  const codes: ProblemCode[] = [];
  for (const part of splitList(value)) {
    const match = /^([^(){}]+)\(([^(){}]+)-(asc|desc)\)$/.exec(part);
    if (match === null) {
      codes.push('malformed-value');
      continue;
    }
    const [, wrapper = '', key = '', direction] = match;
    const sort = { key, isDescending: direction === 'desc' };
    if (wrapper === 'deals' && DEAL_SORT_WORDS.includes(key)) query.dealSort = sort;
    else if (wrapper === 'products' && query.endpoint !== 'deals' && PRODUCT_SORT_WORDS.includes(key))
      query.productSort = sort;
    else codes.push('unknown-value');
  }
  return codes;
}

function readLimit(query: OracleQuery, value: string): ProblemCode[] {
  const codes: ProblemCode[] = [];
  for (const part of splitList(value)) {
    const [, ofDeals, ofPage] = /^(?:deals\((-?[0-9]+)\)|(-?[0-9]+))$/.exec(part) ?? [];
    const count = Number(ofDeals ?? ofPage);
    const most = ofDeals === undefined ? 100 : 1000;
    if (Number.isNaN(count)) codes.push('malformed-value');
    else if (ofDeals !== undefined && query.endpoint === 'deals') codes.push('unknown-value');
    else if (count < 1 || count > most) codes.push('out-of-range');
    else if (ofDeals === undefined) query.pageLimit = count;
    else query.dealLimit = count;
  }
  return codes;
}

function readFilter(catalogue: OracleCatalogue, query: OracleQuery, name: string, value: string): ProblemCode[] {
  const match = /^([^{}()]+)\{([^{}]*)\}$/.exec(value);
  if (match === null) return ['malformed-value'];
  const [, operator = '', list = ''] = match;
  if (!operatorsOf(name).includes(operator)) return ['unknown-value'];
  const values = splitList(list);
  if (values.includes('') || (isSingle(operator) && new Set(values).size > 1)) return ['malformed-value'];
  query.filters.push({ name, operator, values });
  return values.flatMap((text) => faultOfValue(catalogue, name, text) ?? []);
}
