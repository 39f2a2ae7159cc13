import { type Endpoint, type ParameterName, RESOURCE_WORDS, type ResourceWord } from '../../data/query/endpoint.ts';
import { FACETS, FILTER_OF_PARAMETER, type FilterName } from '../../data/query/filter.ts';
import { DEFAULT_PAGE_LIMIT, MAX_DEALS_PER_PRODUCT, MAX_PAGE_LIMIT } from '../../data/query/parameter.ts';
import {
  DEAL_SORT_KEYS,
  PRODUCT_SORT_KEYS,
  SORT_DIRECTIONS,
  SORT_WORDS,
  type DealSortKey,
  type ProductSortKey,
  type Sort,
  EXPANSION_WORDS,
  FIELD_WORDS,
  IMAGE_WORDS,
  PREFIXED_EXPANSIONS,
} from '../../data/query/vocabulary.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { cursorIssue, readCursor } from './pagination.ts';
import { isFilterParameter, parseFilters } from './filter.ts';
import { QueryIssues, type Item, type QueryIssue, tokenize, type QueryPair, type QueryString } from './query-text.ts';
import { type ProductsQuery, type Query, GROUP_ROWS, type Projection } from './query.ts';
import { DEAL_FIELDS, PRODUCT_FIELDS } from '../../data/field/field.ts';
import { imageKey, type ImageKey } from '../../data/field/image.ts';

export interface ParsedQuery {
  /** Meaningless when there are issues. */
  readonly query: Query;
  /** As sent. */
  readonly cursor?: string | undefined;
  readonly issues: readonly QueryIssue[];
}

interface QueryRequest {
  readonly endpoint: Endpoint;
  readonly id?: string | undefined;
  readonly query: QueryString;
}

/**
 * Parses a request: the endpoint, the id of its path and its query string, with the names of the snapshot. Every error of
 * the request is an issue (D4). Two spellings of one query give equal objects, with their keys in the same order.
 */
export function parseQuery({ endpoint, id, query: sent }: QueryRequest, index: CatalogueIndex): ParsedQuery {
  const issues = new QueryIssues();
  if (id !== undefined && !/^[0-9]+$/.test(id)) {
    issues.add('malformed-value', 'id', 'a product id, decimal digits', id);
  }
  issues.list.push(...sent.issues);
  const { name, parameters, resource = 'products' } = endpoint;
  const given = takeParameters(parameters, sent.pairs, issues);
  const read = <Value>(parameter: ParameterName, parse: (text: string) => Value, absent: Value): Value => {
    const text = given.values.get(parameter);
    if (text === undefined) return absent;
    if (text.trim() !== '') return parse(text);
    issues.add('malformed-value', parameter, 'a value', text);
    return absent;
  };
  const expansions = read('expand', (text) => parseExpand(text.trim(), resource, issues), new Set<string>());
  const fields = read('fields', (text) => parseFields(text.trim(), resource, issues), {});
  const { dealAttributes } = fields;
  const projection = joinProjection(expansions, fields);
  if (name !== 'products' && name !== 'product' && name !== 'deals') {
    return { query: { kind: name, projection, hasGifts: expansions.has('gifts') }, issues: issues.list };
  }
  const sorts = read('sort', (text) => parseSort(text, resource, issues), {});
  const limit = read('limit', (text) => parseLimit(text, resource, issues), {});
  const cursor = read('cursor', (text) => parseCursor(text, issues), undefined);
  const filters = parseFilters(given.filters, index, issues);
  const pageLimit = limit.page ?? DEFAULT_PAGE_LIMIT;
  const { deals: dealSort = BY_TOTAL_COST } = sorts;
  if (name === 'deals') {
    return { query: { kind: name, filters, dealSort, pageLimit, dealAttributes }, cursor, issues: issues.list };
  }
  // A sort or limit of deals where no deals are expanded changes nothing (D14).
  const hasDeals = expansions.has('deals');
  const query: Query = {
    kind: 'products',
    id,
    filters,
    projection,
    hasCheapestDeal: expansions.has('cheapestDeal'),
    hasPriceHistory: expansions.has('priceHistory'),
    isGrouped: expansions.has('grouped'),
    productSort: sorts.products,
    dealSort: hasDeals ? dealSort : undefined,
    pageLimit,
    dealsPerProduct: hasDeals ? limit.deals : undefined,
    dealAttributes: hasDeals || expansions.has('cheapestDeal') ? dealAttributes : undefined,
    facets: read('facets', (text) => parseFacets(text, issues), undefined),
  };
  return { query, cursor, issues: issues.list };
}

