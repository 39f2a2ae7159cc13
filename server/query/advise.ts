import {
  findForeign,
  FOREIGN_OPERATORS,
  FOREIGN_PARAMETERS,
  FOREIGN_SORT_KEYS,
  FOREIGN_VALUES,
  hasWord,
  joinWords,
  PARAMETER_USES,
  splitWords,
  type ForeignWord,
} from '../../data/query/foreign-word.ts';
import { FILTERS, type FilterOperator } from '../../data/query/filter.ts';
import { DEFAULT_PAGE_LIMIT, MAX_DEALS_PER_PRODUCT } from '../../data/query/parameter.ts';
import { findNearestWord } from '../../data/query/edit-distance.ts';
import { RESOURCE_WORDS } from '../../data/query/endpoint.ts';
import { DEAL_SORT_KEYS, listOrders, PRODUCT_SORT_KEYS } from '../../data/query/vocabulary.ts';
import {
  adviseFilter,
  compareUse,
  fillFilter,
  isPlain,
  LIST,
  MAX_ADVISED_LENGTH,
  PLACEHOLDER,
  writeFilterUse,
  type AdviceContext,
  type SentParameter,
} from './advise-filter.ts';
import type { QueryIssue } from './query-issue.ts';

/** Errors of a request that get advice: each costs several parses of a query. */
export const MAX_ADVISED_FAULTS = 10;
const FILTER = /^filter\[[^[\]]*\]$/;

/** The advice for parameters of pages. */
const PAGES = FOREIGN_PARAMETERS.find(({ words }) => hasWord(words, 'page')) as ForeignWord;

const DESCENDING = new Set(['desc', 'descending', 'reverse']);
const ORDERS = [...listOrders('products', PRODUCT_SORT_KEYS), ...listOrders('deals', DEAL_SORT_KEYS)].map(
  ({ word }) => word,
);
const ORDER_WORDS = new Set([...DESCENDING, 'asc', 'ascending', 'deals', 'products']);
const FILTER_NAMES: readonly string[] = FILTERS.map(({ name }) => name);
/** Words around the name of a filter in other interfaces: `filters[price]`, `where[price]`. */
const WRAPPERS = new Set(['filter', 'filters', 'where', 'pagination']);
const WHOLE = 'leave it out: everything comes in one answer';

/**
 * Adds to an error what to send instead of a word of another interface, or of a filter without its operator. Every
 * suggested query without a `<…>` has been parsed without errors.
 */
export function advise(issue: QueryIssue, asked: AdviceContext): QueryIssue {
  const { parameter } = issue;
  if (Math.max(parameter.length, issue.value.length) > MAX_ADVISED_LENGTH) return issue;
  if (issue.code === 'malformed-value' && asked.valuesOf(parameter)[0] === '') return adviseEmpty(issue, asked);
  switch (issue.code) {
    case 'unknown-parameter':
      return adviseParameter(issue, asked);
    case 'malformed-value':
    case 'unknown-value':
      if (parameter === 'id') return adviseId(issue);
      if (parameter === 'limit') return adviseLimit(issue, asked);
      if (parameter === 'sort') return adviseSort(issue, asked);
      if (parameter === 'expand' || parameter === 'fields') return adviseValue(issue, asked);
      if (parameter.startsWith('filter[')) return adviseFilter(issue, asked);
      return issue;
    case 'repeated-parameter':
      return adviseRepeated(issue, asked);
    case 'out-of-range':
      return parameter === 'limit' ? adviseRange(issue, asked) : issue;
    case 'incomplete-image-selection':
    case 'invalid-cursor':
    case 'too-many-deals':
      return issue;
  }
}

function adviseEmpty(issue: QueryIssue, asked: AdviceContext): QueryIssue {
  const use = findUse(issue.parameter);
  const offered = use === undefined ? undefined : offerUses([use], NOTHING, asked);
  return { ...issue, advice: offered === undefined ? 'leave it out' : `leave it out, or use ${offered}` };
}

