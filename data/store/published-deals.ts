import type { DealsLine, Dictionaries, Network, Plan, ProvenanceLine, Retailer } from '../snapshot/format.ts';
import { malformed } from '../snapshot/snapshot-error.ts';
import { parseLines, readDictionaries, type SnapshotLines } from './lines.ts';

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
 * The deals of a snapshot, in the order of its lines.
 * @throws {SnapshotError} `malformed-file` where lines do not belong together, or a number has no entry
 */
export function* readDeals(lines: SnapshotLines): Generator<PublishedDeal, undefined> {
  const { networks, plans, retailers, gifts, cashbacks, pictures, linkTemplates } = readDictionaries(lines);
  for (const [deals, provenance] of readLinePairs(lines)) {
    for (const [i, key] of provenance.key.entries()) {
      const plan = entryAt(plans, deals.plan[i]);
      const { prefix, suffix } = entryAt(linkTemplates, deals.linkTemplate[i]);
      // All arrays have the same length.
      yield {
        productRow: deals.product,
        plan,
        network: entryAt(networks, plan.network),
        retailer: entryAt(retailers, deals.retailer[i]),
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
        match: entryAt(provenance.matches, provenance.match[i]),
      };
    }
  }
}

/** Each line of `deals.ndjson` with that of `provenance.ndjson` about the same deals. */
function* readLinePairs(lines: SnapshotLines): Generator<readonly [DealsLine, ProvenanceLine], undefined> {
  const provenanceLines = parseLines<ProvenanceLine>(lines('provenance.ndjson'), 'provenance.ndjson');
  const expected = 'a line for each line of deals.ndjson';
  try {
    for (const deals of parseLines<DealsLine>(lines('deals.ndjson'), 'deals.ndjson')) {
      const { value: provenance } = provenanceLines.next();
      if (provenance === undefined) throw malformed('provenance.ndjson', undefined, expected, 'fewer');
      checkLengths(deals, provenance);
      yield [deals, provenance];
    }
    if (provenanceLines.next().done !== true) throw malformed('provenance.ndjson', undefined, expected, 'more');
  } finally {
    provenanceLines.return(undefined);
  }
}

function checkLengths(deals: DealsLine, provenance: ProvenanceLine): void {
  const { product, rank, ...columns } = deals;
  const { source, file, line, key, match } = provenance;
  const isEven = [...Object.values(columns), source, file, line, key, match].every(
    (cells) => cells === undefined || cells.length === rank.length,
  );
  if (!isEven || product !== provenance.product) {
    throw malformed('deals.ndjson', undefined, 'parallel arrays of one product', 'others');
  }
}

/** Callers have checked the hashes, and a build checks every number. So a wrong number is the fault of another program. */
function entryAt<Entry>(entries: readonly Entry[], position: number | undefined): Entry {
  const entry = position === undefined ? undefined : entries[position];
  if (entry === undefined)
    throw malformed('deals.ndjson', undefined, `numbers below ${entries.length}`, String(position));
  return entry;
}

/** Numbers begin with 1; 0 is none. */
function numberedAt<Entry>(entries: readonly Entry[], number = 0): Entry | undefined {
  return number === 0 ? undefined : entryAt(entries, number - 1);
}