/** Reads `facets=`, a list of words; one listed twice counts once (D25). */
function parseFacets(text: string, issues: QueryIssues): readonly FilterName[] {
  const items = tokenize(text);
  if (items.some((item) => item === undefined || item.bracket !== '' || item.name === '')) {
    issues.add('malformed-value', 'facets', '<word>,<word>,…', text, { allowed: FACETS });
    return [];
  }
  return [...keepKnown('facets', new Set(items.map((item) => item?.name ?? '')), FACETS, issues)];
}

/** A text that cannot be a cursor is an issue. Whether a cursor belongs to the query is checked last (D17). */
function parseCursor(text: string, issues: QueryIssues): string | undefined {
  if (readCursor(text) !== undefined) return text;
  issues.list.push(cursorIssue(text));
  return undefined;
}

/** The values of known parameters; a filter may come several times, with different operators. */
export function takeParameters(parameters: readonly string[], pairs: readonly QueryPair[], issues: QueryIssues) {
  const hasFilters = parameters.includes('filter');
  const names = parameters.filter((name) => name !== 'filter');
  const values = new Map<string, string>();
  const filters: QueryPair[] = [];
  const repeated = new Map<string, string>();
  const unknown = new Set<string>();
  for (const pair of pairs) {
    const { name, value } = pair;
    if (hasFilters && isFilterParameter(name)) filters.push(pair);
    else if (!names.includes(name)) unknown.add(name);
    else if (values.has(name)) repeated.set(name, value);
    else values.set(name, value);
  }
  const spelled = parameters.map((name) => (name === 'filter' ? 'filter[<name>]' : name));
  const expected = parameters.length === 0 ? 'no parameters' : `one of ${spelled.join(', ')}`;
  const words = [...(hasFilters ? FILTER_OF_PARAMETER.keys() : []), ...names];
  for (const name of unknown) issues.addUnknown('unknown-parameter', name, name, words, expected);
  for (const [name, value] of repeated) issues.add('repeated-parameter', name, 'it once', value);
  return { values, filters };
}

/** Reads `<word>` and `<name>(<word>)`, each name once, into words by name; a bare word has no name. */
function readTerms(
  parameter: string,
  text: string,
  expected: string,
  issues: QueryIssues,
  allowed?: readonly string[],
): ReadonlyMap<string, string> {
  const terms = new Map<string, string>();
  for (const item of tokenize(text)) {
    const { name = '', bracket = '', list = [] } = item ?? {};
    const term = bracket === '' ? '' : name;
    if (name === '' || bracket === '{' || list.length > 1 || terms.has(term)) {
      issues.add('malformed-value', parameter, expected, text, allowed && { allowed });
      return new Map();
    }
    terms.set(term, bracket === '' ? name : (list[0] ?? ''));
  }
  return terms;
}

function isOneOf<Word extends string>(text: string, words: readonly Word[]): text is Word {
  return (words as readonly string[]).includes(text);
}

interface Sorts {
  products?: Sort<ProductSortKey> | undefined;
  deals?: Sort<DealSortKey> | undefined;
}

const BY_TOTAL_COST = { key: 'total-cost', direction: 'asc' } as const;
/** Reads `sort=`: one key for deals, one for products, or both (spec §4.4, D14); of deals alone only theirs (D27). */
function parseSort(text: string, resource: ResourceWord, issues: QueryIssues): Sorts {
  const isOfDeals = resource === 'deals';
  const ofDeals = 'deals(<key>-asc|desc)';
  const expected = isOfDeals ? ofDeals : `${ofDeals}, products(<key>-asc|desc), or both separated by a comma`;
  const wrappers = isOfDeals ? (['deals'] as const) : (['products', 'deals'] as const);
  const allowed = wrappers.flatMap((wrapper) => SORT_WORDS[wrapper].map(({ word }) => word));
  const sorts: Sorts = {};
  for (const [name, order] of readTerms('sort', text, expected, issues, allowed)) {
    if (name === '') issues.add('malformed-value', 'sort', expected, text, { allowed });
    else if (!isOneOf(name, wrappers)) {
      issues.addUnknown('unknown-value', 'sort', name, wrappers, wrappers.map((each) => `${each}(…)`).join(' or '));
    } else if (name === 'products') sorts.products = parseOrder(order, PRODUCT_SORT_KEYS, allowed, issues);
    else sorts.deals = parseOrder(order, DEAL_SORT_KEYS, allowed, issues);
  }
  return sorts;
}