function findUse(parameter: string): string | undefined {
  return Object.entries(PARAMETER_USES).find(([name]) => name === parameter)?.[1];
}

/** Joins the values of a repeated parameter, where it takes a list. */
function adviseRepeated(issue: QueryIssue, asked: AdviceContext): QueryIssue {
  const { parameter } = issue;
  const values = asked.valuesOf(parameter);
  const parts = values.map((value) => LIST.exec(value));
  const inner = parts.map((part, at) => part?.[2] ?? values[at]).join(',');
  const opening = parts[0]?.[1];
  const isOneOperator = parts.every((part) => part?.[1] === opening);
  const once = [
    ...(parameter === 'sort' || parameter === 'limit' ? [values.join(',')] : []),
    ...(parameter === 'expand' || parameter === 'fields' ? [`${asked.resource}(${inner})`] : []),
    ...(parameter.startsWith('filter[') && isOneOperator ? [`${opening ?? 'eq'}{${inner}}`] : []),
  ].find((value) => isPlain(value) && asked.canAsk(`${parameter}=${value}`));
  return once === undefined ? issue : { ...issue, advice: `use ${parameter}=${once}` };
}

const NOTHING: SentParameter = { word: '', value: '' };

function adviseParameter(issue: QueryIssue, asked: AdviceContext): QueryIssue {
  const { parameter } = issue;
  if (parameter.startsWith('amp;')) return { ...issue, advice: 'write & alone, as everywhere outside HTML' };
  const words = splitWords(parameter);
  const own = adviseOwn(words, asked.valuesOf(parameter), asked);
  if (own !== undefined) return { ...issue, ...own };
  const value = asked.valuesOf(parameter)[0] ?? '';
  const { base, operator } = splitOperator(words.length > 1 && WRAPPERS.has(words[0] ?? '') ? words.slice(1) : words);
  // `maxPrice` says more than the usual `eq`.
  const sent = { word: base, value: operator === undefined ? value : value.replace(/^eq\{([^{}]*)\}$/, '$1') };
  const exact = FILTER_NAMES.find((name) => name.toLowerCase() === base);
  const rows =
    exact === undefined ? [joinWords(parameter), base].flatMap((word) => findRows(FOREIGN_PARAMETERS, word)) : [];
  for (const row of rows) {
    const advice = adviseRow(operator === undefined ? row : compareBy(row, operator), sent, asked);
    if (advice !== undefined) return { ...issue, ...advice };
  }
  const filter = exact ?? findNearestWord(base, FILTER_NAMES);
  if (!asked.parameters.includes('limit')) {
    const isOfList = rows.length > 0 || filter !== undefined || ['limit', 'sort', 'cursor'].includes(base);
    return isOfList ? { ...issue, advice: WHOLE } : issue;
  }
  if (rows.length > 0 && asked.endpoint === 'product') return { ...issue, advice: WHOLE };
  // A slip within the brackets is told by the suggestion alone.
  if (filter === undefined || (operator === undefined && FILTER.test(parameter))) return issue;
  const row = compareBy({ words: base, uses: [writeFilterUse(filter)] }, operator ?? 'eq');
  return { ...issue, ...adviseRow(row, sent, asked) };
}

/** A parameter of the endpoint in the spelling of another interface: `expand[]`, `fields[0]`, `sort[price]`. */
function adviseOwn(
  [word = '', ...rest]: readonly string[],
  values: readonly string[],
  asked: AdviceContext,
): Pick<QueryIssue, 'advice' | 'suggestion'> | undefined {
  const use = asked.parameters.some((parameter) => parameter === word) ? findUse(word) : undefined;
  if (use === undefined) return undefined;
  const keys = rest.filter((each) => !/^[0-9]+$/.test(each) && !(RESOURCE_WORDS as readonly string[]).includes(each));
  if (keys.length > 0 && (word !== 'sort' || findSort(keys.join('-'), asked) === undefined)) return undefined;
  return adviseRow(
    { words: word, uses: [use] },
    { word, value: [keys.join('-'), values.join(',')].join(' ').trim() },
    asked,
  );
}

