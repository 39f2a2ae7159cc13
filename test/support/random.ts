/** A seeded source of numbers: the same seed gives the same sequence on every machine (mulberry32). */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  readonly next: () => number;
  /** A whole number from 0 up to, not including, `count`. */
  readonly below: (count: number) => number;
  readonly isLikely: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** Each item with the given probability, in the order of `items`. */
  readonly some: <Item>(items: readonly Item[], probability: number) => Item[];
  readonly shuffled: <Item>(items: readonly Item[]) => Item[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    isLikely: (probability) => next() < probability,
    pick: (items) => itemAt(items, below(items.length)),
    some: (items, probability) => items.filter(() => next() < probability),
    shuffled: (items) =>
      items
        .map((item) => ({ item, order: next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ item }) => item),
  };
}

function itemAt<Item>(items: readonly Item[], position: number): Item {
  if (position >= items.length) throw new RangeError(`expected an item at ${position}, the list has ${items.length}`);
  return items[position] as Item;
}
