import { CURRENCY } from '../field/field.ts';
import { UNLIMITED_MARKER } from '../record/amount.ts';
import { CONDITIONS } from '../record/product.ts';
import type { CatalogueIndex, ColumnValues } from '../snapshot/catalogue-index.ts';
import type { ProductLine } from '../snapshot/format.ts';

/** The operators and what each keeps: `eq` is of the specification (spec §4.3), the others are D13 and D23. */
export const OPERATOR_MEANINGS = {
  eq: 'any of the values',
  ne: 'none of the values',
  lt: 'below the value',
  lte: 'the value or below',
  gt: 'above the value',
  gte: 'the value or above',
  has: 'every word of the value',
} as const;

export type FilterOperator = keyof typeof OPERATOR_MEANINGS;

export const FILTER_OPERATORS = Object.keys(OPERATOR_MEANINGS) as readonly FilterOperator[];

const SET_OPERATORS = ['eq', 'ne'] as const;
const QUANTITY_OPERATORS = [...SET_OPERATORS, 'lt', 'lte', 'gt', 'gte'] as const;

/** Whether the operator takes a list of values; the others take one (D13). */
export function takesList(operator: FilterOperator): boolean {
  return operator === 'eq' || operator === 'ne';
}

/** The length of a value of `has` and its words (D23). */
export const MAX_NAME_CHARACTERS = 100;
export const MAX_NAME_WORDS = 10;

/** The offers that `filter[offers]` knows, in the order of their bits in `CatalogueIndex.offers`. */
const OFFERS = ['cashback', 'gift'] as const;

const OFFER_SETS = [[], ['cashback'], ['gift'], OFFERS] as const;

/** A value as it is compared: pence, months, megabytes (unlimited is Infinity), or a text. */
export type FilterValue = number | string;

/** Numbers of a kind: how they are spelled, and the whole numbers that they are compared as. */
export interface NumberKind {
  readonly spelling: RegExp;
  readonly decimals: number;
  /** The highest number, with its decimals. */
  readonly max: number;
  /** Whether the highest number is also called `unlimited`, and is above every number. */
  readonly hasUnlimited?: true;
  readonly outOfRange: string;
}

/** A kind of filter value: its grammar, for the parser and for clients. */
interface KindRow {
  readonly operators: readonly FilterOperator[];
  /** Two examples, for error messages. */
  readonly usage: string;
  readonly what: string;
  /** What an error message expects, if that is not `what`. */
  readonly expected?: string;
  /** Without anchors. A matching text is never a `malformed-value`. */
  readonly pattern: string;
  readonly unit?: string;
  readonly number?: NumberKind;
  /** All values, if they are no part of the catalogue. */
  readonly words?: readonly { readonly word: string; readonly effect: string }[];
  /** The list of the catalogue that has the values: slugs, and ids where it has some. */
  readonly list?: 'networks' | 'retailers' | 'manufacturers';
}

const SLUG = '[a-z0-9._~-]+';

