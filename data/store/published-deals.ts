import type { DealsLine, Dictionaries, Network, Plan, ProvenanceLine, Retailer } from '../snapshot/format.ts';
import { parseLines, readDictionaries, type SnapshotLines } from './lines.ts';

type LinkTemplate = Dictionaries['linkTemplates'][number];

/** A deal of a snapshot with all that it names. Deals with the same plan, gift or cashback have the same object. */
export interface PublishedDeal {
  /** The 0-based line of its product in `products.ndjson`. */
  readonly productRow: number;
  readonly plan: Plan;
  readonly network: Network;
  readonly retailer: Retailer;
  readonly gift: Dictionaries['gifts'][number] | undefined;
  readonly cashback: Dictionaries['cashbacks'][number] | undefined;
  readonly picture: string | undefined;
  readonly upfrontPence: number;
  readonly monthlyPence: number;
  readonly totalPence: number;
  readonly rank: number;
  readonly link: string;
  readonly feed: string;
  readonly file: string;
  readonly line: number;
  readonly key: string;
  readonly match: ProvenanceLine['matches'][number];
}

/**
 * The deals of a snapshot, in the order of its lines. What was checked when it was published is trusted: lines belong together,
 * arrays of a line have one length, and every number has its entry.
 */
export function* readDeals(lines: SnapshotLines): Generator<PublishedDeal, undefined> {
  const { networks, plans, retailers, gifts, cashbacks, pictures, linkTemplates } = readDictionaries(lines);
  const provenances = parseLines<ProvenanceLine>(lines('provenance.ndjson'), 'provenance.ndjson');
  try {
    for (const deals of parseLines<DealsLine>(lines('deals.ndjson'), 'deals.ndjson')) {
      const provenance = provenances.next().value as ProvenanceLine;
      for (const [i, key] of provenance.key.entries()) {
        const plan = plans[deals.plan[i] as number] as Plan;
        const { prefix, suffix } = linkTemplates[deals.linkTemplate[i] as number] as LinkTemplate;
        yield {
          productRow: deals.product,
          plan,
          network: networks[plan.network] as Network,
          retailer: retailers[deals.retailer[i] as number] as Retailer,
          gift: numberedAt(gifts, deals.gift?.[i]),
          cashback: numberedAt(cashbacks, deals.cashback?.[i]),
          picture: numberedAt(pictures, deals.picture?.[i]),
          upfrontPence: deals.upfrontPence[i] as number,
          monthlyPence: deals.monthlyPence[i] as number,
          totalPence: deals.totalPence[i] as number,
          rank: deals.rank[i] as number,
          link: prefix + (deals.linkPart[i] as string) + suffix,
          feed: provenance.source[i] as string,
          file: provenance.file[i] as string,
          line: provenance.line[i] as number,
          key,
          match: provenance.matches[provenance.match[i] as number] as PublishedDeal['match'],
        };
      }
    }
  } finally {
    provenances.return(undefined);
  }
}

/** Numbers begin with 1; 0 is none. */
function numberedAt<Entry>(entries: readonly Entry[], number = 0): Entry | undefined {
  return entries[number - 1];
}
