import { groupBy } from '../source/record.ts';
import type { ComparedDeal, DealFacts } from './deal-facts.ts';

/**
 * Marks the deals that have the link which another deal had and has lost: a shop does not give the link of one deal to
 * another, nor to a deal of another shop. A link that deals of several products share is a page of the shop, and one that
 * deals of the same product share is its page: who joins others there takes nothing.
 */
export function markTakenLinks(before: readonly DealFacts[], deals: readonly ComparedDeal[]): void {
  const hasOwnLink = (deal: ComparedDeal): boolean => deal.before?.link === deal.now.link;
  const kept = new Set(deals.map((deal) => deal.before));
  const withOwnLink = new Set(deals.filter(hasOwnLink).map((deal) => deal.before));
  const takersOf = groupBy(
    deals.filter((deal) => !hasOwnLink(deal)),
    ({ now }) => [now.link],
  );
  const holdersOf = groupBy(
    before.filter(({ link }) => takersOf.has(link)),
    ({ link }) => [link],
  );
  for (const [link, holders] of holdersOf) {
    const [first] = holders as readonly [DealFacts];
    if (withOwnLink.has(first)) continue;
    const isOfOneProduct = holders.every(({ product }) => product === first.product);
    // When several deals come to a page, one has taken it.
    const taker = takersOf.get(link)?.find((deal) => {
      const isSameRetailer = deal.now.retailer === first.retailer;
      if (isSameRetailer && (deal.before === undefined || !kept.has(first))) return false;
      const { product } = deal.before ?? deal.now;
      return holders.length === 1 || (isOfOneProduct && product !== first.product);
    });
    if (taker !== undefined) taker.hasTakenLink = true;
  }
}
