import type { Catalogue, CatalogueDeals } from '../../../../build/deals/catalogue-deals.ts';
import type { CatalogueRecords } from '../../../../build/records/join-records.ts';
import type { CatalogueImages } from '../../../../build/records/images.ts';
import type { Sourced } from '../../../../build/source/record.ts';
import {
  type GiftCategoryRecord,
  giftCategoryRecordSchema,
  type GiftRecord,
  giftRecordSchema,
  type NetworkRecord,
  networkRecordSchema,
  type ProductRecord,
  productRecordSchema,
  type RetailerRecord,
  retailerRecordSchema,
} from '../../../../data/record/product.ts';

/** A deal as a test writes it; rank and columns are made of it. */
export interface ExampleDeal {
  readonly product: number;
  readonly totalPence: number;
  readonly gift?: number;
  readonly cashback?: number;
  readonly picture?: number;
}

const EVIDENCE = { rule: 'productId', found: '101' } as const;

function sourced<Record>(record: Record, position: number): Sourced<Record> {
  return { record, origin: { source: 'site', file: 'cms/site.json', line: position + 1 } };
}

export function product(fields: Partial<Record<keyof ProductRecord, unknown>> = {}): ProductRecord {
  return productRecordSchema.parse({
    id: '101',
    condition: 'new',
    name: 'Nova One',
    slug: 'nova-one',
    model: 'nova-one',
    manufacturer: 'nova',
    content: { heading: 'Nova One', introduction: '' },
    specs: { os: 'Nova OS', '4g': 'Yes', gpu: '' },
    ...fields,
  });
}

export function gift(fields: Partial<Record<keyof GiftRecord, unknown>> = {}): GiftRecord {
  return giftRecordSchema.parse({ id: '7', name: 'Buds', slug: 'buds', ...fields });
}

export function giftCategory(fields: Partial<Record<keyof GiftCategoryRecord, unknown>> = {}): GiftCategoryRecord {
  return giftCategoryRecordSchema.parse({ id: '3', name: 'Audio', slug: 'audio', gifts: ['7'], ...fields });
}

export function network(fields: Partial<Record<keyof NetworkRecord, unknown>> = {}): NetworkRecord {
  return networkRecordSchema.parse({ id: '21', name: 'Aurora', slug: 'aurora', ...fields });
}

export function retailer(fields: Partial<Record<keyof RetailerRecord, unknown>> = {}): RetailerRecord {
  return retailerRecordSchema.parse({ id: '31', name: 'Phone Barn', slug: 'phone-barn', ...fields });
}

export function createRecords(parts: {
  readonly products?: readonly ProductRecord[];
  readonly gifts?: readonly GiftRecord[];
  readonly giftCategories?: readonly GiftCategoryRecord[];
  readonly networks?: readonly NetworkRecord[];
  readonly retailers?: readonly RetailerRecord[];
}): CatalogueRecords {
  return {
    products: (parts.products ?? []).map(sourced),
    gifts: (parts.gifts ?? []).map(sourced),
    giftCategories: (parts.giftCategories ?? []).map(sourced),
    networks: (parts.networks ?? []).map(sourced),
    retailers: (parts.retailers ?? []).map(sourced),
    manufacturers: [{ slug: 'nova', name: 'Nova' }],
  };
}

/** Deals in any order; within a product they are put in order of total cost. */
export function createDeals(productCount: number, deals: readonly ExampleDeal[]): CatalogueDeals {
  const rows = deals.toSorted((a, b) => a.product - b.product || a.totalPence - b.totalPence);
  const byTotal = rows.toSorted((a, b) => a.totalPence - b.totalPence);
  const column = (valueOf: (deal: ExampleDeal) => number) => Uint32Array.from(rows, valueOf);
  const rangeStart = Uint32Array.from(
    { length: productCount + 1 },
    (_, product) => rows.filter((deal) => deal.product < product).length,
  );
  return {
    rowCount: rows.length,
    rangeStart,
    rank: column((deal) => byTotal.indexOf(deal)),
    plan: column(() => 0),
    retailer: column(() => 0),
    totalPence: column((deal) => deal.totalPence),
    upfrontPence: column(() => 0),
    monthlyPence: column((deal) => Math.trunc(deal.totalPence / 24)),
    gift: column((deal) => deal.gift ?? 0),
    cashback: column((deal) => deal.cashback ?? 0),
    picture: column((deal) => deal.picture ?? 0),
    linkTemplate: column(() => 0),
    linkPartAt: (row) => `deal-${row}`,
    keyAt: (row) => `H-${row}`,
    matchAt: () => EVIDENCE,
    originAt: (row) => ({ source: 'house', file: 'feeds/house.csv', line: row + 2 }),
    plans: [
      {
        network: 0,
        dealType: 'contract',
        contractName: 'Plan 4',
        contractMonths: 24,
        dataMegabytes: 4000,
        callMinutes: 'unlimited',
        textMessages: 500,
      },
    ],
    gifts: [{ name: 'Buds', row: 0 }, { name: 'A mug' }],
    cashbacks: [{ type: 'Automatic', valuePence: 5000 }],
    linkTemplates: [{ prefix: 'https://shop.example/', suffix: '?a=1' }],
    pictures: ['https://feed.example/p.jpg'],
  };
}

export function createCatalogue(): Catalogue {
  return {
    records: createRecords({
      products: [
        product(),
        product({ condition: 'refurbished', name: 'Refurbished Nova One', slug: 'nova-one-refurbished' }),
        product({ id: '102', name: 'Nova Two', slug: 'nova-two', model: undefined, manufacturer: undefined }),
      ],
      gifts: [gift(), gift({ id: '9', name: 'Watch', slug: 'watch' })],
      giftCategories: [giftCategory({ gifts: ['9', '7'] })],
      networks: [network(), network({ id: '22', name: 'Borealis', slug: 'borealis' })],
      retailers: [retailer()],
    }),
    deals: createDeals(3, [
      { product: 0, totalPence: 70000, gift: 1 },
      { product: 0, totalPence: 50000, cashback: 1 },
      { product: 2, totalPence: 60000, gift: 2, picture: 1 },
    ]),
  };
}

/** Nothing has a picture. */
export function createNoPictures(catalogue: Catalogue): CatalogueImages {
  const { products, gifts, giftCategories, networks, retailers } = catalogue.records;
  return {
    products: products.map(() => ({})),
    gifts: gifts.map(() => ({})),
    giftCategories: giftCategories.map(() => ({})),
    networkLogos: networks.map(() => ({ small: '', medium: '', large: '', deal: '' })),
    retailerLogos: retailers.map(() => ({ large: '', deal: '' })),
    pictures: [],
  };
}
