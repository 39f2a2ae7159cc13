/** A 53-bit hash of a text and a seed (cyrb53): two multiplicative hashes side by side, mixed at the end. */
export function hashText(text: string, seed: number): number {
  let high = 0xdead_beef ^ Math.floor(seed / 0x1_0000_0000);
  let low = 0x41c6_ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x9e37_79b1);
    low = Math.imul(low ^ unit, 0x5f35_6495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85eb_ca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2_ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85eb_ca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2_ae35);
  return 0x1_0000_0000 * (low & 0x1f_ffff) + (high >>> 0);
}

const MAX_LOAD = 0.75;

/** Row numbers by hash: open addressing in typed arrays, 12 bytes a slot, at most three quarters of the slots used. */
export class HashIndex {
  /** 0 is an empty slot. The number of slots is a power of two. */
  #hashes = new Float64Array(1_024);
  #rows = new Uint32Array(1_024);
  #count = 0;

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
    const [hashes, rows] = [this.#hashes, this.#rows];
    this.#hashes = new Float64Array(2 * hashes.length);
    this.#rows = new Uint32Array(2 * rows.length);
    this.#count = 0;
    hashes.forEach((hash, slot) => {
      if (hash !== 0) this.set(hash, rows[slot] as number);
    });
  }
}
