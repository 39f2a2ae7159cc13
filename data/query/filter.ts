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
