/**
 * The first `limit` of any number of items, by `order`, and the count of all: memory does not grow with what is added.
 * Items of which `order` is equal stay in the order in which they came.
 */
export class TopList<Item> {
  readonly #limit: number;
  readonly #entries: { readonly item: Item; readonly order: readonly number[] }[] = [];
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * `order` is compared number by number; lower comes first. Every item of a list has as many. Only an item that is among
   * the first is made: of a million new deals nearly none is.
   */
  add(order: readonly number[], makeItem: () => Item): void {
    this.#count++;
    const last = this.#entries.at(-1);
    const isFull = this.#entries.length >= this.#limit;
    if (isFull && (last === undefined || compareNumbers(last.order, order) <= 0)) return;
    let position = this.#entries.length;
    while (position > 0 && compareNumbers(this.#entries[position - 1]?.order ?? [], order) > 0) position--;
    this.#entries.splice(position, 0, { item: makeItem(), order });
    if (isFull) this.#entries.pop();
  }

  finish(): { readonly count: number; readonly omitted: number; readonly items: Item[] } {
    const items = this.#entries.map(({ item }) => item);
    return { count: this.#count, omitted: this.#count - items.length, items };
  }
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let position = 0; position < a.length; position++) {
    const difference = (a[position] as number) - (b[position] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
