import type { NetworkRecord, RetailerRecord } from '../../data/record/network-retailer.ts';
import { recordKey, type ProductRecord } from '../../data/record/product.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { DealCollector } from '../deals/collect-deals.ts';
import type { LinkTemplate } from '../deals/links.ts';
import type { CatalogueRecords } from '../records/catalogue.ts';
import { groupBy, type Sourced } from '../source/record.ts';
import type { DealFacts, DescribedDeal, Fact } from './deal-facts.ts';

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

/**
 * @param servedRows the deals before that are compared
 * @param rowsBefore for each deal now, the deal before that has its key, or -1
 */
export function compareDeals(
  before: DealFacts,
  servedRows: readonly number[],
  now: DealFacts,
  rowsBefore: Int32Array,
  isKnownProduct: (product: number) => boolean,
): ComparedDeals {
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

/** The deal of a row of the table. */
export function describeRow(
  { table: { columns, linkPart }, dictionaries, linkTemplates }: DealCollector,
  { products, networks, retailers, gifts }: CatalogueRecords,
  row: number,
): DescribedDeal {
  // Every number of the table has its record or entry; 0 is no gift and no cashback.
  const plan = dictionaries.plans.entries[columns.plan.at(row)] as Plan;
  const gift = dictionaries.gifts.entries[columns.gift.at(row) - 1];
  const { prefix, suffix } = linkTemplates[columns.linkTemplate.at(row)] as LinkTemplate;
  return {
    product: recordKey((products[columns.product.at(row)] as Sourced<ProductRecord>).record),
    retailer: (retailers[columns.retailer.at(row)] as Sourced<RetailerRecord>).record.id,
    network: (networks[plan.network] as Sourced<NetworkRecord>).record.id,
    plan,
    gift: (gift?.kind === 'record' ? gifts[gift.giftRow]?.record.name : gift?.name) ?? '',
    cashback: dictionaries.cashbacks.entries[columns.cashback.at(row) - 1],
    link: prefix + linkPart.at(row) + suffix,
    total: columns.totalPence.at(row),
    upfront: columns.upfrontPence.at(row),
    monthly: columns.monthlyPence.at(row),
  };
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
  const rowBefore = (row: number): number => rowsBefore[row] as number;
  const linkNow = (row: number): number => now.columns.link.at(row);
  const linkBefore = (row: number): number => before.columns.link.at(row);
  const productBefore = (row: number): number => before.columns.product.at(row);
  const hasOwnLink = (row: number): boolean => rowBefore(row) !== -1 && linkBefore(rowBefore(row)) === linkNow(row);

  const rows = [...rowsBefore.keys()];
  const isKept = new Set(rowsBefore);
  const hasKeptLink = new Set(rows.filter(hasOwnLink).map(rowBefore));
  const takers = rows.filter((row) => !hasOwnLink(row));
  const takersOf = groupBy(takers, (row) => [linkNow(row)]);
  const allHolders = servedRows.filter((row) => takersOf.has(linkBefore(row)));
  const holdersOf = groupBy(allHolders, (row) => [linkBefore(row)]);
  for (const [link, holders] of holdersOf) {
    const [first] = holders as readonly [number];
    if (hasKeptLink.has(first)) continue;
    const isOfOneProduct = holders.every((row) => productBefore(row) === productBefore(first));
    // When several deals come to a page, one has taken it.
    const taker = takersOf.get(link)?.find((row) => {
      const isSameRetailer = now.columns.retailer.at(row) === before.columns.retailer.at(first);
      if (isSameRetailer && (rowBefore(row) === -1 || !isKept.has(first))) return false;
      const product = rowBefore(row) === -1 ? now.columns.product.at(row) : productBefore(rowBefore(row));
      return holders.length === 1 || (isOfOneProduct && product !== productBefore(first));
    });
    if (taker !== undefined) hasTaken[taker] = 1;
  }
  return hasTaken;
}
