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
export interface ExportedDeal {
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

type ExportColumn<Part> = ColumnFacts &
  (
    | { readonly type: 'text'; readonly value: (part: Part) => string | undefined }
    | { readonly type: 'integer'; readonly value: (part: Part) => number | undefined }
  );

/** Unlimited data in megabytes: 1,000 times the marker that responses have in gigabytes. */
const UNLIMITED_MEGABYTES = UNLIMITED_MARKER * MEGABYTES_PER_GIGABYTE;

const PENCE = 'hundredths of the currency';

/**
 * The columns of `deals export` by the part of a deal that they show, in the order in which they are written. The header,
 * the keys, the types and the tables of data/spec/export.md follow this table.
 */
export const EXPORT_COLUMNS: {
  readonly [Name in keyof ExportParts]: readonly ExportColumn<ExportParts[Name]>[];
} = {
  snapshot: [
    {
      key: 'snapshot',
      type: 'text',
      meaning: 'id of the snapshot, which begins with its date: exports of several days fit into one table',
      example: '20261119T0230Z-1c77e0d2',
      value: ({ id }) => id,
    },
    {
      key: 'currency',
      type: 'text',
      meaning: 'code of the currency',
      example: 'GBP',
      value: ({ currency }) => currency,
    },
  ],
  product: [
    {
      key: 'product_id',
      type: 'text',
      meaning: 'id of the product, decimal digits; a new and a refurbished product may share one',
      example: '101',
      value: ({ line }) => line.id,
    },
    {
      key: 'condition',
      type: 'text',
      meaning: 'new or refurbished, the words of the filter',
      example: 'new',
      value: ({ line }) => line.condition,
    },
    {
      key: 'product_name',
      type: 'text',
      meaning: 'name of the product',
      example: 'Kestrel K9 128GB',
      value: ({ line }) => line.name,
    },
    {
      key: 'product_slug',
      type: 'text',
      meaning: 'slug of the product',
      example: 'kestrel-k9-128gb',
      value: ({ line }) => line.slug,
    },
    {
      key: 'model',
      type: 'text',
      isOptional: true,
      meaning: 'slug that the variants of a product share',
      example: 'kestrel-k9',
      value: ({ line }) => line.model,
    },
    {
      key: 'manufacturer_slug',
      type: 'text',
      isOptional: true,
      meaning: 'slug of the manufacturer',
      example: 'kestrel',
      value: ({ line }) => line.manufacturer,
    },
    {
      key: 'manufacturer_name',
      type: 'text',
      isOptional: true,
      meaning: 'name of the manufacturer',
      example: 'Kestrel',
      value: ({ manufacturer }) => manufacturer?.name,
    },
  ],
  plan: [
    {
      key: 'network_id',
      type: 'text',
      meaning: 'id of the network, decimal digits',
      example: '36',
      value: ({ network }) => network.id,
    },
    {
      key: 'network_slug',
      type: 'text',
      meaning: 'slug of the network',
      example: 'quartet',
      value: ({ network }) => network.slug,
    },
    {
      key: 'network_name',
      type: 'text',
      meaning: 'name of the network',
      example: 'Quartet',
      value: ({ network }) => network.name,
    },
    {
      key: 'deal_type',
      type: 'text',
      meaning: 'kind of deal, a lower-case word',
      example: 'contract',
      value: ({ plan }) => plan.dealType,
    },
    {
      key: 'contract_name',
      type: 'text',
      meaning: 'name of the contract plan',
      example: 'Quartet Solo 4GB',
      value: ({ plan }) => plan.contractName,
    },
    {
      key: 'contract_months',
      type: 'integer',
      meaning: 'contract length',
      unit: 'months',
      example: 24,
      value: ({ plan }) => plan.contractMonths,
    },
    {
      key: 'data_megabytes',
      type: 'integer',
      meaning: `monthly data, 1,000 MB to a gigabyte; ${UNLIMITED_MEGABYTES} is unlimited`,
      unit: 'megabytes',
      example: 4000,
      value: ({ plan }) => markUnlimited(plan.dataMegabytes, UNLIMITED_MEGABYTES),
    },
    {
      key: 'call_minutes',
      type: 'integer',
      meaning: `monthly calls; ${UNLIMITED_MARKER} is unlimited`,
      unit: 'minutes',
      example: UNLIMITED_MARKER,
      value: ({ plan }) => markUnlimited(plan.callMinutes, UNLIMITED_MARKER),
    },
    {
      key: 'text_messages',
      type: 'integer',
      meaning: `monthly texts; ${UNLIMITED_MARKER} is unlimited`,
      unit: 'texts',
      example: UNLIMITED_MARKER,
      value: ({ plan }) => markUnlimited(plan.textMessages, UNLIMITED_MARKER),
    },
  ],
  retailer: [
    {
      key: 'retailer_id',
      type: 'text',
      meaning: 'id of the retailer, decimal digits',
      example: '80590',
      value: ({ id }) => id,
    },
    {
      key: 'retailer_slug',
      type: 'text',
      meaning: 'slug of the retailer',
      example: 'secondring',
      value: ({ slug }) => slug,
    },
    {
      key: 'retailer_name',
      type: 'text',
      meaning: 'name of the retailer',
      example: 'Secondring',
      value: ({ name }) => name,
    },
  ],
  gift: [
    {
      key: 'gift_name',
      type: 'text',
      isOptional: true,
      meaning: 'name of the gift',
      example: 'Pebble earbuds',
      value: (gift) => gift?.name,
    },
  ],
  cashback: [
    {
      key: 'cashback_type',
      type: 'text',
      isOptional: true,
      meaning: 'cashback description',
      example: 'Cashback by redemption',
      value: (cashback) => cashback?.type,
    },
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
    {
      key: 'upfront_pence',
      type: 'integer',
      meaning: 'upfront cost of the handset',
      unit: PENCE,
      example: 3000,
      value: ({ upfrontPence }) => upfrontPence,
    },
    {
      key: 'monthly_pence',
      type: 'integer',
      meaning: 'contract price a month',
      unit: PENCE,
      example: 3650,
      value: ({ monthlyPence }) => monthlyPence,
    },
    {
      key: 'total_pence',
      type: 'integer',
      meaning: 'total cost over the contract',
      unit: PENCE,
      example: 90600,
      value: ({ totalPence }) => totalPence,
    },
    {
      key: 'rank',
      type: 'integer',
      meaning: 'position in the order of total cost over the whole catalogue, from 0; unique in a snapshot',
      example: 1234,
      value: ({ rank }) => rank,
    },
    {
      key: 'feed',
      type: 'text',
      meaning: 'name of the feed that the deal comes from',
      example: 'house',
      value: ({ feed }) => feed,
    },
    {
      key: 'deal_key',
      type: 'text',
      meaning: "the feed's own id of the deal, unique for a retailer within a feed",
      example: '38204139857',
      value: ({ key }) => key,
    },
    {
      key: 'link',
      type: 'text',
      meaning: 'URL used to take the deal',
      example: 'https://secondring.example/deal/38204139857',
      value: ({ link }) => link,
    },
  ],
};

/** The columns of all parts in their order. */
export const COLUMN_LIST: readonly ColumnFacts[] = Object.values(EXPORT_COLUMNS).flat();

function markUnlimited(allowance: Allowance, marker: number): number {
  return allowance === 'unlimited' ? marker : allowance;
}
