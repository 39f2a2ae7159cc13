const FIRST_CAPACITY = 1_024;

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

/** Row numbers by hash: open addressing in typed arrays, 12 bytes a slot, at most half of the slots used. */
export class HashIndex {
  /** 0 is an empty slot. */
  #hashes = new Float64Array(FIRST_CAPACITY);
  #rows = new Uint32Array(FIRST_CAPACITY);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  /** For equal hashes the last row stays. */
  set(hash: number, row: number): void {
    if (2 * this.#count >= this.#hashes.length) this.#grow();
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
    const mask = this.#hashes.length - 1;
    let slot = (sought >>> 0) & mask;
    while (this.#hashes[slot] !== 0 && this.#hashes[slot] !== sought) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const hashes = this.#hashes;
    const rows = this.#rows;
    this.#hashes = new Float64Array(2 * hashes.length);
    this.#rows = new Uint32Array(2 * rows.length);
    hashes.forEach((hash, i) => {
      if (hash === 0) return;
      const slot = this.#slotOf(hash);
      this.#hashes[slot] = hash;
      this.#rows[slot] = rows[i] as number;
    });
  }
}