function parseOrder<Key extends string>(
  text: string,
  keys: readonly Key[],
  allowed: readonly string[],
  issues: QueryIssues,
): Sort<Key> | undefined {
  const direction = SORT_DIRECTIONS.find((candidate) => text.endsWith(`-${candidate}`));
  const word = direction === undefined ? '' : text.slice(0, -direction.length - 1);
  if (direction === undefined || word === '' || /[{}\s]/.test(word)) {
    const expected = `a key with its direction, such as ${keys[0]}-asc`;
    return issues.add('malformed-value', 'sort', expected, text, { allowed });
  }
  if (isOneOf(word, keys)) return { key: word, direction };
  return issues.addUnknown('unknown-value', 'sort', word, keys, `one of ${keys.join(', ')}`);
}

interface Limits {
  /** Products or deals per page. */
  page?: number | undefined;
  /** Deals per product. */
  deals?: number | undefined;
}

/** Reads `limit=`: items per page and, of products as `deals(n)`, deals per product (spec §4.5, D15). Never clamps. */
function parseLimit(text: string, resource: ResourceWord, issues: QueryIssues): Limits {
  const isOfDeals = resource === 'deals';
  const expected = isOfDeals ? 'a whole number of deals' : 'a whole number, deals(<n>), or both separated by a comma';
  const parseCount = (digits: string, max: number, what: string): number | undefined => {
    if (!/^-?[0-9]+$/.test(digits)) return issues.add('malformed-value', 'limit', expected, digits);
    const count = Number(digits);
    return count >= 1 && count <= max ? count : issues.add('out-of-range', 'limit', `1 to ${max} ${what}`, digits);
  };
  const limits: Limits = {};
  for (const [name, count] of readTerms('limit', text, expected, issues)) {
    if (name === '') limits.page = parseCount(count, MAX_PAGE_LIMIT, `${resource} per page`);
    else if (isOfDeals) issues.add('unknown-value', 'limit', expected, name);
    else if (name === 'deals') limits.deals = parseCount(count, MAX_DEALS_PER_PRODUCT, 'deals per product');
    else issues.addUnknown('unknown-value', 'limit', name, ['deals'], '<n> products, or deals(<n>) of each product');
  }
  return limits;
}

/** Reads `expand=` of a resource (spec §4.1). */
function parseExpand(text: string, resource: ResourceWord, issues: QueryIssues): ReadonlySet<string> {
  const words = parseWords('expand', text, tokenize(text), resource, issues);
  return new Set(Array.from(words, (word) => PREFIXED_EXPANSIONS.find((each) => each.word === word)?.means ?? word));
}

type Items = ReturnType<typeof tokenize>;

/** What `fields` chose of an item, and of its deals. */
type Fields = Projection & Pick<ProductsQuery, 'dealAttributes'>;

/** Reads `fields=` of a resource (spec §4.2, D7). Products also take words of deals: `products(…),deals(…)` (D26). */
function parseFields(text: string, resource: ResourceWord, issues: QueryIssues): Fields {
  const items = tokenize(text);
  const isOfDeals = (item: Item | undefined): boolean =>
    resource === 'deals' || (resource === 'products' && item?.name === 'deals' && item.bracket !== '');
  const [ofDeals, own] = [items.filter(isOfDeals), items.filter((item) => !isOfDeals(item))];
  const words = own.length === 0 ? new Set<string>() : parseWords('fields', text, own, resource, issues);
  const dealWords = ofDeals.length === 0 ? undefined : parseWords('fields', text, ofDeals, 'deals', issues);
  const choose = <Key>(fields: readonly { readonly word: string; readonly key: Key }[]): readonly Key[] | undefined => {
    const chosen = fields.filter(({ word }) => words.has(word)).map(({ key }) => key);
    return chosen.length === 0 ? undefined : chosen;
  };
  return {
    attributes: choose(PRODUCT_FIELDS),
    ...Object.fromEntries(GROUP_ROWS.map(([group, { fields }]) => [group, choose(fields)])),
    images: selectImages(words, resource, text, issues),
    dealAttributes: dealWords && DEAL_FIELDS.filter(({ word }) => dealWords.has(word)).map(({ key }) => key),
  };
}

