import { CURRENCY } from '../field/field.ts';
import type { SpecKey } from '../field/spec.ts';
import { CONDITIONS, type Condition } from '../record/product.ts';

/** Comparison operators (spec §4.3 shows `eq`; the others are D13). */
export const FILTER_OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;

export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** Operators of a set, and of a quantity. */
export const SET_OPERATORS = ['eq', 'ne'] as const satisfies readonly FilterOperator[];

/** The offers that `filter[offers]` knows. */
export const OFFERS = ['cashback', 'gift'] as const;

export type Offer = (typeof OFFERS)[number];

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
  /** All values, if they are no part of the catalogue. */
  readonly words?: readonly { readonly word: string; readonly effect: string }[];
}

const SLUG = '[a-z0-9._~-]+';

/**
 * What a value of each kind is (spec §4.3, D13): quantities take all six operators, everything else `eq` and `ne`. A kind
 * with `words` takes one of them; a kind without parser of its own takes every text that matches its pattern.
 */
const KINDS = {
  money: {
    operators: FILTER_OPERATORS,
    usage: 'eq{0} or lte{29.99}',
    what: 'an amount such as 29.99',
    pattern: '[0-9]{1,9}(?:\\.[0-9]{1,2})?',
    unit: CURRENCY,
  },
  months: {
    operators: FILTER_OPERATORS,
    usage: 'eq{24} or lte{12}',
    what: 'a whole number',
    pattern: '[0-9]+',
    unit: 'months',
  },
  gigabytes: {
    operators: FILTER_OPERATORS,
    usage: 'gte{10} or eq{unlimited}',
    what: 'a number such as 4 or 0.5, or `unlimited`, which is above every number',
    pattern: '(?:unlimited|[0-9]+(?:\\.[0-9]{1,3})?)',
    unit: 'gigabytes',
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
    pattern: SLUG,
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
    pattern: SLUG,
  },
  manufacturer: {
    operators: SET_OPERATORS,
    usage: 'eq{<manufacturer slug>}',
    what: 'the slug of a manufacturer; `/deals/v1/manufacturers/` has all',
    pattern: SLUG,
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
} as const satisfies Record<string, KindRow>;

export type FilterKind = keyof typeof KINDS;

export const FILTER_KINDS: Readonly<Record<FilterKind, KindRow>> = KINDS;

/** What a filter may read of a product. */
interface FilteredProduct extends Readonly<Record<'id' | 'name' | 'slug', string>> {
  readonly condition: Condition;
  readonly model?: string | undefined;
  readonly manufacturer?: string | undefined;
  readonly specs: { readonly [Key in SpecKey]?: string | undefined };
}

type ProductValue = (product: FilteredProduct) => string | undefined;

interface FilterShape {
  readonly name: string;
  readonly kind: FilterKind;
  readonly on: 'deal' | 'product';
  /** The value of a product that a product filter compares. */
  readonly productValue?: ProductValue;
  readonly effect: string;
  /** Working values, each sent as a parameter. */
  readonly examples: readonly { readonly summary: string; readonly values: readonly string[] }[];
}

/**
 * Every filter: on what it acts, what its values are, and what it does (spec §4.3, D13). A product filter needs nothing
 * but its row here. A deal filter is compiled to columns in `server/query/deal-predicate.ts`.
 */
export const FILTERS = [
  {
    name: 'upfrontCost',
    on: 'deal',
    kind: 'money',
    effect: 'deals with that upfront cost',
    examples: [
      { summary: 'nothing to pay upfront', values: ['eq{0}'] },
      { summary: 'at most 100', values: ['lte{100}'] },
    ],
  },
  {
    name: 'condition',
    on: 'product',
    kind: 'condition',
    productValue: ({ condition }: FilteredProduct) => condition,
    effect: 'products of that condition',
    examples: [{ summary: 'new phones', values: ['eq{new}'] }],
  },
  {
    name: 'networks',
    on: 'deal',
    kind: 'network',
    effect: 'deals on that network',
    examples: [
      { summary: 'either of two networks', values: ['eq{northway,quartet}'] },
      { summary: 'any network but one', values: ['ne{tideline}'] },
    ],
  },
  {
    name: 'offers',
    on: 'deal',
    kind: 'offer',
    effect: 'deals with that offer',
    examples: [{ summary: 'with a gift', values: ['eq{gift}'] }],
  },
  {
    name: 'monthlyCost',
    on: 'deal',
    kind: 'money',
    effect: 'deals with that monthly cost',
    examples: [{ summary: 'from 20 to below 30', values: ['gte{20}', 'lt{30}'] }],
  },
  {
    name: 'totalCost',
    on: 'deal',
    kind: 'money',
    effect: 'deals with that total cost',
    examples: [{ summary: 'at most 800 over the contract', values: ['lte{800}'] }],
  },
  {
    name: 'contractLength',
    on: 'deal',
    kind: 'months',
    effect: 'deals with a contract of that many months',
    examples: [{ summary: 'at most two years', values: ['lte{24}'] }],
  },
  {
    name: 'dataAllowance',
    on: 'deal',
    kind: 'gigabytes',
    effect: 'deals with that monthly data',
    examples: [
      { summary: 'ten gigabytes or more', values: ['gte{10}'] },
      { summary: 'unlimited', values: ['eq{unlimited}'] },
    ],
  },
  {
    name: 'retailers',
    on: 'deal',
    kind: 'retailer',
    effect: 'deals of that retailer',
    examples: [{ summary: 'one retailer', values: ['eq{dialstone}'] }],
  },
  {
    name: 'manufacturers',
    on: 'product',
    kind: 'manufacturer',
    productValue: ({ manufacturer }: FilteredProduct) => manufacturer,
    effect: 'products of that manufacturer',
    examples: [{ summary: 'either of two manufacturers', values: ['eq{kestrel,aurel}'] }],
  },
  {
    name: 'id',
    on: 'product',
    kind: 'id',
    productValue: ({ id }: FilteredProduct) => id,
    effect: 'products with that id',
    examples: [{ summary: 'two products', values: ['eq{101,103}'] }],
  },
  {
    name: 'slug',
    on: 'product',
    kind: 'slug',
    productValue: ({ slug }: FilteredProduct) => slug,
    effect: 'products with that slug',
    examples: [{ summary: 'one product', values: ['eq{kestrel-k9-128gb}'] }],
  },
] as const satisfies readonly FilterShape[];

export type FilterRow = (typeof FILTERS)[number];
export type FilterName = FilterRow['name'];

/** Every filter by its spelling in a request: `filter[networks]`. */
export const FILTER_OF_PARAMETER: ReadonlyMap<string, FilterRow> = new Map(
  FILTERS.map((row) => [`filter[${row.name}]`, row]),
);

/** What each product filter compares; deal filters are not among them. */
export const PRODUCT_FILTERS: ReadonlyMap<FilterName, ProductValue> = new Map(
  FILTERS.flatMap((row) => (row.on === 'product' ? [[row.name, row.productValue] as const] : [])),
);
