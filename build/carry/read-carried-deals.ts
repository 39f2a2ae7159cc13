import type { DealRecord } from '../../data/record/deal.ts';
import type { DealsLine, Dictionaries, Plan, ProductLine, ProvenanceLine } from '../../data/snapshot/format.ts';
import type { FeedDeal } from '../adapt/read-feed.ts';
import type { SnapshotLines } from '../changes/snapshot-lines.ts';
import type { MatchWay } from '../catalogue/catalogue.ts';

/** A deal of a snapshot as its feed gave it, joined by ids in place of names. */
export interface CarriedDeal {
  readonly item: FeedDeal;
  readonly way: MatchWay;
}

/**
 * The deals that a snapshot has of a feed, in batches, to be judged again: a product, network or retailer that is gone
 * since, or a line of `exclude`, leaves them out. The caller has checked the hashes of the files.
 */
export function* readCarriedDeals(lines: SnapshotLines, feed: string): Generator<readonly CarriedDeal[]> {
  const dictionaries = JSON.parse([...lines('dictionaries.json')].join('\n')) as Dictionaries;
  const products = [...lines('products.ndjson')].map((line) => {
    const { id, condition } = JSON.parse(line.toString()) as ProductLine;
    return { id, condition };
  });
  const provenanceLines = lines('provenance.ndjson')[Symbol.iterator]();
  for (const line of lines('deals.ndjson')) {
    const deals = JSON.parse(line.toString()) as DealsLine;
    const provenance = JSON.parse(String(provenanceLines.next().value)) as ProvenanceLine;
    const product = products[deals.product] as Variant;
    const batch: CarriedDeal[] = [];
    for (let i = 0; i < deals.rank.length; i++) {
      if (provenance.source[i] !== feed) continue;
      batch.push(readDeal({ deals, provenance, dictionaries, product }, i));
    }
    if (batch.length > 0) yield batch;
  }
}

type Variant = Pick<ProductLine, 'id' | 'condition'>;

interface Run {
  readonly deals: DealsLine;
  readonly provenance: ProvenanceLine;
  readonly dictionaries: Dictionaries;
  readonly product: Variant;
}

// Snapshots are held to their schemas before they are published, so the arrays of a line are as long as each other, and
// every number names an entry.
function readDeal({ deals, provenance, dictionaries, product }: Run, i: number): CarriedDeal {
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
    way: provenance.matches[at(provenance.match)] as MatchWay,
  };
}

/** 0 is none, and n is entry n - 1. */
function entryOf<Entry>(entries: readonly Entry[], number = 0): Entry | undefined {
  return number === 0 ? undefined : entries[number - 1];
}

function idOf(entries: readonly { readonly id: string }[], number: number): string {
  return (entries[number] as { readonly id: string }).id;
}
