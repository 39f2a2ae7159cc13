import type { Random } from '../../support/random.ts';

/** Picks items in proportion to their weights; the sums are made once, since millions are picked. */
export function createWeightedPicker<Item>(
  items: readonly Item[],
  weightOf: (item: Item) => number,
): (random: Random) => Item {
  const sums: number[] = [];
  let sum = 0;
  for (const item of items) {
    sum += weightOf(item);
    sums.push(sum);
  }
  return (random) => {
    const at = random.next() * sum;
    let position = 0;
    while (position < sums.length - 1 && (sums[position] as number) <= at) position++;
    return items[position] as Item;
  };
}
