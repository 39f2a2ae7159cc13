import type { NetworkRecord } from '../../data/record/network-retailer.ts';
import type { ProductRecord } from '../../data/record/product.ts';
import { recordKey } from '../../data/record/product.ts';
import type { Dictionaries, Plan } from '../../data/snapshot/format.ts';
import type { FeedTarget } from '../deals/collect-feed.ts';
import type { CatalogueRecords, DealGift } from '../records/catalogue.ts';
import type { Sourced } from '../source/record.ts';
import { createAppender, DealFacts, describeCashback, type Fact } from './deal-facts.ts';
import type { ServedDeals } from './served-deals.ts';

/** Deals of a feed beside those of the snapshot being served. */
export interface ComparedDeals {
  readonly before: DealFacts;
  readonly now: DealFacts;
  /** The deal before that has the key of a deal now, or -1. */
  readonly rowBefore: (row: number) => number;
  /** 1 for a deal now that has the link which another deal had and has lost. */
  readonly hasTakenLink: Uint8Array;
  /** Whether a deal under its key says another thing in some facts. */
  readonly differs: (row: number, facts: readonly Fact[]) => boolean;
  /** A product that is new or gone takes its deals with it, which is a change of the CMS, and makes them no others. */
  readonly isOfOtherPhone: (row: number) => boolean;
}

/** Finds the deals before by the hashes of the keys of the deals now. */
export function compareDeals(
  served: ServedDeals,
  servedRows: readonly number[],
  now: DealFacts,
  hashes: Float64Array,
  isKnownProduct: (product: number) => boolean,
): ComparedDeals {
  const before = served.facts;
  const rowsBefore = Int32Array.from(hashes, (hash) => served.find(hash) ?? -1);
  const differs = (row: number, facts: readonly Fact[]): boolean =>
    facts.some((fact) => now.columns[fact].at(row) !== before.columns[fact].at(rowsBefore[row] as number));
  return {
    before,
    now,
    rowBefore: (row) => rowsBefore[row] as number,
    hasTakenLink: findTakenLinks(before, servedRows, now, rowsBefore),
    differs,
    isOfOtherPhone: (row) =>
      differs(row, ['product']) &&
      isKnownProduct(now.columns.product.at(row)) &&
      isKnownProduct(before.columns.product.at(rowsBefore[row] as number)),
  };
}

/** The facts of rows of the table, with the names of the deals before, and the hashes of their keys. */
export function describeDeals(
  feed: string,
  rows: Uint32Array,
  { table, dictionaries, linkTemplates }: FeedTarget,
  records: CatalogueRecords,
  served: ServedDeals,
): { readonly facts: DealFacts; readonly hashes: Float64Array } {
  const facts = new DealFacts(served.facts.names);
  const retailerIds = records.retailers.map(({ record }) => record.id);
  const append = createAppender(facts, {
    productAt: (row) => recordKey((records.products[row] as Sourced<ProductRecord>).record),
    retailerAt: (row) => retailerIds[row] as string,
    planAt: (code) => dictionaries.plans.entries[code] as Plan,
    networkAt: (row) => (records.networks[row] as Sourced<NetworkRecord>).record.id,
    giftAt: (code) => {
      const gift = dictionaries.gifts.entries[code] as DealGift;
      return gift.kind === 'text' ? gift.name : (records.gifts[gift.giftRow]?.record.name ?? '');
    },
    cashbackAt: (code) => describeCashback(dictionaries.cashbacks.entries[code] as Dictionaries['cashbacks'][number]),
    linkTemplates,
  });
  const { columns, linkPart, key } = table;
  const hashes = Float64Array.from(rows, (row) => {
    append({
      product: columns.product.at(row),
      retailer: columns.retailer.at(row),
      plan: columns.plan.at(row),
      gift: columns.gift.at(row),
      cashback: columns.cashback.at(row),
      linkTemplate: columns.linkTemplate.at(row),
      linkPart: linkPart.at(row),
      total: columns.totalPence.at(row),
      upfront: columns.upfrontPence.at(row),
      monthly: columns.monthlyPence.at(row),
    });
    return key.hash(row, served.seedOf(feed, retailerIds[columns.retailer.at(row)] as string));
  });
  return { facts, hashes };
}

/** The deals before that share a link: the first of them, and whether all are of one product. */
interface LinkHolders {
  readonly first: number;
  isOnly: boolean;
  isOfOneProduct: boolean;
}

/**
 * Finds the deals that have the link which another deal had and has lost: a shop does not give the link of one deal to
 * another, nor to a deal of another shop. A link that deals of several products share is a page of the shop, and one that
 * deals of the same product share is its page: who joins others there takes nothing.
 */
function findTakenLinks(
  before: DealFacts,
  servedRows: readonly number[],
  now: DealFacts,
  rowsBefore: Int32Array,
): Uint8Array {
  const hasTaken = new Uint8Array(now.rowCount);
  const newLinks = new Map<number, number[]>();
  const hasKeptLink = new Set<number>();
  rowsBefore.forEach((servedRow, row) => {
    const link = now.columns.link.at(row);
    if (servedRow !== -1 && before.columns.link.at(servedRow) === link) hasKeptLink.add(servedRow);
    else if (newLinks.get(link)?.push(row) === undefined) newLinks.set(link, [row]);
  });
  const holders = new Map<number, LinkHolders>();
  for (const row of servedRows) {
    const link = before.columns.link.at(row);
    if (!newLinks.has(link)) continue;
    const known = holders.get(link);
    if (known === undefined) holders.set(link, { first: row, isOnly: true, isOfOneProduct: true });
    else {
      known.isOnly = false;
      known.isOfOneProduct &&= before.columns.product.at(row) === before.columns.product.at(known.first);
    }
  }
  const isKept = new Set(rowsBefore);
  for (const [link, { first, isOnly, isOfOneProduct }] of holders) {
    if (hasKeptLink.has(first)) continue;
    // When several deals come to a page, one has taken it.
    const taker = newLinks.get(link)?.find((row) => {
      const servedRow = rowsBefore[row] as number;
      if (
        now.columns.retailer.at(row) === before.columns.retailer.at(first) &&
        (servedRow === -1 || !isKept.has(first))
      )
        return false;
      const product = servedRow === -1 ? now.columns.product.at(row) : before.columns.product.at(servedRow);
      return isOnly || (isOfOneProduct && product !== before.columns.product.at(first));
    });
    if (taker !== undefined) hasTaken[taker] = 1;
  }
  return hasTaken;
}
