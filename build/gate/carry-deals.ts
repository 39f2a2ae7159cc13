import type { DealRecord } from '../../data/record/deal.ts';
import type { Dictionaries, Plan, ProductLine } from '../../data/snapshot/format.ts';
import {
  parseLines,
  readDealLines,
  readDictionaries,
  type DealLines,
  type SnapshotLines,
} from '../../data/store/lines.ts';
import type { FeedDeal } from '../feed/feed-checks.ts';
import type { MatchEvidence } from '../records/catalogue.ts';

/** A deal of a snapshot in the form in which its feed gave it, with ids in place of names. */
interface DealOfFeed {
  readonly item: FeedDeal;
  readonly evidence: MatchEvidence;
}

/**
 * The deals of a feed in a snapshot. They are checked again like any other, because their product, network or retailer may
 * be gone, or `exclude` may name them. The caller has checked the hashes of the files.
 * @param isWanted whether a deal is served from there, by its position among all deals of the snapshot
 */
export function* readDealsOfFeed(
  lines: SnapshotLines,
  feed: string,
  isWanted: (row: number) => boolean,
): Generator<DealOfFeed> {
  const dictionaries = readDictionaries(lines);
  const products = Array.from(parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson'), ({ id, condition }) => ({ id, condition })); // prettier-ignore
  let row = 0;
  for (const dealLines of readDealLines(lines)) {
    const product = products[dealLines.deals.product] as Variant;
    for (const [i, source] of dealLines.provenance.source.entries()) {
      if (source === feed && isWanted(row)) yield toFeedDeal(dealLines, dictionaries, product, i);
      row++;
    }
  }
}

type Variant = Pick<ProductLine, 'id' | 'condition'>;

// Snapshots were checked against their schemas, so the arrays of a line have equal lengths, and every code has its
// entry.
function toFeedDeal(
  { deals, provenance }: DealLines,
  dictionaries: Dictionaries,
  product: Variant,
  i: number,
): DealOfFeed {
  const at = <Value>(values: readonly Value[]): Value => values[i] as Value;
  /** 0 is none, and n is entry n - 1. */
  const entryOf = <Entry>(entries: readonly Entry[], numbers: readonly number[] | undefined): Entry | undefined =>
    entries[(numbers?.[i] ?? 0) - 1];
  const plan = dictionaries.plans[at(deals.plan)] as Plan;
  const template = dictionaries.linkTemplates[at(deals.linkTemplate)] as Dictionaries['linkTemplates'][number];
  const retailer = dictionaries.retailers[at(deals.retailer)] as Dictionaries['retailers'][number];
  const network = dictionaries.networks[plan.network] as Dictionaries['networks'][number];
  const cashback = entryOf(dictionaries.cashbacks, deals.cashback);
  const gift = entryOf(dictionaries.gifts, deals.gift);
  const productImage = entryOf(dictionaries.pictures, deals.picture);
  const deal: DealRecord = {
    ...plan,
    key: at(provenance.key),
    product: { ...product, feedIds: [] },
    retailer: { id: retailer.id, names: [], feedIds: [] },
    network: { id: network.id, names: [], feedIds: [] },
    upfrontPence: at(deals.upfrontPence),
    monthlyPence: at(deals.monthlyPence),
    statedTotalPence: at(deals.totalPence),
    ...(cashback === undefined ? {} : { cashbackType: cashback.type, cashbackPence: cashback.valuePence }),
    ...(gift === undefined ? {} : { gift: gift.name }),
    link: `${template.prefix}${at(deals.linkPart)}${template.suffix}`,
    ...(productImage === undefined ? {} : { productImage }),
  };
  const origin = { source: at(provenance.source), file: at(provenance.file), line: at(provenance.line) };
  return {
    item: { kind: 'deal', deal, origin, notices: [] },
    evidence: provenance.matches[at(provenance.match)] as MatchEvidence,
  };
}
