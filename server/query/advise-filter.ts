import type { EndpointName, ParameterName, ResourceWord } from '../../data/query/endpoint.ts';
import { FILTER_OF_PARAMETER, operatorsOf, type FilterKind, type FilterOperator } from '../../data/query/filter.ts';
import {
  findForeign,
  FOREIGN_FILTER_VALUES,
  FOREIGN_INTERVALS,
  FOREIGN_OPERATORS,
  FOREIGN_UNITS,
  hasWord,
  joinWords,
} from '../../data/query/foreign-word.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { QueryIssue } from './query-issue.ts';

/** The request that has the error. */
export interface AdviceContext {
  readonly endpoint: EndpointName;
  readonly resource: ResourceWord;
  readonly parameters: readonly ParameterName[];
  /** The values of a parameter, one for each time it was sent. */
  readonly valuesOf: (parameter: string) => readonly string[];
  /** Whether the endpoint accepts a query. */
  readonly canAsk: (query: string) => boolean;
  /** The maximum of `limit`. */
  readonly maxProducts: number;
  /** The slugs of a name in the catalogue, for filters of a kind. */
  readonly slugsOf: (kind: FilterKind, name: string) => readonly string[];
}

/** An unknown parameter: its name without wrapper, and its value. */
export interface SentParameter {
  readonly word: string;
  readonly value: string;
}

/** `eq{a,b}`, `products(a,b)`: the word before the values, and the values. */
export const LIST = /^([a-z]*)[({]([^(){}]*)[)}]$/i;

/** Longer texts are no typing errors. */
export const MAX_ADVISED_LENGTH = 80;

/** Characters that need no encoding in a query, so that advice can be pasted. */
const PLAIN_VALUE = /^[A-Za-z0-9._~,(){}-]+$/;
export const PLACEHOLDER = /<[^<>]*>/;

export function isPlain(value: string): boolean {
  return value.length <= MAX_ADVISED_LENGTH && PLAIN_VALUE.test(value);
}

/** More values than these are no slip. */
const MAX_OFFERED_VALUES = 3;

const YES = new Set(['', '1', 'true', 'yes', 'on', 'only']);
const NO = new Set(['0', 'false', 'no', 'off']);

