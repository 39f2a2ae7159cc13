import type { Field } from '../../data/field/field.ts';
import { MEGABYTES_PER_GIGABYTE, UNLIMITED_MARKER, type Allowance } from '../../data/record/amount.ts';
import type { Dictionaries, Manufacturer, Network, Plan, ProductLine, Retailer } from '../../data/snapshot/format.ts';

/** A deal of a snapshot in parts. Many deals share each part but the last. */
export interface ExportParts {
  readonly snapshot: { readonly id: string; readonly currency: string };
  readonly product: { readonly line: ProductLine; readonly manufacturer: Manufacturer | undefined };
  readonly plan: { readonly plan: Plan; readonly network: Network };
  readonly retailer: Retailer;
  readonly gift: Dictionaries['gifts'][number] | undefined;
  readonly cashback: Dictionaries['cashbacks'][number] | undefined;
  readonly deal: ExportedDeal;
}

/** What no other deal shares. */
interface ExportedDeal {
  readonly upfrontPence: number;
  readonly monthlyPence: number;
  readonly totalPence: number;
  readonly rank: number;
  readonly feed: string;
  readonly key: string;
  readonly link: string;
}

/** What a cell holds; undefined when the deal has none. */
export type CellValue = string | number | undefined;

/** What every column says of itself. Its key is lower case with underscores, which SQL engines read without quotes. */
export interface ColumnFacts extends Field {
  readonly type: 'text' | 'integer';
  /** Some deals have no value. */
  readonly isOptional?: true;
}

interface ExportColumn<Part> extends ColumnFacts {
  readonly value: (part: Part) => CellValue;
}

/** Unlimited data in megabytes: 1,000 times the marker that responses have in gigabytes. */
const UNLIMITED_MEGABYTES = UNLIMITED_MARKER * MEGABYTES_PER_GIGABYTE;

const PENCE = 'hundredths of the currency';

function text<Part>(key: string, meaning: string, example: string, value: (part: Part) => string): ExportColumn<Part> {
  return { key, type: 'text', meaning, example, value };
}

function optionalText<Part>(
  key: string,
  meaning: string,
  example: string,
  value: (part: Part) => string | undefined,
): ExportColumn<Part> {
  return { key, type: 'text', isOptional: true, meaning, example, value };
}

function amount<Part>(
  key: string,
  meaning: string,
  unit: string,
  example: number,
  value: (part: Part) => number,
): ExportColumn<Part> {
  return { key, type: 'integer', meaning, unit, example, value };
}

/**
 * The columns of `deals export` by the part of a deal that they show, in the order in which they are written. The header,
 * the keys, the types and the tables of data/spec/export.md follow this table.
 */
export const EXPORT_COLUMNS: {
  readonly [Name in keyof ExportParts]: readonly ExportColumn<ExportParts[Name]>[];
} = {
  snapshot: [
    text(
      'snapshot',
      'id of the snapshot, which begins with its date: exports of several days fit into one table',
      '20261119T0230Z-1c77e0d2',
      ({ id }) => id,
    ),
    text('currency', 'code of the currency', 'GBP', ({ currency }) => currency),
  ],
  product: [
    text(
      'product_id',
      'id of the product, decimal digits; a new and a refurbished product may share one',
      '101',
      ({ line }) => line.id,
    ),
    text('condition', 'new or refurbished, the words of the filter', 'new', ({ line }) => line.condition),
    text('product_name', 'name of the product', 'Kestrel K9 128GB', ({ line }) => line.name),
    text('product_slug', 'slug of the product', 'kestrel-k9-128gb', ({ line }) => line.slug),
    optionalText('model', 'slug that the variants of a product share', 'kestrel-k9', ({ line }) => line.model),
    optionalText('manufacturer_slug', 'slug of the manufacturer', 'kestrel', ({ line }) => line.manufacturer),
    optionalText('manufacturer_name', 'name of the manufacturer', 'Kestrel', ({ manufacturer }) => manufacturer?.name),
  ],
  plan: [
    text('network_id', 'id of the network, decimal digits', '36', ({ network }) => network.id),
    text('network_slug', 'slug of the network', 'quartet', ({ network }) => network.slug),
    text('network_name', 'name of the network', 'Quartet', ({ network }) => network.name),
    text('deal_type', 'kind of deal, a lower-case word', 'contract', ({ plan }) => plan.dealType),
    text('contract_name', 'name of the contract plan', 'Quartet Solo 4GB', ({ plan }) => plan.contractName),
    amount('contract_months', 'contract length', 'months', 24, ({ plan }) => plan.contractMonths),
    amount(
      'data_megabytes',
      `monthly data, 1,000 MB to a gigabyte; ${UNLIMITED_MEGABYTES} is unlimited`,
      'megabytes',
      4000,
      ({ plan }) => markUnlimited(plan.dataMegabytes, UNLIMITED_MEGABYTES),
    ),
    amount('call_minutes', `monthly calls; ${UNLIMITED_MARKER} is unlimited`, 'minutes', UNLIMITED_MARKER, ({ plan }) =>
      markUnlimited(plan.callMinutes, UNLIMITED_MARKER),
    ),
    amount('text_messages', `monthly texts; ${UNLIMITED_MARKER} is unlimited`, 'texts', UNLIMITED_MARKER, ({ plan }) =>
      markUnlimited(plan.textMessages, UNLIMITED_MARKER),
    ),
  ],
  retailer: [
    text('retailer_id', 'id of the retailer, decimal digits', '80590', ({ id }) => id),
    text('retailer_slug', 'slug of the retailer', 'secondring', ({ slug }) => slug),
    text('retailer_name', 'name of the retailer', 'Secondring', ({ name }) => name),
  ],
  gift: [optionalText('gift_name', 'name of the gift', 'Pebble earbuds', (gift) => gift?.name)],
  cashback: [
    optionalText('cashback_type', 'cashback description', 'Cashback by redemption', (cashback) => cashback?.type),
    {
      key: 'cashback_pence',
      type: 'integer',
      isOptional: true,
      meaning: 'cashback amount',
      unit: PENCE,
      example: 3000,
      value: (cashback) => cashback?.valuePence,
    },
  ],
  deal: [
    amount('upfront_pence', 'upfront cost of the handset', PENCE, 3000, ({ upfrontPence }) => upfrontPence),
    amount('monthly_pence', 'contract price a month', PENCE, 3650, ({ monthlyPence }) => monthlyPence),
    amount('total_pence', 'total cost over the contract', PENCE, 90600, ({ totalPence }) => totalPence),
    {
      key: 'rank',
      type: 'integer',
      meaning: 'position in the order of total cost over the whole catalogue, from 0; unique in a snapshot',
      example: 1234,
      value: ({ rank }) => rank,
    },
    text('feed', 'name of the feed that the deal comes from', 'house', ({ feed }) => feed),
    text(
      'deal_key',
      "the feed's own id of the deal, unique for a retailer within a feed",
      '38204139857',
      ({ key }) => key,
    ),
    text('link', 'URL used to take the deal', 'https://secondring.example/deal/38204139857', ({ link }) => link),
  ],
};

/** The columns of all parts in their order. */
export const COLUMN_LIST: readonly ColumnFacts[] = Object.values(EXPORT_COLUMNS).flat();

function markUnlimited(allowance: Allowance, marker: number): number {
  return allowance === 'unlimited' ? marker : allowance;
}
