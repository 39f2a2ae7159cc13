import type { OracleCatalogue } from './catalogue.ts';
import { DEAL_SET_FILTERS, FILTER_NAMES, isSingle, operatorsOf, PRODUCT_FILTERS, QUANTITY_FILTERS } from './filters.ts';
import type { Random } from '../support/random.ts';
import { readTable } from '../support/table.ts';
import {
  DEAL_SORT_WORDS,
  DEAL_WORDS,
  FACET_WORDS,
  ENDPOINTS,
  PREFIXED_WORDS,
  PRODUCT_SORT_WORDS,
  type OracleEndpoint,
} from './words.ts';

/** What a request means, apart from how it is spelled: `spell` writes it down in one of many ways. */
export interface RandomQuery {
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

type Parameter =
  | {
      readonly kind: 'words';
      readonly name: 'expand' | 'fields';
      readonly wrapper: string;
      readonly words: string[];
      readonly ofDeals?: string[];
    }
  | { readonly kind: 'filter'; readonly name: string; readonly operator: string; readonly values: string[] }
  | { readonly kind: 'parts'; readonly name: 'sort' | 'limit'; readonly parts: string[] }
  /** Sent as it stands: a fault. */
  | { readonly kind: 'raw'; readonly name: string; readonly text: string };

const {
  products: PRODUCTS,
  deals: DEALS,
  gifts: GIFTS,
  giftCategories: CATEGORIES,
  networks,
  retailers,
  manufacturers,
} = ENDPOINTS;
const BARE_PATHS = [networks.path, retailers.path, manufacturers.path];

/** A valid request for anything the interface has. */
export function randomQuery(random: Random, catalogue: OracleCatalogue): RandomQuery {
  if (random.isLikely(0.04)) return { path: random.pick(BARE_PATHS), parameters: [] };
  if (random.isLikely(0.1)) return randomGiftQuery(random);
  if (random.isLikely(0.1)) return randomDealsQuery(random, catalogue);
  const id = random.isLikely(0.05) ? '424242' : random.pick(catalogue.products).id;
  const isList = random.isLikely(0.8);
  return {
    path: isList ? '/deals/v1/products/' : `/deals/v1/products/${id}/`,
    parameters: [
      ...maybe(random, 0.7, () => expandOf(random, PRODUCTS)),
      ...maybe(random, 0.35, () => productFieldsOf(random)),
      ...(random.isLikely(0.55) ? filtersOf(random, catalogue) : []),
      ...maybe(random, 0.4, () => sortOf(random)),
      ...maybe(random, 0.4, () => limitOf(random)),
      ...(isList ? maybe(random, 0.15, () => facetsOf(random)) : []),
    ],
  };
}

/** A request with one to three faults, each in a parameter of its own. */
export function randomFaultyQuery(random: Random, catalogue: OracleCatalogue): RandomQuery {
  if (random.isLikely(0.05)) return { path: random.pick(UNKNOWN_PATHS), parameters: [] };
  if (random.isLikely(0.05)) return { path: `/deals/v1/products/${random.pick(BROKEN_IDS)}/`, parameters: [] };
  if (random.isLikely(0.05)) {
    return {
      path: random.pick([GIFTS.path, CATEGORIES.path, ...BARE_PATHS]),
      parameters: [{ kind: 'raw', name: random.pick(['limit', 'sort', 'cursor', 'filter[condition]']), text: 'x' }],
    };
  }
  const valid = randomQuery(random, catalogue);
  if (valid.path === '/deals/v1/products/' && random.isLikely(0.05)) {
    const cursor: Parameter = {
      kind: 'raw',
      name: 'cursor',
      text: random.pick(['not-a-cursor', '0', 'AAAA', '%F0%9F%93%B1', '=', FORGED_CURSOR]),
    };
    return { path: valid.path, parameters: [...valid.parameters, cursor] };
  }
  const path = valid.path.startsWith('/deals/v1/products/') ? valid.path : '/deals/v1/products/';
  const chosen = random.shuffled(FAULTS).slice(0, random.pick([1, 1, 1, 2, 3]));
  // One fault per parameter: what two faults of one parameter are called together is not promised.
  const faults = chosen.filter(([name], position) => chosen.findIndex(([other]) => other === name) === position);
  const names = new Set(faults.map(([name]) => name));
  const nameOf = (parameter: Parameter): string =>
    parameter.kind === 'filter' ? `filter[${parameter.name}]` : parameter.name;
  const kept = path === valid.path ? valid.parameters.filter((parameter) => !names.has(nameOf(parameter))) : [];
  const wrong = faults.flatMap(([name, ...texts]) => texts.map((text): Parameter => ({ kind: 'raw', name, text })));
  return { path, parameters: [...kept, ...wrong] };
}

/** A cursor in the form that the server writes, which no server has written. It stands in `fixture/faults.ndjson` too. */
const FORGED_CURSOR = '0123456789abAAAAbbbb-_990000001k.1';

const UNKNOWN_PATHS = [
  '/deals/v1/product/',
  '/deals/v1/products//',
  '/deals/v1/Products/',
  '/deals/v2/products/',
  '/deals/v1/gifts/1/',
  '/deals/v1/gifts/categories/1/',
  '/deals/v1/products/1/deals/',
  '/deals/v1/%70roducts/',
  '/deals/v1/',
];
const BROKEN_IDS = ['abc', '1a', '-1', '1.0', '%31', '1%2F2', '%EF%BC%91'];

/** The name of a parameter, and the value of each time it is given. */
export const FAULTS = readTable<[name: string, ...values: string[]]>(import.meta.url, 'fixture/faults.ndjson');

/** Writes a query down as a request target; the same query can come out in thousands of spellings. */
export function spell(random: Random, query: RandomQuery): string {
  const style: Style = {
    random,
    isEncoded: random.isLikely(0.3),
    isSpaced: random.isLikely(0.2),
    isRepeating: random.isLikely(0.2),
  };
  const path = random.isLikely(0.8) || query.path.endsWith('//') ? query.path : query.path.slice(0, -1);
  const pairs = random.shuffled(query.parameters).map((parameter) => spellParameter(style, parameter));
  const separator = random.isLikely(0.05) ? '&&' : '&';
  const search = pairs.join(separator);
  if (search === '') return random.isLikely(0.1) ? `${path}?` : path;
  return `${path}?${search}${random.isLikely(0.05) ? '&' : ''}`;
}

interface Style {
  readonly random: Random;
  readonly isEncoded: boolean;
  readonly isSpaced: boolean;
  readonly isRepeating: boolean;
}

function spellParameter(style: Style, parameter: Parameter): string {
  switch (parameter.kind) {
    case 'raw':
      return `${parameter.name}=${parameter.text}`;
    case 'filter':
      return `${encode(style, `filter[${parameter.name}]`)}=${encode(
        style,
        `${parameter.operator}{${spellFilterValues(style, parameter)}}`,
      )}`;
    case 'parts':
      return `${parameter.name}=${encode(style, style.random.shuffled(parameter.parts).join(','))}`;
    case 'words': {
      const { name, wrapper, words, ofDeals = [] } = parameter;
      const list = (some: readonly string[]): string =>
        spellList(
          style,
          some.map((word) => spellWord(style, parameter, word)),
        );
      const own =
        words.length === 0
          ? []
          : [list(words)].map((text) => style.random.pick([`${wrapper}(${text})`, `${wrapper}{${text}}`, text]));
      const deals = ofDeals.length === 0 ? [] : [`deals(${list(ofDeals)})`];
      return `${name}=${encode(style, style.random.shuffled([...own, ...deals]).join(','))}`;
    }
  }
}

/** `content` may be written `product-content`, on products and in `expand` alone. */
function spellWord(style: Style, { name, wrapper }: { name: string; wrapper: string }, word: string): string {
  if (name !== 'expand' || wrapper !== 'products') return word;
  const spellings = Object.keys(PREFIXED_WORDS).filter((spelling) => PREFIXED_WORDS[spelling] === word);
  return style.random.pick([word, word, ...spellings]);
}

/** A range and a search have one value: whether it may be written twice is not promised. */
function spellFilterValues(style: Style, { operator, values }: { operator: string; values: string[] }): string {
  return spellList(isSingle(operator) ? { ...style, isRepeating: false } : style, values);
}

function spellList(style: Style, items: readonly string[]): string {
  const { random } = style;
  const repeated = style.isRepeating ? [...items, random.pick(items)] : items;
  const spaced = random
    .shuffled(repeated)
    .map((item) => (style.isSpaced ? random.pick([item, ` ${item}`, `${item} `]) : item));
  return spaced.join(',');
}

/** Percent-encodes what must be, and now and then what need not be. */
function encode({ random, isEncoded }: Style, text: string): string {
  return Array.from(text, (character) => {
    if (character === ' ') return random.pick(['+', '%20']);
    const isStructural = '(){}[],'.includes(character);
    if (isStructural ? isEncoded && random.isLikely(0.7) : isEncoded && random.isLikely(0.05)) {
      const code = character.charCodeAt(0);
      if (code < 0x80) return `%${code.toString(16).padStart(2, '0')}`;
    }
    return isStructural ? character : encodeURIComponent(character);
  }).join('');
}

function randomGiftQuery(random: Random): RandomQuery {
  if (random.isLikely(0.5)) return { path: GIFTS.path, parameters: maybe(random, 0.8, () => fieldsOf(random, GIFTS)) };
  return {
    path: CATEGORIES.path,
    parameters: [
      ...maybe(random, 0.7, () => expandOf(random, CATEGORIES)),
      ...maybe(random, 0.5, () => fieldsOf(random, CATEGORIES)),
    ],
  };
}

function randomDealsQuery(random: Random, catalogue: OracleCatalogue): RandomQuery {
  const order = `deals(${random.pick(DEAL_SORT_WORDS)}-${random.pick(['asc', 'desc'])})`;
  return {
    path: DEALS.path,
    parameters: [
      ...maybe(random, 0.3, () => ({
        kind: 'words',
        name: 'fields',
        wrapper: 'deals',
        words: someOf(random, DEAL_WORDS, 0.5),
      })),
      ...(random.isLikely(0.7) ? filtersOf(random, catalogue) : []),
      ...maybe(random, 0.6, () => ({ kind: 'parts', name: 'sort', parts: [order] })),
      ...maybe(random, 0.5, () => ({ kind: 'parts', name: 'limit', parts: [String(random.pick([1, 3, 10, 100]))] })),
    ],
  };
}

function maybe(random: Random, probability: number, create: () => Parameter): Parameter[] {
  return random.isLikely(probability) ? [create()] : [];
}

function expandOf(random: Random, { wrapper, expand }: OracleEndpoint): Parameter {
  return { kind: 'words', name: 'expand', wrapper, words: someOf(random, expand, random.pick([0.15, 0.4, 1])) };
}

function fieldsOf(random: Random, { wrapper, fields, axes }: OracleEndpoint): Parameter {
  const words = random.some(fields, random.pick([0.05, 0.2, 0.6]));
  if (random.isLikely(0.5)) words.push(...axes.flatMap((axis) => someOf(random, axis, 0.4)));
  return { kind: 'words', name: 'fields', wrapper, words: words.length > 0 ? words : ['heading'] };
}

/** Of products, of their deals, or of both (D26). */
function productFieldsOf(random: Random): Parameter {
  const own = fieldsOf(random, PRODUCTS);
  if (own.kind !== 'words' || random.isLikely(0.6)) return own;
  const ofDeals = someOf(random, DEAL_WORDS, 0.5);
  return { ...own, words: random.isLikely(0.3) ? [] : own.words, ofDeals };
}

/** Some of the items, at least one. */
function someOf(random: Random, items: readonly string[], probability: number): string[] {
  const chosen = random.some(items, probability);
  return chosen.length > 0 ? chosen : [random.pick(items)];
}

function filtersOf(random: Random, catalogue: OracleCatalogue): Parameter[] {
  const names = random.shuffled(FILTER_NAMES).slice(0, random.pick([1, 1, 2, 3]));
  return names.flatMap((name) => {
    const operators =
      operatorsOf(name).includes('ne') && !(name in QUANTITY_FILTERS) ? ['eq', 'eq', 'ne'] : operatorsOf(name);
    const chosen = new Set(
      random.isLikely(0.2) ? [random.pick(operators), random.pick(operators)] : [random.pick(operators)],
    );
    return [...chosen].map((operator): Parameter => {
      const count = isSingle(operator) ? 1 : random.pick([1, 1, 2, 3]);
      const values = Array.from({ length: count }, () => filterValue(random, catalogue, name));
      return { kind: 'filter', name, operator, values };
    });
  });
}

/** A value that some record has, and now and then one that none has. */
function filterValue(random: Random, catalogue: OracleCatalogue, name: string): string {
  if (name in QUANTITY_FILTERS) return quantity(random, catalogue, name);
  if (name === 'name') return nameWords(random, catalogue);
  const known = (PRODUCT_FILTERS[name] ?? DEAL_SET_FILTERS[name])?.known;
  if (known !== undefined) return random.pick(known(catalogue));
  const { textsOf, others = [] } = PRODUCT_FILTERS[name]!;
  const found = catalogue.products
    .flatMap((product) => textsOf(product, catalogue))
    .filter((text) => text !== undefined);
  return random.pick(found.length === 0 ? others : [random.pick(found), random.pick(found), ...others]);
}

/** A search for a product: some words of its name or their beginnings, in any order and case. */
function nameWords(random: Random, catalogue: OracleCatalogue): string {
  const { name } = random.pick(catalogue.products);
  const words = random.shuffled(name.split(/[\s{},\p{Cs}]+/u)).slice(0, random.pick([1, 1, 2, 3]));
  if (random.isLikely(0.15)) words.push(random.pick(['zz', '+', '📱', 'l\u0301', 'ß', 'ı', 'ＡＬ', '½']));
  const typed = words.map((word) => {
    const start = random.isLikely(0.5)
      ? word
      : Array.from(word)
          .slice(0, random.pick([1, 2, 4]))
          .join('');
    return random.pick([start, start.toUpperCase(), start.toLowerCase(), start.normalize('NFD')]);
  });
  return typed.join(random.pick([' ', ' ', '  ', '-', ' & '])).trim() || 'a';
}

/** A number at, just below or just above that of some deal, in one of its spellings. */
function quantity(random: Random, catalogue: OracleCatalogue, name: string): string {
  const { of, scale, decimals } = QUANTITY_FILTERS[name]!;
  const isData = name === 'dataAllowance';
  const value = catalogue.deals.length > 0 ? of(random.pick(catalogue.deals)) : isData ? 'unlimited' : 0;
  if (value === 'unlimited') return random.pick(['unlimited', '999999']);
  const text = (Math.max(0, value + random.pick([-1, 0, 0, 0, 1])) / scale).toFixed(decimals);
  if (decimals === 0) return text;
  const short = text.replace(/\.?0+$/, '') || '0';
  return random.pick(isData ? [text, short] : [text, text, short, `0${text}`]);
}

function sortOf(random: Random): Parameter {
  const deals = `deals(${random.pick(DEAL_SORT_WORDS)}-${random.pick(['asc', 'desc'])})`;
  const products = `products(${random.pick(PRODUCT_SORT_WORDS)}-${random.pick(['asc', 'desc'])})`;
  return { kind: 'parts', name: 'sort', parts: random.pick([[deals], [products], [deals, products]]) };
}

function facetsOf(random: Random): Parameter {
  // In the order asked, so another order is another request.
  return {
    kind: 'raw',
    name: 'facets',
    text: random
      .shuffled(FACET_WORDS)
      .slice(0, random.pick([1, 2, 6]))
      .join(','),
  };
}

function limitOf(random: Random): Parameter {
  const page = String(random.pick([1, 2, 3, 5, 10, 100]));
  const deals = `deals(${random.pick([1, 2, 3, 10, 1000])})`;
  return { kind: 'parts', name: 'limit', parts: random.pick([[page], [page], [deals], [page, deals]]) };
}