/** What a value of each kind is (spec §4.3, D13): a number, a word, a record of a list, or any text of its pattern. */
const KINDS = {
  money: {
    operators: QUANTITY_OPERATORS,
    usage: 'eq{0} or lte{29.99}',
    what: 'an amount such as 29.99',
    pattern: '[0-9]{1,9}(?:\\.[0-9]{1,2})?',
    unit: CURRENCY,
    number: {
      spelling: /^-?[0-9]+(?:\.[0-9]{1,2})?$/,
      decimals: 2,
      max: 999_999_999.99,
      outOfRange: 'an amount from 0 to 999999999.99',
    },
  },
  months: {
    operators: QUANTITY_OPERATORS,
    usage: 'eq{24} or lte{12}',
    what: 'a whole number',
    expected: 'a whole number of months',
    pattern: '[0-9]+',
    unit: 'months',
    number: {
      spelling: /^-?[0-9]+$/,
      decimals: 0,
      max: 999,
      outOfRange: '0 to 999 months',
    },
  },
  gigabytes: {
    operators: QUANTITY_OPERATORS,
    usage: 'gte{10} or eq{unlimited}',
    what: 'a number such as 4 or 0.5, or `unlimited`, which is above every number',
    expected: 'gigabytes such as 4 or 0.5, or unlimited',
    pattern: '(?:unlimited|[0-9]+(?:\\.[0-9]{1,3})?)',
    unit: 'gigabytes',
    number: {
      spelling: /^-?[0-9]+(?:\.[0-9]{1,3})?$/,
      decimals: 3,
      max: UNLIMITED_MARKER,
      hasUnlimited: true,
      outOfRange: `0 to ${UNLIMITED_MARKER} gigabytes`,
    },
  },
  condition: {
    operators: SET_OPERATORS,
    usage: 'eq{new} or eq{refurbished}',
    what: 'one of the words',
    pattern: `(?:${CONDITIONS.join('|')})`,
    words: CONDITIONS.map((word) => ({ word, effect: `${word} products` })),
  },
  network: {
    operators: SET_OPERATORS,
    usage: 'eq{<network slug or id>}',
    what: 'the slug or the id of a network; `/deals/v1/networks/` has all',
    expected: 'a network of this catalogue',
    pattern: SLUG,
    list: 'networks',
  },
  offer: {
    operators: SET_OPERATORS,
    usage: 'eq{cashback} or eq{gift}',
    what: 'one of the words',
    pattern: `(?:${OFFERS.join('|')})`,
    words: OFFERS.map((word) => ({ word, effect: `deals with ${word === 'gift' ? 'a gift' : word}` })),
  },
  retailer: {
    operators: SET_OPERATORS,
    usage: 'eq{<retailer slug or id>}',
    what: 'the slug or the id of a retailer; `/deals/v1/retailers/` has all',
    expected: 'a retailer of this catalogue',
    pattern: SLUG,
    list: 'retailers',
  },
  manufacturer: {
    operators: SET_OPERATORS,
    usage: 'eq{<manufacturer slug>}',
    what: 'the slug of a manufacturer; `/deals/v1/manufacturers/` has all',
    expected: 'a manufacturer of this catalogue',
    pattern: SLUG,
    list: 'manufacturers',
  },
  id: {
    operators: SET_OPERATORS,
    usage: 'eq{<product id>}',
    what: 'a product id, decimal digits',
    pattern: '[0-9]+',
  },
  slug: {
    operators: SET_OPERATORS,
    usage: 'eq{<product slug>}',
    what: 'a product slug',
    expected: 'a product slug, lower-case and URL-safe',
    pattern: SLUG,
  },
  name: {
    operators: ['has'],
    usage: 'has{galaxy s24}',
    what:
      `up to ${MAX_NAME_WORDS} words in ${MAX_NAME_CHARACTERS} characters, each the beginning of a word of the name; ` +
      'case, accents and punctuation make no difference',
    pattern: '\\s*[^{},\\s\\u0000][^{},\\u0000]*',
  },
} as const satisfies Record<string, KindRow>;

export type FilterKind = keyof typeof KINDS;

export const FILTER_KINDS: Readonly<Record<FilterKind, KindRow>> = KINDS;

interface FilterShape {
  readonly name: string;
  readonly kind: FilterKind;
  readonly effect: string;
  /** Whether products are counted for each of its values (D25). */
  readonly isFacet?: true;
  /** Values that find something in the sample, each sent as a parameter. */
  readonly examples: readonly (readonly [summary: string, ...values: string[]])[];
}

/** A filter that one deal of a product has to satisfy. */
interface DealShape extends FilterShape {
  readonly on: 'deal';
  /** The column that has the number of each deal, or the number of its entry. */
  readonly cells: (index: CatalogueIndex) => ColumnValues;
  /** The value, or all values, of each entry that the cells number. */
  readonly entries?: (index: CatalogueIndex) => readonly (FilterValue | undefined | readonly FilterValue[])[];
}

/** A filter of products, with or without deals. */
interface ProductShape extends FilterShape {
  readonly on: 'product';
  readonly value: (product: ProductLine) => string | undefined;
}

/**
 * Every filter: what it acts on, what its values are, where they are found, and what it does (spec §4.3, D13, D23). Parser,
 * engine, `deals explain`, OpenAPI and documents read it: a row is all that a new filter needs.
 */
