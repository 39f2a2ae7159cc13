/** Draws from a seeded sequence: the same seed gives the same catalogue and the same queries on every machine. */
export interface Random {
  /** A whole number from 0 up to, not including, `count`. */
  readonly below: (count: number) => number;
  readonly isLikely: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** Each item with the given probability, in the order of `items`. */
  readonly some: <Item>(items: readonly Item[], probability: number) => Item[];
  readonly shuffled: <Item>(items: readonly Item[]) => Item[];
}

/** A generator of numbers with 32 bits of state (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  const pick = <Item>(items: readonly Item[]): Item => {
    if (items.length === 0) throw new RangeError('expected a list with at least one item to pick from');
    return items[below(items.length)] as Item;
  };
  return {
    below,
    pick,
    isLikely: (probability) => next() < probability,
    some: (items, probability) => items.filter(() => next() < probability),
    shuffled: (items) =>
      items
        .map((item) => ({ item, order: next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ item }) => item),
  };
}
