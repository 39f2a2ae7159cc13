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
export interface ExportColumn {
  readonly key: string;
  readonly type: 'text' | 'integer';
  readonly meaning: string;
  readonly unit?: string | undefined;
  /** Some deals have no value. */
  readonly isOptional?: true;
  readonly value: (deal: ExportedDeal) => string | number | undefined;
}

/** Unlimited data in megabytes: 1,000 times the marker that responses have in gigabytes. */
const UNLIMITED_MEGABYTES = UNLIMITED_MARKER * MEGABYTES_PER_GIGABYTE;

const PENCE = 'hundredths of the currency';

function text(key: string, meaning: string, value: (deal: ExportedDeal) => string | undefined): ExportColumn {
  return { key, type: 'text', meaning, value };
}

function integer(
  key: string,
  meaning: string,
  unit: string | undefined,
  value: (deal: ExportedDeal) => number | undefined,
): ExportColumn {
  return { key, type: 'integer', meaning, unit, value };
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
    ({ snapshot }) => snapshot,
  ),
  text('currency', 'code of the currency', ({ currency }) => currency),
  text('product_id', 'id of the product; a new and a refurbished product may share one', ({ product }) => product.id),
  text('condition', '`new` or `refurbished`', ({ product }) => product.condition),
  text('product_name', 'name of the product', ({ product }) => product.name),
  text('product_slug', 'slug of the product', ({ product }) => product.slug),
  optional(text('model', 'slug that the variants of a product share', ({ product }) => product.model)),
  optional(text('manufacturer_slug', 'slug of the manufacturer', ({ product }) => product.manufacturer)),
  optional(text('manufacturer_name', 'name of the manufacturer', ({ manufacturer }) => manufacturer?.name)),
  text('network_id', 'id of the network', ({ network }) => network.id),
  text('network_slug', 'slug of the network', ({ network }) => network.slug),
  text('network_name', 'name of the network', ({ network }) => network.name),
  text('deal_type', 'kind of deal, a lower-case word', ({ plan }) => plan.dealType),
  text('contract_name', 'name of the contract plan', ({ plan }) => plan.contractName),
  integer('contract_months', 'contract length', 'months', ({ plan }) => plan.contractMonths),
  integer('data_megabytes', `monthly data; ${UNLIMITED_MEGABYTES} is unlimited`, 'megabytes', ({ plan }) =>
    markUnlimited(plan.dataMegabytes, UNLIMITED_MEGABYTES),
  ),
  integer('call_minutes', `monthly calls; ${UNLIMITED_MARKER} is unlimited`, 'minutes', ({ plan }) =>
    markUnlimited(plan.callMinutes, UNLIMITED_MARKER),
  ),
  integer('text_messages', `monthly texts; ${UNLIMITED_MARKER} is unlimited`, 'texts', ({ plan }) =>
    markUnlimited(plan.textMessages, UNLIMITED_MARKER),
  ),
  text('retailer_id', 'id of the retailer', ({ retailer }) => retailer.id),
  text('retailer_slug', 'slug of the retailer', ({ retailer }) => retailer.slug),
  text('retailer_name', 'name of the retailer', ({ retailer }) => retailer.name),
  optional(text('gift_name', 'name of the gift', ({ gift }) => gift?.name)),
  optional(text('cashback_type', 'cashback description', ({ cashback }) => cashback?.type)),
  optional(integer('cashback_pence', 'cashback amount', PENCE, ({ cashback }) => cashback?.valuePence)),
  integer('upfront_pence', 'upfront cost', PENCE, ({ upfrontPence }) => upfrontPence),
  integer('monthly_pence', 'cost a month', PENCE, ({ monthlyPence }) => monthlyPence),
  integer('total_pence', 'total cost over the contract', PENCE, ({ totalPence }) => totalPence),
  integer(
    'rank',
    'position in the order of total cost over the whole catalogue, from 0; unique in a snapshot',
    undefined,
    ({ rank }) => rank,
  ),
  text('feed', 'name of the feed that the deal comes from', ({ feed }) => feed),
  text('deal_key', "the feed's own id of the deal, unique for a retailer within a feed", ({ key }) => key),
  text('link', 'URL used to take the deal', ({ link }) => link),
];

function markUnlimited(allowance: Allowance, marker: number): number {
  return allowance === 'unlimited' ? marker : allowance;
}
