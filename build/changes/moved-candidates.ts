import { identityOf, type ComparedDeal } from './product-deals.ts';

/**
 * Which deals may have moved to another product: those that one product lost and another won. A deal is kept as eight
 * bytes, so a night on which everything changes costs megabytes; two deals with one hash are told apart later.
 */
export class MovedCandidates {
  readonly #gone = new HashList();
  readonly #new = new HashList();

  addGone(deal: ComparedDeal): void {
    this.#gone.add(hashOf(deal));
  }

  addNew(deal: ComparedDeal): void {
    this.#new.add(hashOf(deal));
  }

  /** Whether a deal may have moved; undefined when none has. To be called when all deals have been added. */
  finish(): ((deal: ComparedDeal) => boolean) | undefined {
    const hashes = intersect(this.#gone.sorted(), this.#new.sorted());
    return hashes.size === 0 ? undefined : (deal) => hashes.has(hashOf(deal));
  }
}

/** Numbers in an array that doubles when it is full. */
class HashList {
  #numbers = new Float64Array(1024);
  #length = 0;

  add(number: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length++] = number;
  }

  sorted(): Float64Array {
    return this.#numbers.subarray(0, this.#length).sort();
  }
}

function intersect(a: Float64Array, b: Float64Array): ReadonlySet<number> {
  const common = new Set<number>();
  let i = 0;
  for (const number of a) {
    while (i < b.length && (b[i] as number) < number) i++;
    if (b[i] === number) common.add(number);
  }
  return common;
}

/** 53 bits of the deal's identity: two sums over its characters, each with a multiplier of its own. */
function hashOf(deal: ComparedDeal): number {
  const text = identityOf(deal);
  let high = 0;
  let low = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low + unit + 1, 0x85ebca77) ^ (low >>> 15);
  }
  return ((high >>> 0) & 0x1fffff) * 2 ** 32 + (low >>> 0);
}
