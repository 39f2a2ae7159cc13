import { SAMPLE_SIZE } from '../../data/report/summary.ts';

interface Hashed {
  readonly hash: number;
}

/**
 * Keeps the entries with the lowest hashes, each hash once: a sample of a set that does not depend on the order in which
 * the set comes, and that two sets draw alike as far as they have the same members (a bottom-k sketch).
 */
export class LowestHashes<Entry extends Hashed> {
  #entries: Entry[] = [];
  /** No hash above it can still be among the lowest. */
  #highest = 0xffff_ffff;

  /** `entry` is made only where its hash is low enough. Of two entries with one hash the first stays. */
  offer(hash: number, entry: () => Entry): void {
    if (hash > this.#highest) return;
    this.#entries.push(entry());
    // Cutting at twice the size makes the work per entry small.
    if (this.#entries.length >= 2 * SAMPLE_SIZE) this.#cut();
  }

  /** In order of hash. */
  list(): readonly Entry[] {
    this.#cut();
    return this.#entries;
  }

  #cut(): void {
    const sorted = this.#entries.toSorted((a, b) => a.hash - b.hash);
    this.#entries = sorted.filter(({ hash }, i) => hash !== sorted[i - 1]?.hash).slice(0, SAMPLE_SIZE);
    if (this.#entries.length === SAMPLE_SIZE) this.#highest = this.#entries.at(-1)?.hash ?? this.#highest;
  }
}
