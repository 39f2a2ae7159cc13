/** In place of a key: nothing is kept here. */
const EMPTY = 0xffff_ffff;

/**
 * Fragments that are made when they are first met, by a pair of numbers below 2^32 - 1. There are far too many pairs to
 * keep them all, and few in one answer, so each pair has one place, where its fragment is kept until another needs it.
 */
export class FragmentPlaces {
  readonly #shift: number;
  readonly #firstKeys: Uint32Array;
  readonly #secondKeys: Uint32Array;
  readonly #fragments: Uint8Array[] = [];

  /** @param bits of the number of places: 12 for 4,096 */
  constructor(bits: number) {
    this.#shift = 32 - bits;
    this.#firstKeys = new Uint32Array(2 ** bits).fill(EMPTY);
    this.#secondKeys = new Uint32Array(2 ** bits).fill(EMPTY);
  }

  find(first: number, second: number): Uint8Array | undefined {
    const place = this.#placeOf(first, second);
    const isKept = this.#firstKeys[place] === first && this.#secondKeys[place] === second;
    return isKept ? this.#fragments[place] : undefined;
  }

  keep(first: number, second: number, fragment: Uint8Array): Uint8Array {
    const place = this.#placeOf(first, second);
    this.#firstKeys[place] = first;
    this.#secondKeys[place] = second;
    this.#fragments[place] = fragment;
    return fragment;
  }

  /** Multiplying by odd numbers near 2^32 divided by the golden ratio spreads neighbours over all places. */
  #placeOf(first: number, second: number): number {
    return (Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca77)) >>> this.#shift;
  }
}
