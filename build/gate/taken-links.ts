import { groupBy } from '../source/record.ts';
import type { FeedDeals } from './compare-feed.ts';

/**
 * Finds the deals now that have the link which another deal had and has lost: a shop does not give the link of one deal to
 * another, nor to a deal of another shop. A link that deals of several products share is a page of the shop, and one that
 * deals of the same product share is its page: who joins others there takes nothing.
 * @param isKept for each row before, 1 if a deal now has its key
 */
export function findTakenLinks(
  { before, isOurs, now, rowsBefore }: Pick<FeedDeals, 'before' | 'isOurs' | 'now' | 'rowsBefore'>,
  isKept: Uint8Array,
): ReadonlySet<number> {
  const linkBefore = (row: number): number => before.factAt('link', row);
  const linkNow = (row: number): number => now.factAt('link', row);
  const productBefore = (row: number): number => before.factAt('product', row);
  const keepsLink = new Uint8Array(before.rowCount);
  const takers: number[] = [];
  rowsBefore.forEach((rowBefore, row) => {
    const isOwn = rowBefore !== -1 && linkBefore(rowBefore) === linkNow(row);
    if (isOwn) keepsLink[rowBefore] = 1;
    else takers.push(row);
  });
  const takersOf = groupBy(takers, (row) => [linkNow(row)]);
  const holders: number[] = [];
  isOurs.forEach((isOne, row) => {
    if (isOne === 1 && takersOf.has(linkBefore(row))) holders.push(row);
  });
  const taken = new Set<number>();
  for (const [link, rows] of groupBy(holders, (row) => [linkBefore(row)])) {
    const [first] = rows as readonly [number];
    if (keepsLink[first] === 1) continue;
    const isOfOneProduct = rows.every((row) => productBefore(row) === productBefore(first));
    // When several deals come to a page, one has taken it.
    const taker = takersOf.get(link)?.find((row) => {
      const rowBefore = rowsBefore[row] as number;
      const isSameRetailer = now.factAt('retailer', row) === before.factAt('retailer', first);
      if (isSameRetailer && (rowBefore === -1 || isKept[first] === 0)) return false;
      const product = rowBefore === -1 ? now.factAt('product', row) : productBefore(rowBefore);
      return rows.length === 1 || (isOfOneProduct && product !== productBefore(first));
    });
    if (taker !== undefined) taken.add(taker);
  }
  return taken;
}
