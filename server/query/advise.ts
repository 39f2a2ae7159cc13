import {
  findForeign,
  FOREIGN_FILTER_VALUES,
  FOREIGN_INTERVALS,
  FOREIGN_OPERATORS,
  FOREIGN_PARAMETERS,
  FOREIGN_SORT_KEYS,
  FOREIGN_UNITS,
  FOREIGN_VALUES,
  hasWord,
  joinWords,
  splitWords,
  type ForeignWord,
} from '../../data/query/foreign-word.ts';
import type { ParameterName } from '../../data/query/endpoint.ts';
import { FILTERS, type FilterOperator } from '../../data/query/filter.ts';
import { findNearestWord } from '../../data/query/nearest-word.ts';
import { RESOURCE_WORDS, type ResourceWord } from '../../data/query/resource.ts';
import { DEAL_SORT_KEYS, PRODUCT_SORT_KEYS } from '../../data/query/sort.ts';
import { listOrders } from '../../data/query/value-word.ts';
import { OPERATORS_OF_KIND } from './parse-filter.ts';
import type { QueryIssue } from './query-issue.ts';

/** The request that a fault is of. */
export interface Asked {
  readonly resource: ResourceWord;
  readonly parameters: readonly ParameterName[];
  /** What was sent, once for each time that a parameter was. */
  readonly valuesOf: (parameter: string) => readonly string[];
  /** Whether the endpoint takes a query. */
  readonly canAsk: (query: string) => boolean;
}

/** Faults of a request that are advised about: each costs some readings of a query. */
export const MAX_ADVISED_FAULTS = 10;
/** `eq{a,b}`, `products(a,b)`: what stands before the values, and the values. */
const LIST = /^([a-z]*)[({]([^(){}]*)[)}]$/i;
const FILTER = /^filter\[[^[\]]*\]$/;

/** Longer texts are no slip of a person. */
const MAX_ADVISED_LENGTH = 80;

/** What stands for itself in a query, so that advice can be pasted. */
const PLAIN_VALUE = /^[A-Za-z0-9._~,(){}-]+$/;
const PLACEHOLDER = /<[^<>]*>/;

const DESCENDING = new Set(['desc', 'descending', 'reverse']);
const ORDERS = [...listOrders('products', PRODUCT_SORT_KEYS), ...listOrders('deals', DEAL_SORT_KEYS)].map(
  ({ word }) => word,
);
const ORDER_WORDS = new Set([...DESCENDING, 'asc', 'ascending', 'deals', 'products']);
const FILTER_NAMES: readonly string[] = FILTERS.map(({ name }) => name);
/** What others put around the name of a filter: `filters[price]`, `where[price]`. */
const WRAPPERS = new Set(['filter', 'filters', 'where', 'pagination']);

/**
 * Adds to a fault what to ask instead, where what was sent is usual elsewhere: a word of another interface, or a filter
 * without its operator. Every query that is offered without a `<…>` was read and found good.
 */
export function advise(issue: QueryIssue, asked: Asked): QueryIssue {
  const { parameter } = issue;
  if (Math.max(parameter.length, issue.value.length) > MAX_ADVISED_LENGTH) return issue;
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
    case 'incomplete-image-selection':
    case 'invalid-cursor':
    case 'too-many-deals':
      return issue;
  }
}

