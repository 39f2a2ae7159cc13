import type { Field } from '../../data/field/field.ts';
import { MEGABYTES_PER_GIGABYTE, UNLIMITED_MARKER, type Allowance } from '../../data/record/amount.ts';
import type { Manufacturer, ProductLine } from '../../data/snapshot/format.ts';
import type { PublishedDeal } from '../../data/store/published-deals.ts';

/** A deal of a snapshot with all that it names. */
export interface ExportedDeal extends PublishedDeal {
  readonly product: ProductLine;
  readonly snapshot: string;
  readonly currency: string;
  readonly manufacturer: Manufacturer | undefined;
}

/** A column. Its key is lower case with underscores, which SQL engines read without quotes. */
export interface ExportColumn extends Field {
  readonly type: 'text' | 'integer';
  /** Some deals have no value. */
  readonly isOptional?: true;
  readonly value: (deal: ExportedDeal) => string | number | undefined;
}

/** Unlimited data in megabytes: 1,000 times the marker that responses have in gigabytes. */
const UNLIMITED_MEGABYTES = UNLIMITED_MARKER * MEGABYTES_PER_GIGABYTE;

const PENCE = 'hundredths of the currency';

function text(
  key: string,
  meaning: string,
  example: string,
  value: (deal: ExportedDeal) => string | undefined,
): ExportColumn {
  return { key, type: 'text', meaning, example, value };
}

function integer(
  key: string,
  meaning: string,
  unit: string | undefined,
  example: number,
  value: (deal: ExportedDeal) => number | undefined,
): ExportColumn {
  return { key, type: 'integer', meaning, ...(unit === undefined ? {} : { unit }), example, value };
}

function optional(column: ExportColumn): ExportColumn {
  return { ...column, isOptional: true };
}

/**
 * The columns of `deals export` in the order in which they are written. The header, the keys, the types and the tables of
 * data/spec/export.md follow this table.
 */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  text(
    'snapshot',
    'id of the snapshot, which begins with its date: exports of several days fit into one table',
    '20261119T0230Z-1c77e0d2',
    ({ snapshot }) => snapshot,
  ),
  text('currency', 'code of the currency', 'GBP', ({ currency }) => currency),
  text(
    'product_id',
    'id of the product, decimal digits; a new and a refurbished product may share one',
    '101',
    ({ product }) => product.id,
  ),
  text('condition', 'new or refurbished, the words of the filter', 'new', ({ product }) => product.condition),
  text('product_name', 'name of the product', 'Kestrel K9 128GB', ({ product }) => product.name),
  text('product_slug', 'slug of the product', 'kestrel-k9-128gb', ({ product }) => product.slug),
  optional(text('model', 'slug that the variants of a product share', 'kestrel-k9', ({ product }) => product.model)),
  optional(text('manufacturer_slug', 'slug of the manufacturer', 'kestrel', ({ product }) => product.manufacturer)),
  optional(text('manufacturer_name', 'name of the manufacturer', 'Kestrel', ({ manufacturer }) => manufacturer?.name)),
  text('network_id', 'id of the network, decimal digits', '36', ({ network }) => network.id),
  text('network_slug', 'slug of the network', 'quartet', ({ network }) => network.slug),
  text('network_name', 'name of the network', 'Quartet', ({ network }) => network.name),
  text('deal_type', 'kind of deal, a lower-case word', 'contract', ({ plan }) => plan.dealType),
  text('contract_name', 'name of the contract plan', 'Quartet Solo 4GB', ({ plan }) => plan.contractName),
  integer('contract_months', 'contract length', 'months', 24, ({ plan }) => plan.contractMonths),
  integer(
    'data_megabytes',
    `monthly data, 1,000 MB to a gigabyte; ${UNLIMITED_MEGABYTES} is unlimited`,
    'megabytes',
    4000,
    ({ plan }) => markUnlimited(plan.dataMegabytes, UNLIMITED_MEGABYTES),
  ),
  integer('call_minutes', `monthly calls; ${UNLIMITED_MARKER} is unlimited`, 'minutes', UNLIMITED_MARKER, ({ plan }) =>
    markUnlimited(plan.callMinutes, UNLIMITED_MARKER),
  ),
  integer('text_messages', `monthly texts; ${UNLIMITED_MARKER} is unlimited`, 'texts', UNLIMITED_MARKER, ({ plan }) =>
    markUnlimited(plan.textMessages, UNLIMITED_MARKER),
  ),
  text('retailer_id', 'id of the retailer, decimal digits', '80590', ({ retailer }) => retailer.id),
  text('retailer_slug', 'slug of the retailer', 'secondring', ({ retailer }) => retailer.slug),
  text('retailer_name', 'name of the retailer', 'Secondring', ({ retailer }) => retailer.name),
  optional(text('gift_name', 'name of the gift', 'Pebble earbuds', ({ gift }) => gift?.name)),
  optional(text('cashback_type', 'cashback description', 'Cashback by redemption', ({ cashback }) => cashback?.type)),
  optional(integer('cashback_pence', 'cashback amount', PENCE, 3000, ({ cashback }) => cashback?.valuePence)),
  integer('upfront_pence', 'upfront cost of the handset', PENCE, 3000, ({ upfrontPence }) => upfrontPence),
  integer('monthly_pence', 'contract price a month', PENCE, 3650, ({ monthlyPence }) => monthlyPence),
  integer('total_pence', 'total cost over the contract', PENCE, 90600, ({ totalPence }) => totalPence),
  integer(
    'rank',
    'position in the order of total cost over the whole catalogue, from 0; unique in a snapshot',
    undefined,
    1234,
    ({ rank }) => rank,
  ),
  text('feed', 'name of the feed that the deal comes from', 'house', ({ feed }) => feed),
  text(
    'deal_key',
    "the feed's own id of the deal, unique for a retailer within a feed",
    '38204139857',
    ({ key }) => key,
  ),
  text('link', 'URL used to take the deal', 'https://secondring.example/deal/38204139857', ({ link }) => link),
];

function markUnlimited(allowance: Allowance, marker: number): number {
  return allowance === 'unlimited' ? marker : allowance;
}
