import type { DealFacts } from './deal-facts.ts';

/** The deals before that share a link at a retailer: the first of them, and whether all are of one product. */
interface LinkHolders {
  readonly first: number;
  isOnly: boolean;
  isOfOneProduct: boolean;
}

/**
 * Finds the deals that have the link which another deal had and has lost: a shop does not give the link of one deal to
 * another. A link that deals of several products share is a page of the shop, and one that deals of the same product
 * share is its page: who joins others there takes nothing.
 * @returns 1 for each row of `facts` with a link that was taken
 */
export function findTakenLinks(
  served: DealFacts,
  servedRowsOfFeed: readonly number[],
  facts: DealFacts,
  servedRows: Int32Array,
): Uint8Array {
  const hasTaken = new Uint8Array(facts.rowCount);
  const newLinks = new Map<string, number[]>();
  const hasKeptLink = new Set<number>();
  const isKept = new Set<number>();
  servedRows.forEach((servedRow, row) => {
    if (servedRow === -1) return;
    isKept.add(servedRow);
    if (served.columns.link.at(servedRow) === facts.columns.link.at(row)) hasKeptLink.add(servedRow);
    else {
      const key = keyOf(facts, row);
      newLinks.set(key, [...(newLinks.get(key) ?? []), row]);
    }
  });
  if (newLinks.size === 0) return hasTaken;
  const holders = new Map<string, LinkHolders>();
  for (const row of servedRowsOfFeed) {
    const key = keyOf(served, row);
    if (!newLinks.has(key)) continue;
    const known = holders.get(key);
    if (known === undefined) holders.set(key, { first: row, isOnly: true, isOfOneProduct: true });
    else {
      known.isOnly = false;
      known.isOfOneProduct &&= served.columns.product.at(row) === served.columns.product.at(known.first);
    }
  }
  for (const [key, rows] of newLinks) {
    const holder = holders.get(key);
    if (holder === undefined || !isKept.has(holder.first) || hasKeptLink.has(holder.first)) continue;
    const product = served.columns.product.at(holder.first);
    // When several deals come to a page, one has taken it.
    const taker = rows.find(
      (row) =>
        holder.isOnly || (holder.isOfOneProduct && served.columns.product.at(servedRows[row] as number) !== product),
    );
    if (taker !== undefined) hasTaken[taker] = 1;
  }
  return hasTaken;
}

function keyOf(facts: DealFacts, row: number): string {
  return `${facts.columns.retailer.at(row)} ${facts.columns.link.at(row)}`;
}
