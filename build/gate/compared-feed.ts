import type { NetworkRecord } from '../../data/record/network-retailer.ts';
import type { ProductRecord } from '../../data/record/product.ts';
import { recordKey } from '../../data/record/product.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { FeedTarget } from '../deals/collect-feed.ts';
import { joinTemplate, LinkSites } from '../deals/links.ts';
import type { CatalogueRecords } from '../records/catalogue.ts';
import type { Sourced } from '../source/record.ts';
import { DealFacts } from './deal-facts.ts';
import { describeCashback, LINK_HASHES, type ServedDeals } from './served-deals.ts';

/** Deals of a feed beside those of the snapshot being served. */
export interface ComparedFeed {
  readonly facts: DealFacts;
  /** By row of `facts`: the hash of the key, and the deal before that has it, or -1. */
  readonly hashes: Float64Array;
  readonly servedRows: Int32Array;
}

/** Makes the facts of rows of the table, in the numbers of the deals before, and finds these by their keys. */
export function compareFeed(
  feed: string,
  rows: Uint32Array,
  { table, dictionaries, linkTemplates }: FeedTarget,
  records: CatalogueRecords,
  served: ServedDeals,
): ComparedFeed {
  const { numbers } = served;
  const { columns } = table;
  const { entries } = dictionaries;
  // Each entry of the dictionaries is numbered when a row of the feed first has it.
  const planOf = memoize((code) => {
    const plan = entries.plans[code] as Plan;
    return numbers.plan({ ...plan, network: (records.networks[plan.network] as Sourced<NetworkRecord>).record.id });
  });
  const giftOf = memoize((code) => {
    const gift = entries.gifts[code - 1];
    if (gift === undefined) return 0;
    return numbers.extra(gift.kind === 'text' ? gift.name : (records.gifts[gift.giftRow]?.record.name ?? ''));
  });
  const cashbackOf = memoize((code) => {
    const cashback = entries.cashbacks[code - 1];
    return cashback === undefined ? 0 : numbers.extra(describeCashback(cashback));
  });
  const productOf = memoize((row) =>
    numbers.name(numbers.products, recordKey((records.products[row] as Sourced<ProductRecord>).record)),
  );
  const retailerIds = records.retailers.map(({ record }) => record.id);
  const retailerOf = memoize((row) => numbers.name(numbers.retailers, retailerIds[row] as string));
  const links = new LinkSites(linkTemplates.map(joinTemplate));
  const facts = new DealFacts(numbers);
  const hashes = new Float64Array(rows.length);
  const servedRows = new Int32Array(rows.length).fill(-1);
  rows.forEach((row, i) => {
    const template = columns.linkTemplate.at(row);
    const retailer = columns.retailer.at(row);
    facts.append({
      product: productOf(columns.product.at(row)),
      retailer: retailerOf(retailer),
      plan: planOf(columns.plan.at(row)),
      gift: giftOf(columns.gift.at(row)),
      cashback: cashbackOf(columns.cashback.at(row)),
      site: numbers.name(numbers.sites, links.siteAt(template, table.linkPart, row)),
      link: links.hashAt(template, table.linkPart, row) % LINK_HASHES,
      total: columns.totalPence.at(row),
      upfront: columns.upfrontPence.at(row),
      monthly: columns.monthlyPence.at(row),
    });
    const hash = table.key.hash(row, served.seedOf(feed, retailerIds[retailer] as string));
    hashes[i] = hash;
    servedRows[i] = served.find(hash) ?? -1;
  });
  return { facts, hashes, servedRows };
}

function memoize(make: (code: number) => number): (code: number) => number {
  const known: (number | undefined)[] = [];
  return (code) => (known[code] ??= make(code));
}
