import { OBJECT_BYTES } from './ledger.ts';

/** Entries that many deals share, each with a number. */
export class Dictionary<Entry> {
  readonly #numbers = new Map<string, number>();
  readonly #entries: Entry[] = [];
  #heldBytes = 0;

  /** The number of the entry that `key` stands for. Two entries are one when their keys are equal. */
  numberOf(key: string, entry: Entry): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#entries.push(entry) - 1;
      this.#numbers.set(key, number);
      this.#heldBytes += OBJECT_BYTES + key.length;
    }
    return number;
  }

  /** About what is held of the entries. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }
}

/** A dictionary as published: what is used, in an order of its content. */
export interface Renumbering<Entry> {
  readonly entries: readonly Entry[];
  /** The new number of each old one; meaningless for what is not used. */
  readonly numbers: Uint32Array;
}

/** Sorts the entries of which `used` holds the number, so that numbers do not depend on the order of the sources. */
export function renumberEntries<Entry>(
  entries: readonly Entry[],
  used: Iterable<number>,
  compare: (a: Entry, b: Entry) => number,
): Renumbering<Entry> {
  const sorted = [...new Set(used)].sort((a, b) => compare(entries[a] as Entry, entries[b] as Entry));
  const numbers = new Uint32Array(entries.length);
  sorted.forEach((old, position) => (numbers[old] = position));
  return { entries: sorted.map((old) => entries[old] as Entry), numbers };
}