const ROWS = [
  {
    name: 'upfrontCost',
    on: 'deal',
    kind: 'money',
    cells: ({ deals }) => deals.upfrontPence.values,
    effect: 'deals with that upfront cost',
    examples: [
      ['nothing to pay upfront', 'eq{0}'],
      ['at most 100', 'lte{100}'],
    ],
  },
  {
    name: 'condition',
    on: 'product',
    kind: 'condition',
    isFacet: true,
    value: ({ condition }) => condition,
    effect: 'products of that condition',
    examples: [['new phones', 'eq{new}']],
  },
  {
    name: 'networks',
    on: 'deal',
    kind: 'network',
    isFacet: true,
    cells: ({ deals }) => deals.plan.values,
    entries: ({ plans, networks }) => plans.map(({ network }) => networks[network]?.slug),
    effect: 'deals on that network',
    examples: [
      ['either of two networks', 'eq{northway,quartet}'],
      ['any network but one', 'ne{tideline}'],
    ],
  },
  {
    name: 'offers',
    on: 'deal',
    kind: 'offer',
    isFacet: true,
    cells: ({ offers }) => offers,
    entries: () => OFFER_SETS,
    effect: 'deals with that offer',
    examples: [['with a gift', 'eq{gift}']],
  },
  {
    name: 'monthlyCost',
    on: 'deal',
    kind: 'money',
    cells: ({ deals }) => deals.monthlyPence.values,
    effect: 'deals with that monthly cost',
    examples: [['from 20 to below 30', 'gte{20}', 'lt{30}']],
  },
  {
    name: 'totalCost',
    on: 'deal',
    kind: 'money',
    cells: ({ deals }) => deals.totalPence.values,
    effect: 'deals with that total cost',
    examples: [['at most 800 over the contract', 'lte{800}']],
  },
  {
    name: 'contractLength',
    on: 'deal',
    kind: 'months',
    isFacet: true,
    cells: ({ deals }) => deals.plan.values,
    entries: ({ plans }) => plans.map(({ contractMonths }) => contractMonths),
    effect: 'deals with a contract of that many months',
    examples: [['at most two years', 'lte{24}']],
  },
  {
    name: 'dataAllowance',
    on: 'deal',
    kind: 'gigabytes',
    cells: ({ deals }) => deals.plan.values,
    entries: ({ plans }) => plans.map(({ dataMegabytes: data }) => (data === 'unlimited' ? Infinity : data)),
    effect: 'deals with that monthly data',
    examples: [
      ['ten gigabytes or more', 'gte{10}'],
      ['unlimited', 'eq{unlimited}'],
    ],
  },
  {
    name: 'retailers',
    on: 'deal',
    kind: 'retailer',
    isFacet: true,
    cells: ({ deals }) => deals.retailer.values,
    entries: ({ retailers }) => retailers.map(({ slug }) => slug),
    effect: 'deals of that retailer',
    examples: [['one retailer', 'eq{dialstone}']],
  },
  {
    name: 'manufacturers',
    on: 'product',
    kind: 'manufacturer',
    isFacet: true,
    value: ({ manufacturer }) => manufacturer,
    effect: 'products of that manufacturer',
    examples: [['either of two manufacturers', 'eq{kestrel,aurel}']],
  },
  {
    name: 'id',
    on: 'product',
    kind: 'id',
    value: ({ id }) => id,
    effect: 'products with that id',
    examples: [['two products', 'eq{101,103}']],
  },
  {
    name: 'slug',
    on: 'product',
    kind: 'slug',
    value: ({ slug }) => slug,
    effect: 'products with that slug',
    examples: [['one product', 'eq{kestrel-k9-128gb}']],
  },
  {
    name: 'name',
    on: 'product',
    kind: 'name',
    value: ({ name }) => name,
    effect: 'products whose name has all of the words',
    examples: [
      ['two words, in any order', 'has{128gb kestrel}'],
      ['the beginning of a word', 'has{kes}'],
    ],
  },
] as const satisfies readonly (DealShape | ProductShape)[];

export type FilterName = (typeof ROWS)[number]['name'];
export type DealFilterRow = DealShape & { readonly name: FilterName };
export type ProductFilterRow = ProductShape & { readonly name: FilterName };
export type FilterRow = DealFilterRow | ProductFilterRow;

export const FILTERS: readonly FilterRow[] = ROWS;

/** The words of `facets` (D25). */
export const FACETS: readonly FilterName[] = FILTERS.filter(({ isFacet }) => isFacet).map(({ name }) => name);

/** Every filter by its spelling in a request: `filter[networks]`. */
export const FILTER_OF_PARAMETER: ReadonlyMap<string, FilterRow> = new Map(
  FILTERS.map((row) => [`filter[${row.name}]`, row]),
);

const FILTER_OF_NAME: ReadonlyMap<FilterName, FilterRow> = new Map(FILTERS.map((row) => [row.name, row]));

export function filterRow(name: FilterName): FilterRow {
  // The map has every name.
  return FILTER_OF_NAME.get(name) as FilterRow;
}
