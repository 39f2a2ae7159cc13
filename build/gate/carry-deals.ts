import type { ProductLine } from '../../data/snapshot/format.ts';
import { parseLines, type SnapshotLines } from '../../data/store/lines.ts';
import { readDeals, type PublishedDeal } from '../../data/store/published-deals.ts';
import type { FeedDeal } from '../feed/raw-deal.ts';
import type { MatchEvidence } from '../records/catalogue.ts';

/** A deal of a snapshot in the form in which its feed gave it, with ids in place of names. */
interface DealOfFeed {
  readonly item: FeedDeal;
  readonly evidence: MatchEvidence;
}

/**
 * The deals of a feed in a snapshot. They are checked again like any other, because their product, network or retailer may
 * be gone, or `exclude` may name them.
 * @param isWanted whether a deal is served from there, by its position among all deals of the snapshot
 */
export function* readDealsOfFeed(
  lines: SnapshotLines,
  feed: string,
  isWanted: (row: number) => boolean,
): Generator<DealOfFeed> {
  const products = [...parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson')];
  let row = 0;
  for (const deal of readDeals(lines)) {
    const product = products[deal.productRow] as ProductLine;
    if (deal.feed === feed && isWanted(row)) yield { item: toFeedDeal(deal, product), evidence: deal.match };
    row++;
  }
}

function toFeedDeal(deal: PublishedDeal, product: ProductLine): FeedDeal {
  const { plan, retailer, network, cashback, gift, picture } = deal;
  return {
    kind: 'deal',
    deal: {
      ...plan,
      key: deal.key,
      product: { id: product.id, condition: product.condition, feedIds: [] },
      retailer: { id: retailer.id, names: [], feedIds: [] },
      network: { id: network.id, names: [], feedIds: [] },
      upfrontPence: deal.upfrontPence,
      monthlyPence: deal.monthlyPence,
      statedTotalPence: deal.totalPence,
      cashbackType: cashback?.type,
      cashbackPence: cashback?.valuePence,
      gift: gift?.name,
      link: deal.link,
      productImage: picture,
    },
    origin: { source: deal.feed, file: deal.file, line: deal.line },
    notices: [],
  };
}
