import { CURRENCY } from '../field/field.ts';
import type { SpecKey } from '../field/spec.ts';
import { CONDITIONS, type Condition } from '../record/product.ts';

/** Operators of a set, and of a quantity (spec §4.3 shows `eq`; the others are D13). */
export const SET_OPERATORS = ['eq', 'ne'] as const;
export const QUANTITY_OPERATORS = [...SET_OPERATORS, 'lt', 'lte', 'gt', 'gte'] as const;
/** `has` searches a text (D23). */
export const FILTER_OPERATORS = [...QUANTITY_OPERATORS, 'has'] as const;

export type SetOperator = (typeof SET_OPERATORS)[number];
export type QuantityOperator = (typeof QUANTITY_OPERATORS)[number];
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** The length of a value of `has` and its words (D23). */
export const MAX_NAME_CHARACTERS = 100;
export const MAX_NAME_WORDS = 10;

/** The offers that `filter[offers]` knows. */
export const OFFERS = ['cashback', 'gift'] as const;

/** A kind of filter value: its grammar, for the parser and for clients. */
interface KindRow {
  /** `eq` and `ne` where there are none. */
  readonly operators?: readonly FilterOperator[];
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
 * What a value of each kind is (spec §4.3, D13). A kind with `words` takes one of them; a kind without parser of its own
 * takes every text that matches its pattern.
 */
const KINDS = {
  money: {
    operators: QUANTITY_OPERATORS,
    usage: 'eq{0} or lte{29.99}',
    what: 'an amount such as 29.99',
    pattern: '[0-9]{1,9}(?:\\.[0-9]{1,2})?',
    unit: CURRENCY,
  },
  months: {
    operators: QUANTITY_OPERATORS,
    usage: 'eq{24} or lte{12}',
    what: 'a whole number',
    pattern: '[0-9]+',
    unit: 'months',
  },
  gigabytes: {
    operators: QUANTITY_OPERATORS,
    usage: 'gte{10} or eq{unlimited}',
    what: 'a number such as 4 or 0.5, or `unlimited`, which is above every number',
    pattern: '(?:unlimited|[0-9]+(?:\\.[0-9]{1,3})?)',
    unit: 'gigabytes',
  },
  condition: {
    usage: 'eq{new} or eq{refurbished}',
    what: 'one of the words',
    pattern: `(?:${CONDITIONS.join('|')})`,
    words: CONDITIONS.map((word) => ({ word, effect: `${word} products` })),
  },
  network: {
    usage: 'eq{<network slug or id>}',
    what: 'the slug or the id of a network; `/deals/v1/networks/` has all',
    pattern: SLUG,
  },
  offer: {
    usage: 'eq{cashback} or eq{gift}',
    what: 'one of the words',
    pattern: `(?:${OFFERS.join('|')})`,
    words: OFFERS.map((word) => ({ word, effect: `deals with ${word === 'gift' ? 'a gift' : word}` })),
  },
  retailer: {
    usage: 'eq{<retailer slug or id>}',
    what: 'the slug or the id of a retailer; `/deals/v1/retailers/` has all',
    pattern: SLUG,
  },
  manufacturer: {
    usage: 'eq{<manufacturer slug>}',
    what: 'the slug of a manufacturer; `/deals/v1/manufacturers/` has all',
    pattern: SLUG,
  },
  id: {
    usage: 'eq{<product id>}',
    what: 'a product id, decimal digits',
    pattern: '[0-9]+',
  },
  slug: {
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

/** The operators of a kind: six for a quantity, `has` for a name, `eq` and `ne` for everything else (D13, D23). */
export function operatorsOf(kind: FilterKind): readonly FilterOperator[] {
  return FILTER_KINDS[kind].operators ?? SET_OPERATORS;
}

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
  /** The one value of a product that a product filter reads. It is computed for each product and request. */
  readonly productValue?: ProductValue;
  readonly effect: string;
  /** Values that find something in the sample, each sent as a parameter. */
  readonly examples: readonly (readonly [summary: string, ...values: string[]])[];
}

/**
 * Every filter: on what it acts, what its values are, and what it does (spec §4.3, D13, D23). A product filter needs nothing
 * in the server but its row here. A deal filter is compiled to columns in `server/query/deal-predicate.ts`.
 */
export const FILTERS = [
  {
    name: 'upfrontCost',
    on: 'deal',
    kind: 'money',
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
    productValue: ({ condition }: FilteredProduct) => condition,
    effect: 'products of that condition',
    examples: [['new phones', 'eq{new}']],
  },
  {
    name: 'networks',
    on: 'deal',
    kind: 'network',
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
    effect: 'deals with that offer',
    examples: [['with a gift', 'eq{gift}']],
  },
  {
    name: 'monthlyCost',
    on: 'deal',
    kind: 'money',
    effect: 'deals with that monthly cost',
    examples: [['from 20 to below 30', 'gte{20}', 'lt{30}']],
  },
  {
    name: 'totalCost',
    on: 'deal',
    kind: 'money',
    effect: 'deals with that total cost',
    examples: [['at most 800 over the contract', 'lte{800}']],
  },
  {
    name: 'contractLength',
    on: 'deal',
    kind: 'months',
    effect: 'deals with a contract of that many months',
    examples: [['at most two years', 'lte{24}']],
  },
  {
    name: 'dataAllowance',
    on: 'deal',
    kind: 'gigabytes',
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
    effect: 'deals of that retailer',
    examples: [['one retailer', 'eq{dialstone}']],
  },
  {
    name: 'manufacturers',
    on: 'product',
    kind: 'manufacturer',
    productValue: ({ manufacturer }: FilteredProduct) => manufacturer,
    effect: 'products of that manufacturer',
    examples: [['either of two manufacturers', 'eq{kestrel,aurel}']],
  },
  {
    name: 'id',
    on: 'product',
    kind: 'id',
    productValue: ({ id }: FilteredProduct) => id,
    effect: 'products with that id',
    examples: [['two products', 'eq{101,103}']],
  },
  {
    name: 'slug',
    on: 'product',
    kind: 'slug',
    productValue: ({ slug }: FilteredProduct) => slug,
    effect: 'products with that slug',
    examples: [['one product', 'eq{kestrel-k9-128gb}']],
  },
  {
    name: 'name',
    on: 'product',
    kind: 'name',
    productValue: ({ name }: FilteredProduct) => name,
    effect: 'products whose name has all of the words',
    examples: [
      ['two words, in any order', 'has{128gb kestrel}'],
      ['the beginning of a word', 'has{kes}'],
    ],
  },
] as const satisfies readonly FilterShape[];

export type FilterRow = (typeof FILTERS)[number];
export type FilterName = FilterRow['name'];

/** Every filter by its spelling in a request: `filter[networks]`. */
export const FILTER_OF_PARAMETER: ReadonlyMap<string, FilterRow> = new Map(
  FILTERS.map((row) => [`filter[${row.name}]`, row]),
);

/** What each product filter reads; deal filters are not among them. */
export const PRODUCT_FILTERS: ReadonlyMap<FilterName, ProductValue> = new Map(
  FILTERS.flatMap((row) => (row.on === 'product' ? [[row.name, row.productValue] as const] : [])),
);
