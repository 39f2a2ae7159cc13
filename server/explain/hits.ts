import type { Counted } from './explanation.ts';
import type { Fit } from './words.ts';

/** How many hits of a kind are listed; all are counted. */
const MAX_LISTED = 100;

/** The first hits of a kind: exact ones first, then those with the highest rank, in the order in which they were found. */
export class Hits<Item> {
  readonly #rank: (item: Item) => number;
  readonly #exact: Item[] = [];
  readonly #parts: Item[] = [];
  #count = 0;

  constructor(rank: (item: Item) => number = () => 0) {
    this.#rank = rank;
  }

  get count(): number {
    return this.#count;
  }

  get listed(): readonly Item[] {
    return [...this.#exact, ...this.#parts].slice(0, MAX_LISTED);
  }

  add(fit: Fit | undefined, make: () => Item): void {
    if (fit === undefined) return;
    this.#count++;
    if (fit === 'exact') {
      if (this.#exact.length < MAX_LISTED) this.#exact.push(make());
      return;
    }
    const item = make();
    const rank = this.#rank(item);
    const position = this.#parts.findLastIndex((part) => this.#rank(part) >= rank) + 1;
    if (position < MAX_LISTED) this.#parts.splice(position, 0, item);
    if (this.#parts.length > MAX_LISTED) this.#parts.pop();
  }

  finish<Result>(describe: (item: Item) => Result): Counted<Result> {
    return { count: this.#count, items: this.listed.map(describe) };
  }
}