/** Symbols or a word before a value with any wrapper: `<30`, `lte:30`, `in(a,b)`, `30`. */
const COMPARED = /^([<>=!]+|[a-z]+(?=[\s:.([{]))?[\s:.([{]*([^\s:.(){}[\]<>=!][^(){}[\]]*)[)\]}]*$/i;
const INTERVAL = /^([0-9]+(?:\.[0-9]+)?)(?:-|\.\.|,|to)([0-9]+(?:\.[0-9]+)?)$/;

/** Adds the correct filter for a value in the form of another interface: `<30`, `in(a,b)`, `20-30`, a name. */
export function adviseFilter(issue: QueryIssue, asked: AdviceContext): QueryIssue {
  const { parameter } = issue;
  const kind = findKind(parameter);
  // As the lists name it.
  const [slug] = kind === undefined || issue.code !== 'unknown-value' ? [] : asked.slugsOf(kind, issue.value);
  if (slug !== undefined) return { ...issue, suggestion: slug };
  const sent = asked.valuesOf(parameter).find((value) => value.includes(issue.value)) ?? '';
  const isShort = sent.length <= MAX_ADVISED_LENGTH;
  const single = isShort && kind !== 'name' ? offerSingleValues(parameter, sent, asked) : undefined;
  if (single !== undefined) return { ...issue, advice: single };
  const [, first = '', rest = ''] = isShort ? (COMPARED.exec(sent) ?? []) : [];
  // In a value of two words, the first is no operator: `Dial Stone`.
  const isValue =
    isShort &&
    ((kind !== undefined && asked.slugsOf(kind, sent).length > 0) ||
      (/^[a-z0-9]+(?: [a-z0-9]+)+$/i.test(sent) && findForeign(FOREIGN_OPERATORS, first.toLowerCase()) === undefined));
  const [word, text] = isValue ? ['', sent] : [first, rest];
  const symbol = word.toLowerCase();
  const operator = kind === 'name' ? 'has' : symbol === '' ? 'eq' : findForeign(FOREIGN_OPERATORS, symbol);
  const [, from = '', to = ''] = INTERVAL.exec(text) ?? [];
  const isInterval = symbol === '' || hasWord(FOREIGN_INTERVALS, symbol);
  const offered = [
    ...(isInterval && from !== '' ? [[`gte{${from}}`, `lte{${to}}`]] : []),
    ...(operator === undefined || text === ''
      ? []
      : listReadings(kind, text, asked).map((value) => [`${operator}{${value}}`])),
  ]
    .filter((operations) => operations.every(isPlain))
    .map((operations) => operations.map((operation) => `${parameter}=${operation}`).join('&'))
    .find(asked.canAsk);
  if (offered === undefined) return issue;
  // `neq` is no misspelled `eq`; misspelled operators have a suggestion.
  const isOperator = issue.value === word && operator !== undefined;
  if (issue.suggestion !== undefined && !isOperator) return issue;
  return { ...issue, ...(isOperator ? { suggestion: operator } : {}), advice: `use ${offered}` };
}

/** `1,000`; of `30,500` it is not known whether it is one amount or two. */
const THOUSANDS = /^[1-9],[0-9]{3}(?:\.[0-9]{1,2})?$/;

/** Each of a few valid values for an operator that takes one: `lt{10,20}` may be two values or a decimal comma. */
function offerSingleValues(parameter: string, sent: string, { canAsk }: AdviceContext): string | undefined {
  const [, operator = '', list = ''] = LIST.exec(sent) ?? [];
  const thousands = `${parameter}=${operator}{${list.replaceAll(',', '')}}`;
  if (THOUSANDS.test(list) && canAsk(thousands)) return `use ${thousands}`;
  const offered = list.split(',').map((value) => `${parameter}=${operator}{${value.trim()}}`);
  const isFew = offered.length > 1 && offered.length <= MAX_OFFERED_VALUES;
  if (!isFew || !offered.every(canAsk) || canAsk(`${parameter}=${operator}{${list}}`)) return undefined;
  return `use ${offered.join(' or ')}, since a comma separates values and a point decimals`;
}

/** An amount with its unit and a decimal point or comma: `£30`, `10GB`, `2 years`, `29,99`. */
const AMOUNT = /^[£€$]?([0-9]+)(?:[.,]([0-9]{1,2}))? ?([a-z]*)$/i;

/** Possible meanings of a filter value: `Apple`, `Dial Stone`, `used`, `10GB`, `free`. */
function listReadings(kind: FilterKind | undefined, text: string, asked: AdviceContext): readonly string[] {
  const units = kind === undefined ? undefined : FOREIGN_UNITS[kind];
  // A hyphen separates the words of a name as a space does, and needs no encoding.
  if (kind === 'name') return [text, text.replaceAll(/[\s,]+/g, '-')];
  const lowerCase = text.toLowerCase();
  const list = [text, lowerCase, text.replaceAll(/[;|]/g, ',')];
  if (units === undefined) {
    return [
      ...list,
      nameSlugs(kind, text, asked),
      lowerCase.replaceAll(' ', '-'),
      findForeign(FOREIGN_FILTER_VALUES, joinWords(text)) ?? text,
    ];
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

/** The slugs of a name, or of the names in a list; names without one stay unchanged. */
function nameSlugs(kind: FilterKind | undefined, text: string, { slugsOf }: AdviceContext): string {
  if (kind === undefined) return text;
  const whole = slugsOf(kind, text);
  if (whole.length > 0) return whole.join(',');
  return text
    .split(/[,;|]/)
    .map((part) => part.trim())
    .map((part) => slugsOf(kind, part).join(',') || part)
    .join(',');
}

/** Replaces the `<…>` of a use by the value that was sent, in every possible meaning. */
export function fillFilter(use: string, { word, value }: SentParameter, asked: AdviceContext): readonly string[] {
  const parameter = use.slice(0, use.indexOf('='));
  const kind = findKind(parameter);
  const [, comparison = '', text = value] = value.length > MAX_ADVISED_LENGTH ? [] : (LIST.exec(value) ?? []);
  const operator = findForeign(FOREIGN_OPERATORS, comparison.toLowerCase());
  const compared = operator === undefined ? use : compareUse(use, operator);
  const put = (reading: string | undefined, into = compared): readonly string[] =>
    reading !== undefined && isPlain(reading) ? [into.replace(PLACEHOLDER, reading)] : [];
  // Every slug is valid, so only slugs of the catalogue are offered.
  if (use.includes('<product slug>')) {
    const slugs = nameSlugs(kind, text, asked);
    return slugs === text && asked.slugsOf('slug', text).length === 0 ? [] : put(slugs);
  }
  const flag = findForeign(FOREIGN_FILTER_VALUES, word);
  const answer = text.toLowerCase();
  return [
    ...(YES.has(answer) ? put(flag) : []),
    ...(NO.has(answer) ? put(flag, compareUse(use, 'ne')) : []),
    ...listReadings(kind, text, asked).flatMap((reading) => put(reading)),
  ];
}

/** A use of a filter with the first of its operators. */
export function writeFilterUse(name: string): string {
  const parameter = `filter[${name}]`;
  const kind = findKind(parameter);
  return `${parameter}=${kind === undefined ? 'eq' : operatorsOf(kind)[0]}{<value>}`;
}

/** A use with another operator, if its filter allows that. */
export function compareUse(use: string, operator: FilterOperator): string {
  const kind = findKind(use.slice(0, use.indexOf('=')));
  return kind !== undefined && operatorsOf(kind).includes(operator) ? use.replace(/=[a-z]+\{/, `=${operator}{`) : use;
}

function findKind(parameter: string): FilterKind | undefined {
  return FILTER_OF_PARAMETER.get(parameter)?.kind;
}

type Slugs = ReadonlyMap<string, readonly string[]>;

/** Made at the first use, once for each index. */
const SLUGS = new WeakMap<CatalogueIndex, Map<FilterKind, Slugs>>();

/**
 * The slugs of the records with this name or slug, ignoring case; of products also with this model. Empty for filters
 * whose values have no names.
 */
export function findSlugs(kind: FilterKind, name: string, index: CatalogueIndex): readonly string[] {
  const ofIndex = SLUGS.get(index) ?? new Map<FilterKind, Slugs>();
  SLUGS.set(index, ofIndex);
  const slugs = ofIndex.get(kind) ?? collectSlugs(kind, index);
  ofIndex.set(kind, slugs);
  return slugs.get(name.toLowerCase()) ?? [];
}

function collectSlugs(kind: FilterKind, index: CatalogueIndex): Slugs {
  const slugs = new Map<string, string[]>();
  for (const { name, slug, model } of listNamed(kind, index)) {
    for (const key of new Set([slug, name.toLowerCase(), model ?? slug])) {
      const sameName = slugs.get(key);
      if (sameName === undefined) slugs.set(key, [slug]);
      else sameName.push(slug);
    }
  }
  return slugs;
}

interface NamedRecord {
  readonly name: string;
  readonly slug: string;
  readonly model?: string | undefined;
}

/** The records with names, by the kind of filter that takes their slugs. */
const NAMED: Readonly<Partial<Record<FilterKind, 'networks' | 'retailers' | 'manufacturers' | 'products'>>> = {
  network: 'networks',
  retailer: 'retailers',
  manufacturer: 'manufacturers',
  slug: 'products',
};

function listNamed(kind: FilterKind, index: CatalogueIndex): readonly NamedRecord[] {
  const records = NAMED[kind];
  return records === undefined ? [] : index[records];
}