/** A row with the operator that was sent, if its filter allows that. */
function compareBy(row: ForeignWord, operator: FilterOperator): ForeignWord {
  return { ...row, uses: row.uses.map((use) => compareUse(use, operator)) };
}

/** Splits `pricelte`, `min_price` or `price[gte]` into its base and its operator. */
function splitOperator(words: readonly string[]): { readonly base: string; readonly operator?: FilterOperator } {
  for (const at of [words.length - 1, 0]) {
    const operator = words.length > 1 ? findForeign(FOREIGN_OPERATORS, words[at] ?? '') : undefined;
    if (operator !== undefined) return { base: words.toSpliced(at, 1).join(''), operator };
  }
  return { base: words.join('') };
}

function adviseId(issue: QueryIssue): QueryIssue {
  const [, id] = /^([0-9]{1,20})\.[a-z]+$/.exec(issue.value) ?? [];
  if (id !== undefined) return { ...issue, advice: `use /deals/v1/products/${id}/` };
  const slug = issue.value.toLowerCase();
  const value = /^[a-z0-9._~-]+$/.test(slug) && /[a-z]/.test(slug) ? slug : '<product slug>';
  return { ...issue, advice: `a slug is asked for by /deals/v1/products/?filter[slug]=eq{${value}}` };
}

/** Other interfaces accept a page with the limit (`10,20`), or `all`. */
function adviseLimit(issue: QueryIssue, asked: AdviceContext): QueryIssue {
  const [sent = ''] = asked.valuesOf('limit');
  const respelled = [
    sent.replaceAll(/[;| ]+/g, ','),
    sent.replaceAll(/products\(([^()]*)\)/g, '$1'),
    sent.replaceAll(/[{}]/g, (brace) => (brace === '{' ? '(' : ')')),
  ];
  const value = respelled.find((each) => isPlain(each) && asked.canAsk(`limit=${each}`));
  if (value !== undefined) return { ...issue, advice: `use limit=${value}` };
  if (sent.includes('(') || sent === 'deals') return issue;
  return { ...issue, advice: adviseRow(PAGES, NOTHING, asked)?.advice ?? WHOLE };
}

