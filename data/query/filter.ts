import { CURRENCY } from '../field/field.ts';
import { CONDITIONS } from '../record/product.ts';

/** Comparison operators (spec §4.3 shows `eq`; the others are D13). */
export const FILTER_OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;

export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** Operators of a set, and of a quantity. */
export const SET_OPERATORS = ['eq', 'ne'] as const satisfies readonly FilterOperator[];

/**
 * Every filter: on what it acts, what its values are, and what it does (spec §4.3, D13). `kind` decides grammar and
 * operators: the quantities `money`, `months`, `gigabytes` take all six, everything else `eq` and `ne`.
 */
export const FILTERS = [
  { name: 'upfrontCost', on: 'deal', kind: 'money', effect: 'deals with that upfront cost' },
  { name: 'condition', on: 'product', kind: 'condition', effect: 'products of that condition' },
  { name: 'networks', on: 'deal', kind: 'network', effect: 'deals on that network' },
  { name: 'offers', on: 'deal', kind: 'offer', effect: 'deals with that offer' },
  { name: 'monthlyCost', on: 'deal', kind: 'money', effect: 'deals with that monthly cost' },
  { name: 'totalCost', on: 'deal', kind: 'money', effect: 'deals with that total cost' },
  { name: 'contractLength', on: 'deal', kind: 'months', effect: 'deals with a contract of that many months' },
  { name: 'dataAllowance', on: 'deal', kind: 'gigabytes', effect: 'deals with that monthly data' },
  { name: 'retailers', on: 'deal', kind: 'retailer', effect: 'deals of that retailer' },
  { name: 'manufacturers', on: 'product', kind: 'manufacturer', effect: 'products of that manufacturer' },
  { name: 'id', on: 'product', kind: 'id', effect: 'products with that id' },
  { name: 'slug', on: 'product', kind: 'slug', effect: 'products with that slug' },
] as const;

export type FilterName = (typeof FILTERS)[number]['name'];
export type FilterKind = (typeof FILTERS)[number]['kind'];

/** The offers that `filter[offers]` knows. */
export const OFFERS = ['cashback', 'gift'] as const;

export type Offer = (typeof OFFERS)[number];

/** What a value of a filter is. */
interface FilterValue {
  readonly what: string;
  /** Without anchors. A matching text is never a `malformed-value`. */
  readonly pattern: string;
  readonly unit?: string;
}

const SLUG = '[a-z0-9._~-]+';

/** What a value of each kind is (D13). */
export const FILTER_VALUES = {
  money: { what: 'an amount such as 29.99', pattern: '[0-9]{1,9}(?:\\.[0-9]{1,2})?', unit: CURRENCY },
  months: { what: 'a whole number', pattern: '[0-9]+', unit: 'months' },
  gigabytes: {
    what: 'a number such as 4 or 0.5, or `unlimited`, which is above every number',
    pattern: '(?:unlimited|[0-9]+(?:\\.[0-9]{1,3})?)',
    unit: 'gigabytes',
  },
  condition: { what: 'one of the words', pattern: `(?:${CONDITIONS.join('|')})` },
  network: { what: 'the slug or the id of a network; `/deals/v1/networks/` has all', pattern: SLUG },
  offer: { what: 'one of the words', pattern: `(?:${OFFERS.join('|')})` },
  retailer: { what: 'the slug or the id of a retailer; `/deals/v1/retailers/` has all', pattern: SLUG },
  manufacturer: { what: 'the slug of a manufacturer; `/deals/v1/manufacturers/` has all', pattern: SLUG },
  id: { what: 'a product id, decimal digits', pattern: '[0-9]+' },
  slug: { what: 'a product slug', pattern: SLUG },
} as const satisfies Record<FilterKind, FilterValue>;

/** Working values of each filter; several are sent together, each as a parameter. */
export const FILTER_EXAMPLES: Readonly<
  Record<FilterName, readonly { readonly summary: string; readonly values: readonly string[] }[]>
> = {
  upfrontCost: [
    { summary: 'nothing to pay upfront', values: ['eq{0}'] },
    { summary: 'at most 100', values: ['lte{100}'] },
  ],
  condition: [{ summary: 'new phones', values: ['eq{new}'] }],
  networks: [
    { summary: 'either of two networks', values: ['eq{northway,quartet}'] },
    { summary: 'any network but one', values: ['ne{tideline}'] },
  ],
  offers: [{ summary: 'with a gift', values: ['eq{gift}'] }],
  monthlyCost: [{ summary: 'from 20 to below 30', values: ['gte{20}', 'lt{30}'] }],
  totalCost: [{ summary: 'at most 800 over the contract', values: ['lte{800}'] }],
  contractLength: [{ summary: 'at most two years', values: ['lte{24}'] }],
  dataAllowance: [
    { summary: 'ten gigabytes or more', values: ['gte{10}'] },
    { summary: 'unlimited', values: ['eq{unlimited}'] },
  ],
  retailers: [{ summary: 'one retailer', values: ['eq{dialstone}'] }],
  manufacturers: [{ summary: 'either of two manufacturers', values: ['eq{kestrel,aurel}'] }],
  id: [{ summary: 'two products', values: ['eq{101,103}'] }],
  slug: [{ summary: 'one product', values: ['eq{kestrel-k9-128gb}'] }],
};