/** What was sent in parts, sent at once: where a comma may stand between the parts. */
function adviseRepeated(issue: QueryIssue, asked: Asked): QueryIssue {
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

function adviseParameter(issue: QueryIssue, asked: Asked): QueryIssue {
  const { parameter } = issue;
  const value = asked.valuesOf(parameter)[0] ?? '';
  const words = splitWords(parameter);
  const { base, operator } = splitOperator(words.length > 1 && WRAPPERS.has(words[0] ?? '') ? words.slice(1) : words);
  const exact = FILTER_NAMES.find((name) => name.toLowerCase() === base);
  const rows =
    exact === undefined ? [joinWords(parameter), base].flatMap((word) => findRows(FOREIGN_PARAMETERS, word)) : [];
  for (const row of rows) {
    const advice = adviseRow(operator === undefined ? row : compareBy(row, operator), value, asked);
    if (advice !== undefined) return { ...issue, ...advice };
  }
  const own = exact ?? findNearestWord(base, FILTER_NAMES);
  if (!asked.parameters.includes('limit')) {
    const isOfList = rows.length > 0 || own !== undefined || ['limit', 'sort', 'cursor'].includes(base);
    return isOfList ? { ...issue, advice: 'leave it out: everything comes in one answer' } : issue;
  }
  // A slip within the brackets is told by the suggestion alone.
  if (own === undefined || (operator === undefined && FILTER.test(parameter))) return issue;
  const row = compareBy({ words: base, uses: [`filter[${own}]=eq{<value>}`] }, operator ?? 'eq');
  return { ...issue, ...adviseRow(row, value, asked) };
}

/** A row with the operator that was sent, where its filter takes that. */
function compareBy(row: ForeignWord, operator: FilterOperator): ForeignWord {
  const uses = row.uses.map((use) => {
    const kind = FILTERS.find(({ name }) => use.startsWith(`filter[${name}]`))?.kind;
    const operators: readonly FilterOperator[] = kind === undefined ? [] : OPERATORS_OF_KIND[kind];
    return operators.includes(operator) ? use.replace(/=[a-z]+\{/, `=${operator}{`) : use;
  });
  return { ...row, uses };
}

/** `pricelte`, `min_price` or `price[gte]` without what compares, and the operator that it is here. */
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

/** Other interfaces take a page with the limit (`10,20`), or `all`. */
function adviseLimit(issue: QueryIssue, asked: Asked): QueryIssue {
  const [sent = ''] = asked.valuesOf('limit');
  const respelled = [sent.replaceAll(/[;| ]+/g, ','), sent.replace(/^products\((.*)\)$/, '$1')];
  const value = respelled.find((each) => isPlain(each) && asked.canAsk(`limit=${each}`));
  if (value !== undefined) return { ...issue, advice: `use limit=${value}` };
  const [row] = sent.includes('(') || sent === 'deals' ? [] : findRows(FOREIGN_PARAMETERS, 'page');
  const advice = row === undefined ? undefined : adviseRow(row, '', asked)?.advice;
  return advice === undefined ? issue : { ...issue, advice };
}

function adviseSort(issue: QueryIssue, { valuesOf, canAsk }: Asked): QueryIssue {
  const [sent = ''] = valuesOf('sort');
  const sort = findSort(sent.split(',').find((item) => item.includes(issue.value)) ?? sent);
  // A key that is misspelled has a suggestion.
  if (issue.suggestion !== undefined) return issue;
  if (sort === undefined || !canAsk(`sort=${sort}`)) return { allowed: ORDERS, ...issue };
  return { ...issue, advice: `use sort=${sort}` };
}

/** What `-price`, `price:desc`, `products(price)` are here. */
function findSort(text: string): string | undefined {
  const words = splitWords(text);
  const isDescending = text.startsWith('-') || words.some((word) => DESCENDING.has(word));
  const names = words.filter((word) => !ORDER_WORDS.has(word));
  const keys = [...PRODUCT_SORT_KEYS, ...DEAL_SORT_KEYS];
  const base = names.join('');
  const key =
    keys.find((candidate) => joinWords(candidate) === base) ??
    findForeign(FOREIGN_SORT_KEYS, base) ??
    findNearestWord(names.join('-'), keys);
  if (key === undefined) return undefined;
  const isOf = (table: readonly string[]): boolean => table.includes(key);
  const isOfProducts = isOf(PRODUCT_SORT_KEYS) && !(words.includes('deals') && isOf(DEAL_SORT_KEYS));
  return `${isOfProducts ? 'products' : 'deals'}(${key}-${isDescending ? 'desc' : 'asc'})`;
}

function adviseValue(issue: QueryIssue, asked: Asked): QueryIssue {
  const { parameter, value } = issue;
  // The nearest word of the same list is a better guess than one of others.
  if (issue.suggestion !== undefined) return issue;
  const [sent = ''] = asked.valuesOf(parameter);
  const [own, other] = parameter === 'expand' ? ['expand', 'fields'] : ['fields', 'expand'];
  const respelled = [
    `${own}=${writeList(sent.split(/[^A-Za-z0-9-]+/), asked)}`,
    // The key of a picture: `largeFrontImageWebp`.
    `${own}=${writeList(splitWords(value), asked)}`,
  ].find((query) => query.length <= MAX_ADVISED_LENGTH && asked.canAsk(query));
  if (respelled !== undefined) return { ...issue, advice: `use ${respelled}` };
  for (const row of findRows(FOREIGN_VALUES, joinWords(value))) {
    const advice = adviseRow(row, '', asked)?.advice;
    if (advice !== undefined) return { ...issue, advice };
  }
  const elsewhere = `${other}=${asked.resource}(${value})`;
  return isPlain(value) && asked.canAsk(elsewhere) ? { ...issue, advice: `use ${elsewhere}` } : issue;
}

function writeList(words: readonly string[], { resource }: Asked): string {
  const own = words.filter((word) => !['', 'image', ...RESOURCE_WORDS].includes(word));
  return `${resource}(${own.join(',')})`;
}

/** Symbols or a word before a value, however that is wrapped: `<30`, `lte:30`, `in(a,b)`, `30`. */
const COMPARED = /^([<>=!]+|[a-z]+(?=[\s:.([{]))?[\s:.([{]*([^\s:.(){}[\]<>=!][^(){}[\]]*)[)\]}]*$/i;
const INTERVAL = /^([0-9]+(?:\.[0-9]+)?)(?:-|\.\.|,|to)([0-9]+(?:\.[0-9]+)?)$/;

function adviseFilter(issue: QueryIssue, asked: Asked): QueryIssue {
  const { parameter } = issue;
  const sent = asked.valuesOf(parameter).find((value) => value.includes(issue.value)) ?? '';
  const isShort = sent.length <= MAX_ADVISED_LENGTH;
  const [, first = '', rest = ''] = isShort ? (COMPARED.exec(sent) ?? []) : [];
  // Of a value of two words the first compares nothing: `Dial Stone`.
  const isValue =
    isShort &&
    /^[a-z0-9]+(?: [a-z0-9]+)+$/i.test(sent) &&
    findForeign(FOREIGN_OPERATORS, first.toLowerCase()) === undefined;
  const [word, text] = isValue ? ['', sent] : [first, rest];
  const symbol = word.toLowerCase();
  const operator = symbol === '' ? 'eq' : findForeign(FOREIGN_OPERATORS, symbol);
  const [, from = '', to = ''] = INTERVAL.exec(text) ?? [];
  const isInterval = symbol === '' || hasWord(FOREIGN_INTERVALS, symbol);
  const offered = [
    ...(isInterval && from !== '' ? [[`gte{${from}}`, `lte{${to}}`]] : []),
    ...(operator === undefined || text === ''
      ? []
      : listReadings(parameter, text).map((value) => [`${operator}{${value}}`])),
  ]
    .filter((operations) => operations.every(isPlain))
    .map((operations) => operations.map((operation) => `${parameter}=${operation}`).join('&'))
    .find(asked.canAsk);
  if (offered === undefined) return issue;
  // `neq` is no slip of `eq`; other slips have their suggestion.
  const isOperator = issue.value === word && operator !== undefined;
  if (issue.suggestion !== undefined && !isOperator) return issue;
  return { ...issue, ...(isOperator ? { suggestion: operator } : {}), advice: `use ${offered}` };
}

/** An amount with its unit, whose decimals may stand behind a comma: `£30`, `10GB`, `2 years`, `29,99`. */
const AMOUNT = /^[£€$]?([0-9]+)(?:[.,]([0-9]{1,2}))? ?([a-z]*)$/i;

/** What may be meant by the value of a filter: `Apple`, `Dial Stone`, `used`, `10GB`, `free`. */
function listReadings(parameter: string, text: string): readonly string[] {
  const kind = FILTERS.find(({ name }) => parameter === `filter[${name}]`)?.kind;
  const units = kind === undefined ? undefined : FOREIGN_UNITS[kind];
  const lowerCase = text.toLowerCase();
  const list = [text, lowerCase, text.replaceAll(/[;|]/g, ',')];
  if (units === undefined) {
    return [...list, lowerCase.replaceAll(' ', '-'), findForeign(FOREIGN_FILTER_VALUES, joinWords(text)) ?? text];
  }
  const [, whole = '', decimals = '0', unit = ''] = AMOUNT.exec(text) ?? [];
  const factor = whole === '' ? undefined : units[unit.toLowerCase()];
  return [
    ...list,
    ...(factor === undefined ? [] : [String(Number(`${whole}.${decimals}`) * factor)]),
    findForeign(FOREIGN_FILTER_VALUES, joinWords(text)) ?? text,
    ...(lowerCase === 'free' ? ['0'] : []),
  ];
}

function findRows(rows: readonly ForeignWord[], word: string): readonly ForeignWord[] {
  return word === '' ? [] : rows.filter(({ words }) => hasWord(words, word));
}

/** What a row advises on this endpoint; undefined where none of it may be asked. */
function adviseRow(
  { uses, note }: ForeignWord,
  value: string,
  asked: Asked,
): Pick<QueryIssue, 'advice' | 'suggestion'> | undefined {
  if (uses[0] === '') return { advice: `leave it out: ${note ?? ''}` };
  const offered = offerUses(uses, value, asked);
  if (offered === undefined) return undefined;
  return {
    suggestion: offered.slice(0, offered.indexOf('=')),
    advice: `use ${offered}${note === undefined ? '' : `, ${note}`}`,
  };
}

/** Those of `uses` that may be asked of the endpoint, with the value that was sent where it is one. */
function offerUses(uses: readonly string[], value: string, asked: Asked): string | undefined {
  const offered = uses
    .map((use) => use.replace('=products(', `=${asked.resource}(`))
    .filter((use) => (PLACEHOLDER.test(use) ? takes(use, asked) : asked.canAsk(use)))
    .map((use) => (PLACEHOLDER.test(use) ? fill(use, value, asked) : use));
  return offered.length === 0 ? undefined : offered.join(' or ');
}

function takes(use: string, { parameters }: Asked): boolean {
  return parameters.some((parameter) => use.startsWith(parameter));
}

function fill(use: string, value: string, { resource, canAsk }: Asked): string {
  const parameter = use.slice(0, use.indexOf('='));
  const words = parameter === 'expand' || parameter === 'fields' ? findRows(FOREIGN_VALUES, joinWords(value)) : [];
  const candidates = [
    ...(isPlain(value) ? [`${parameter}=${value}`] : []),
    ...(isPlain(value) ? [value, value.toLowerCase()].map((text) => use.replace(PLACEHOLDER, text)) : []),
    ...(parameter === 'sort' ? [`sort=${findSort(value) ?? ''}`] : []),
    ...words.flatMap(({ uses }) => uses.map((each) => each.replace('=products(', `=${resource}(`))),
  ];
  return candidates.find(canAsk) ?? use;
}

function isPlain(value: string): boolean {
  return value.length <= MAX_ADVISED_LENGTH && PLAIN_VALUE.test(value);
}