/** Views x sizes x formats of the words listed; all three axes or none (spec §4.2). */
function selectImages(
  words: ReadonlySet<string>,
  resource: ResourceWord,
  text: string,
  issues: QueryIssues,
): readonly ImageKey[] | undefined {
  const axes = IMAGE_WORDS[resource];
  const view = axes.view.filter((word) => words.has(word));
  const size = axes.size.filter((word) => words.has(word));
  const format = axes.format.filter((word) => words.has(word));
  const missing = Object.entries({ view, size, format }).filter(([, chosen]) => chosen.length === 0);
  if (missing.length === 3) return undefined;
  if (missing.length > 0) {
    const words = missing.map(([name]) => [name, axes[name as keyof typeof axes] as readonly string[]] as const);
    // The axis is listed: `size` is also a word, that of the dimensions.
    const lists = words.map(([name, of]) => `a ${name} (${of.join(', ')})`);
    const expected = `at least one view, one size and one format for images; missing: ${lists.join(' and ')}`;
    const allowed = words.flatMap(([, of]) => of);
    return issues.add('incomplete-image-selection', 'fields', expected, text, { allowed });
  }
  return view.flatMap((v) => size.flatMap((s) => format.map((f) => imageKey(s, v, f))));
}

/** The whole projection. Where `fields` names an expanded group, it narrows it (D6). */
function joinProjection(expansions: ReadonlySet<string>, fields: Projection): Projection {
  const groups = GROUP_ROWS.map(([group, { word }]) => [
    group,
    fields[group] ?? (expansions.has(word) ? 'whole' : undefined),
  ]);
  return { attributes: fields.attributes, ...Object.fromEntries(groups) };
}

const BRACKET = /[(){}]/;

/**
 * The known words of a list such as `products(content,images)` (spec §4.1, §4.2); every other word is an issue. Braces may stand
 * for the parentheses, and the wrapper may be left out (D5).
 */
function parseWords(
  parameter: 'expand' | 'fields',
  text: string,
  items: Items,
  resource: ResourceWord,
  issues: QueryIssues,
): ReadonlySet<string> {
  const expected = `${resource}(<word>,<word>,…)`;
  let listed = items.map((item) => item?.name ?? '');
  const [wrapper, ...others] = items;
  if (items.some((item) => item?.bracket !== '')) {
    if (wrapper === undefined || others.length > 0 || wrapper.name === '' || BRACKET.test(wrapper.list.join())) {
      issues.add('malformed-value', parameter, expected, text);
      return new Set();
    }
    const { name } = wrapper;
    listed = [...wrapper.list];
    if (name !== resource) {
      const only = { allowed: [resource], suggestion: resource };
      issues.add('unknown-value', parameter, `the wrapper ${resource}(…)`, name, only);
      // The words of another resource would only give further issues.
      if (isOneOf(name, RESOURCE_WORDS)) return new Set();
    }
  }
  // A word listed twice counts once, a misspelled one too (D4).
  const words = new Set(listed);
  if (words.delete('')) issues.add('malformed-value', parameter, `${expected} without an empty word`, text);
  const known = (parameter === 'expand' ? EXPANSION_WORDS : FIELD_WORDS)[resource].map(({ word }) => word);
  return keepKnown(parameter, words, known, issues);
}

/** The words that a parameter knows; every other one is an issue. */
function keepKnown<Word extends string>(
  parameter: string,
  words: ReadonlySet<string>,
  known: readonly Word[],
  issues: QueryIssues,
): ReadonlySet<Word> {
  const kept = new Set<Word>();
  for (const word of words) {
    if (isOneOf(word, known)) kept.add(word);
    else issues.addUnknown('unknown-value', parameter, word, known, `one of the words of ${parameter}`);
  }
  return kept;
}