/** The nearest valid limit; a negative one means no limit in other interfaces. */
function adviseRange(issue: QueryIssue, asked: AdviceContext): QueryIssue {
  const { endpoint, canAsk, maxProducts } = asked;
  const [sent = ''] = asked.valuesOf('limit');
  const clamp = (number: number, max: number): number => (number < 0 || number > max ? max : Math.max(1, number));
  let isPaged = false;
  const value = sent.replaceAll(/(deals\( *)?(-?[0-9]+)/g, (_, deals: string | undefined, digits: string) => {
    const number = Number(digits);
    if (deals !== undefined) return `deals(${clamp(number, MAX_DEALS_PER_PRODUCT)}`;
    if (endpoint === 'product' && !sent.includes('deals')) return `deals(${clamp(number, MAX_DEALS_PER_PRODUCT)})`;
    isPaged = endpoint !== 'product' && clamp(number, maxProducts) === maxProducts && number !== maxProducts;
    return String(clamp(number, maxProducts));
  });
  if (!isPlain(value) || !canAsk(`limit=${value}`)) return issue;
  return { ...issue, advice: `use limit=${value}${isPaged ? `, ${PAGES.note}` : ''}` };
}

function adviseSort(issue: QueryIssue, asked: AdviceContext): QueryIssue {
  const [sent = ''] = asked.valuesOf('sort');
  // A key that is misspelled has a suggestion; `monthly-cost` is no misspelled `total-cost`.
  const isForeign = findForeign(FOREIGN_SORT_KEYS, joinWords(issue.value)) !== undefined;
  if (issue.suggestion !== undefined && !isForeign) return issue;
  // Every key of the list costs a search, for each error.
  if (sent.length > MAX_ADVISED_LENGTH) return { allowed: ORDERS, ...issue };
  const items = sent.split(',');
  const sorts = items.map((item) => findSort(item.trim(), asked));
  const chosen = ['products', 'deals'].flatMap((wrapper) => sorts.find((sort) => sort?.startsWith(wrapper)) ?? []);
  const [wrapper] = chosen[0]?.split('(') ?? [];
  const some = findSort(items.find((item) => item.includes(issue.value)) ?? sent, asked);
  const sort = sorts.includes(undefined) ? some : chosen.join(',');
  if (sort === undefined || !asked.canAsk(`sort=${sort}`)) return { allowed: ORDERS, ...issue };
  const isCut = sort !== some && chosen.length < items.length;
  const { suggestion: _nearest, ...rest } = issue;
  return { ...rest, advice: `use sort=${sort}${isCut ? `, with one key for ${wrapper}` : ''}` };
}

/** The sort that `-price`, `price:desc` or `products(price)` means. */
function findSort(text: string, { endpoint }: AdviceContext): string | undefined {
  const words = splitWords(text);
  const names = words.filter((word) => !ORDER_WORDS.has(word) && !/^[0-9]+$/.test(word));
  const keys = [...PRODUCT_SORT_KEYS, ...DEAL_SORT_KEYS];
  const base = names.join('');
  const key =
    keys.find((candidate) => joinWords(candidate) === base) ??
    findForeign(FOREIGN_SORT_KEYS, base) ??
    findNearestWord(names.join('-'), keys);
  if (key === undefined) return undefined;
  const isOf = (table: readonly string[]): boolean => table.includes(key);
  const isMeantOfDeals = words.includes('deals') || endpoint === 'product';
  const isOfProducts = isOf(PRODUCT_SORT_KEYS) && !(isMeantOfDeals && isOf(DEAL_SORT_KEYS));
  return `${isOfProducts ? 'products' : 'deals'}(${key}-${isDescending(text) ? 'desc' : 'asc'})`;
}

function isDescending(text: string): boolean {
  return /(?:^| )-/.test(text) || splitWords(text).some((word) => DESCENDING.has(word));
}

function adviseValue(issue: QueryIssue, asked: AdviceContext): QueryIssue {
  const { parameter, value } = issue;
  if (/^[-!]/.test(value)) {
    const { suggestion: _opposite, ...rest } = issue;
    return { ...rest, advice: `leave it out: ${parameter} lists what to have` };
  }
  // The nearest word of the same list is a better guess than one of others.
  if (issue.suggestion !== undefined) return issue;
  const [sent = ''] = asked.valuesOf(parameter);
  const [own, other] = parameter === 'expand' ? ['expand', 'fields'] : ['fields', 'expand'];
  const respelled = [
    ...(sent.length > MAX_ADVISED_LENGTH ? [] : [`${own}=${writeList(sent.split(/[^A-Za-z0-9-]+/), asked)}`]),
    // The key of a picture: `largeFrontImageWebp`.
    `${own}=${writeList(splitWords(value), asked)}`,
  ].find((query) => query.length <= MAX_ADVISED_LENGTH && asked.canAsk(query));
  if (respelled !== undefined) return { ...issue, advice: `use ${respelled}` };
  for (const row of findRows(FOREIGN_VALUES, joinWords(value))) {
    const advice = adviseRow(row, NOTHING, asked)?.advice;
    if (advice !== undefined) return { ...issue, advice };
  }
  const elsewhere = `${other}=${asked.resource}(${value})`;
  return isPlain(value) && asked.canAsk(elsewhere) ? { ...issue, advice: `use ${elsewhere}` } : issue;
}

function writeList(words: readonly string[], { resource }: AdviceContext): string {
  const own = words.filter((word) => !['', 'image', ...RESOURCE_WORDS].includes(word));
  return `${resource}(${own.join(',')})`;
}

function findRows(rows: readonly ForeignWord[], word: string): readonly ForeignWord[] {
  return word === '' ? [] : rows.filter(({ words }) => hasWord(words, word));
}

/** The advice of a row for this endpoint; undefined if the endpoint takes none of it. */
function adviseRow(
  { uses, note }: ForeignWord,
  sent: SentParameter,
  asked: AdviceContext,
): Pick<QueryIssue, 'advice' | 'suggestion'> | undefined {
  if (uses[0] === '') return { advice: `leave it out: ${note ?? ''}` };
  const offered = offerUses(uses, sent, asked);
  if (offered === undefined) return undefined;
  return {
    suggestion: offered.slice(0, offered.indexOf('=')),
    advice: `use ${offered}${note === undefined ? '' : `, ${note}`}`,
  };
}

/** The uses that the endpoint accepts, filled with the value that was sent. */
function offerUses(uses: readonly string[], sent: SentParameter, asked: AdviceContext): string | undefined {
  const offered = uses
    .flatMap((use) => adaptUse(use, asked))
    .filter((use) => (PLACEHOLDER.test(use) ? takes(use, asked) : asked.canAsk(use)))
    .map((use) => (PLACEHOLDER.test(use) ? fill(use, sent, asked) : use));
  return offered.length === 0 ? undefined : offered.join(' or ');
}

/** A use for the endpoint. One product has at most two variants, so no limit of products or sort of products is offered. */
function adaptUse(use: string, { endpoint, resource, parameters, maxProducts }: AdviceContext): readonly string[] {
  if (use === PAGES.uses[0])
    return endpoint === 'product' ? [] : [`limit=${Math.min(DEFAULT_PAGE_LIMIT, maxProducts)}`];
  if (use === PARAMETER_USES.limit && endpoint === 'product') return ['limit=deals(<number of deals>)'];
  if (use === PARAMETER_USES.sort && endpoint === 'product') return ['sort=deals(<key>-asc)'];
  const own = use === PARAMETER_USES.expand && !parameters.includes('expand') ? PARAMETER_USES.fields : use;
  return [own.replace('=products(', `=${resource}(`)];
}

function takes(use: string, { parameters }: AdviceContext): boolean {
  return parameters.some((parameter) => use.startsWith(parameter));
}

function fill(use: string, { word, value }: SentParameter, asked: AdviceContext): string {
  const parameter = use.slice(0, use.indexOf('='));
  const candidates = parameter.startsWith('filter[')
    ? fillFilter(use, { word, value }, asked)
    : fillParameter(use, value, asked);
  if (parameter !== 'sort') return candidates.find(asked.canAsk) ?? use;
  const text = DESCENDING.has(word) ? `${value} ${word}` : value;
  const sorts = DESCENDING.has(word) ? [] : candidates;
  const sort = [...sorts, `sort=${findSort(text, asked) ?? ''}`].find(asked.canAsk);
  return sort ?? (isDescending(text) ? use.replace('-asc', '-desc') : use);
}

function fillParameter(use: string, value: string, { resource }: AdviceContext): readonly string[] {
  const parameter = use.slice(0, use.indexOf('='));
  const words = parameter === 'expand' || parameter === 'fields' ? findRows(FOREIGN_VALUES, joinWords(value)) : [];
  const plain = isPlain(value) ? [`${parameter}=${value}`, use.replace(PLACEHOLDER, value.toLowerCase())] : [];
  return [
    // A number alone is a limit of products.
    ...(parameter === 'limit' ? plain.toReversed() : plain),
    ...words.flatMap(({ uses }) => uses.map((each) => each.replace('=products(', `=${resource}(`))),
  ];
}
