import type { NetworkRecord, RetailerRecord } from '../../data/record/network-retailer.ts';
import { recordKey, type ProductRecord } from '../../data/record/product.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { DealCollector } from '../deals/collect-deals.ts';
import type { LinkTemplate } from '../deals/links.ts';
import type { CatalogueRecords } from '../records/catalogue.ts';
import type { Sourced } from '../source/record.ts';
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
