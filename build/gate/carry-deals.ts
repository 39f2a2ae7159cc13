import type { DealRecord } from '../../data/record/deal.ts';
import type { DealsLine, Dictionaries, Plan, ProductLine, ProvenanceLine } from '../../data/snapshot/format.ts';
import { parseLines, readDealLines, readDictionaries, type SnapshotLines } from '../../data/store/lines.ts';
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
 * @param isWanted whether a deal is of a held part: a retailer and a network by their slugs
 */
export function* readDealsOfFeed(
  lines: SnapshotLines,
  feed: string,
  isWanted: (retailer: string, network: string) => boolean,
): Generator<DealOfFeed> {
  const dictionaries = readDictionaries(lines);
  const products = Array.from(
    parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson'),
    ({ id, condition }) => ({ id, condition }),
  );
  for (const { deals, provenance } of readDealLines(lines)) {
    const product = products[deals.product] as Variant;
    for (const [i, source] of provenance.source.entries()) {
      if (source !== feed) continue;
      const { network } = dictionaries.plans[deals.plan[i] as number] as Plan;
      const isOfPart = isWanted(
        slugOf(dictionaries.retailers, deals.retailer[i] as number),
        slugOf(dictionaries.networks, network),
      );
      if (isOfPart) yield toFeedDeal({ deals, provenance, dictionaries, product }, i);
    }
  }
}

type Variant = Pick<ProductLine, 'id' | 'condition'>;

interface DealLines {
  readonly deals: DealsLine;
  readonly provenance: ProvenanceLine;
  readonly dictionaries: Dictionaries;
  readonly product: Variant;
}

// Snapshots were checked against their schemas, so the arrays of a line have equal lengths, and every code has its
// entry.
function toFeedDeal({ deals, provenance, dictionaries, product }: DealLines, i: number): DealOfFeed {
  const at = <Value>(values: readonly Value[]): Value => values[i] as Value;
  const plan = dictionaries.plans[at(deals.plan)] as Plan;
  const template = dictionaries.linkTemplates[at(deals.linkTemplate)] as Dictionaries['linkTemplates'][number];
  const gift = entryOf(dictionaries.gifts, deals.gift?.[i]);
  const cashback = entryOf(dictionaries.cashbacks, deals.cashback?.[i]);
  const productImage = entryOf(dictionaries.pictures, deals.picture?.[i]);
  const deal: DealRecord = {
    key: at(provenance.key),
    product: { id: product.id, condition: product.condition, feedIds: [] },
    retailer: { id: idOf(dictionaries.retailers, at(deals.retailer)), names: [], feedIds: [] },
    network: { id: idOf(dictionaries.networks, plan.network), names: [], feedIds: [] },
    dealType: plan.dealType,
    contractName: plan.contractName,
    contractMonths: plan.contractMonths,
    dataMegabytes: plan.dataMegabytes,
    callMinutes: plan.callMinutes,
    textMessages: plan.textMessages,
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

/** 0 is none, and n is entry n - 1. */
function entryOf<Entry>(entries: readonly Entry[], number = 0): Entry | undefined {
  return number === 0 ? undefined : entries[number - 1];
}

function idOf(entries: readonly { readonly id: string }[], number: number): string {
  return (entries[number] as { readonly id: string }).id;
}

function slugOf(entries: readonly { readonly slug: string }[], number: number): string {
  return (entries[number] as { readonly slug: string }).slug;
}
