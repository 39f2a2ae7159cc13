import type { Catalogue } from '../../../../build/deals/catalogue-deals.ts';
import type { CatalogueImages } from '../../../../build/records/images.ts';
import type { FeedDeal } from '../../../../build/feed/parse-deal.ts';
import { cmsOf, collect, collectorOf, item, join, type DealParts } from '../deals/sample-records.ts';

const PRODUCT = {
  id: '101',
  condition: 'new',
  name: 'Nova One',
  slug: 'nova-one',
  model: 'nova-one',
  manufacturer: 'nova',
  content: { heading: 'Nova One', introduction: '' },
  specs: { os: 'Nova OS', '4g': 'Yes', gpu: '' },
};

const LISTS = {
  products: [
    PRODUCT,
    { ...PRODUCT, condition: 'refurbished', name: 'Refurbished Nova One', slug: 'nova-one-refurbished' },
    { id: '102', condition: 'new', name: 'Nova Two', slug: 'nova-two' },
  ],
  gifts: [
    { id: '7', name: 'Buds', slug: 'buds' },
    { id: '9', name: 'Watch', slug: 'watch' },
  ],
  giftCategories: [{ id: '3', name: 'Audio', slug: 'audio', gifts: ['9', '7'] }],
  networks: [
    { id: '21', name: 'Aurora', slug: 'aurora' },
    { id: '22', name: 'Borealis', slug: 'borealis' },
  ],
  retailers: [{ id: '31', name: 'Phone Barn', slug: 'phone-barn' }],
  manufacturers: [{ slug: 'nova', name: 'Nova' }],
};

/** A deal of a product at so many pence in all. */
export function exampleDeal(
  product: string,
  totalPence: number,
  key = `D-${totalPence}`,
  parts: DealParts = {},
): FeedDeal {
  return item({
    key,
    product: { id: product, feedIds: [], condition: 'new' },
    retailer: ['phone-barn'],
    network: ['aurora'],
    contractName: 'Plan 4',
    dataMegabytes: 4000,
    textMessages: 500,
    upfrontPence: 0,
    monthlyPence: Math.max(1, Math.trunc(totalPence / 24)),
    statedTotalPence: totalPence,
    link: `https://shop.example/${key}`,
    ...parts,
  });
}

const DEALS = [
  exampleDeal('101', 70_000, 'D-1', { gift: '7' }),
  exampleDeal('101', 50_000, 'D-0', { cashbackType: 'Automatic', cashbackPence: 5_000 }),
  exampleDeal('102', 60_000, 'D-2', { gift: 'A mug', productImage: 'https://feed.example/p.jpg' }),
];

/** A catalogue with everything that a file can hold; a product has no deal, and a network has none. */
export function createCatalogue(
  lists: Parameters<typeof cmsOf>[0] = {},
  deals: readonly FeedDeal[] = DEALS,
): Catalogue {
  const joined = join(cmsOf({ ...LISTS, ...lists }));
  const collector = collectorOf(joined);
  collect(collector, joined.ledger, deals);
  return { records: joined.joined.records, deals: collector.finish(() => false) };
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
