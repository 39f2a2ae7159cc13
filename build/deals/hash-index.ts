const HIGH_START = 0xdead_beef;
const HIGH_FACTOR = 0x9e37_79b1;
const LOW_START = 0x41c6_ce57;
const LOW_FACTOR = 0x5f35_6495;

/** A 53-bit hash of a text and a seed (cyrb53): two multiplicative hashes side by side, mixed at the end. */
export function hashText(text: string, seed: number): number {
  let high = HIGH_START ^ Math.floor(seed / 0x1_0000_0000);
  let low = LOW_START ^ seed;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, HIGH_FACTOR);
    low = Math.imul(low ^ unit, LOW_FACTOR);
  }
  return mixHash(high, low);
}

/** The same for a text in Latin-1, from `start` to `end` of `bytes`. */
export function hashLatin1(bytes: Uint8Array, start: number, end: number, seed: number): number {
  let high = HIGH_START ^ Math.floor(seed / 0x1_0000_0000);
  let low = LOW_START ^ seed;
  for (let i = start; i < end; i++) {
    const unit = bytes[i] as number;
    high = Math.imul(high ^ unit, HIGH_FACTOR);
    low = Math.imul(low ^ unit, LOW_FACTOR);
  }
  return mixHash(high, low);
}

function mixHash(high: number, low: number): number {
  high = Math.imul(high ^ (high >>> 16), 0x85eb_ca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2_ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85eb_ca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2_ae35);
  return 0x1_0000_0000 * (low & 0x1f_ffff) + (high >>> 0);
}

const MAX_LOAD = 0.75;

/** Row numbers by hash: open addressing in typed arrays, 12 bytes a slot, at most three quarters of the slots used. */
export class HashIndex {
  /** 0 is an empty slot. */
  #hashes: Float64Array;
  #rows: Uint32Array;
  #count = 0;

  /** An index with room for `count` hashes, which grows when there are more. */
  constructor(count = 512) {
    // With fewer slots none would be empty when the others are used, and a search ends at an empty one.
    const capacity = Math.max(4, 2 ** Math.ceil(Math.log2(count / MAX_LOAD)));
    this.#hashes = new Float64Array(capacity);
    this.#rows = new Uint32Array(capacity);
  }

  get size(): number {
    return this.#count;
  }

  /** For equal hashes the last row stays. */
  set(hash: number, row: number): void {
    if (this.#count >= MAX_LOAD * this.#hashes.length) this.#grow();
    const slot = this.#slotOf(hash);
    if (this.#hashes[slot] === 0) this.#count++;
    this.#hashes[slot] = hash === 0 ? 1 : hash;
    this.#rows[slot] = row;
  }

  get(hash: number): number | undefined {
    const slot = this.#slotOf(hash);
    return this.#hashes[slot] === 0 ? undefined : this.#rows[slot];
  }

  /** The slot of a hash, or the empty one where it belongs. */
  #slotOf(hash: number): number {
    const sought = hash === 0 ? 1 : hash;
    const hashes = this.#hashes;
    const mask = hashes.length - 1;
    let slot = (sought >>> 0) & mask;
    while (hashes[slot] !== 0 && hashes[slot] !== sought) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const hashes = this.#hashes;
    const rows = this.#rows;
    this.#hashes = new Float64Array(2 * hashes.length);
    this.#rows = new Uint32Array(2 * rows.length);
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i] as number;
      if (hash === 0) continue;
      const slot = this.#slotOf(hash);
      this.#hashes[slot] = hash;
      this.#rows[slot] = rows[i] as number;
    }
  }
}
