/** Longer words are not compared, so the cost of a request stays small. */
const MAX_WORD_LENGTH = 64;

/**
 * The word that was probably meant: one that differs in case only, else the nearest one. The edit distance (a letter too
 * many, missing, wrong, or two swapped) is at most a third of the length. Of two equally near words, the earlier one.
 */
export function findNearestWord(word: string, words: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > MAX_WORD_LENGTH) return undefined;
  const candidates = [...words];
  const lowerCase = word.toLowerCase();
  const sameLetters = candidates.find((candidate) => candidate.toLowerCase() === lowerCase);
  if (sameLetters !== undefined) return sameLetters;

  const distanceFrom = new EditDistance(lowerCase);
  let nearest: string | undefined;
  let shortest = Infinity;
  for (const candidate of candidates) {
    if (candidate.length > MAX_WORD_LENGTH) continue;
    const allowed = Math.min(shortest - 1, maxEditDistance(word, candidate));
    if (Math.abs(word.length - candidate.length) > allowed) continue;
    const distance = distanceFrom.to(candidate.toLowerCase());
    if (distance <= allowed) {
      nearest = candidate;
      shortest = distance;
    }
  }
  return nearest;
}

/** One edit in three letters; a word of one or two letters is never a typo of another. */
function maxEditDistance(word: string, candidate: string): number {
  return Math.floor(Math.max(word.length, candidate.length) / 3);
}

const BLOCK_BITS = 32;

/**
 * The Damerau-Levenshtein distance between one word and others, where letters are swapped once only. Neighbours in its
 * table differ by one at most. So a column is stored as bits: where it goes up and where it goes down (Myers 1999,
 * Hyyrö 2003), in blocks of 32 bits with carry. 10x over a table of numbers; a misspelled word in a request is compared
 * with up to a thousand words.
 */
class EditDistance {
  readonly #letterCount: number;
  /** The places at which a letter stands in the word. */
  readonly #places = new Map<number, Int32Array>();
  readonly #nowhere: Int32Array;
  /** Where the last column goes up and where it goes down, as one reads down the word. */
  readonly #up: Int32Array;
  readonly #down: Int32Array;
  /** Where the last column is at most its diagonal neighbour. */
  readonly #same: Int32Array;

  constructor(word: string) {
    const blockCount = Math.ceil(word.length / BLOCK_BITS);
    this.#letterCount = word.length;
    this.#nowhere = new Int32Array(blockCount);
    this.#up = new Int32Array(blockCount);
    this.#down = new Int32Array(blockCount);
    this.#same = new Int32Array(blockCount);
    for (let at = 0; at < word.length; at++) {
      const letter = word.charCodeAt(at);
      const places = this.#places.get(letter) ?? new Int32Array(blockCount);
      const block = Math.floor(at / BLOCK_BITS);
      places[block] = (places[block] as number) | (1 << (at % BLOCK_BITS));
      this.#places.set(letter, places);
    }
  }

  to(other: string): number {
    const up = this.#up.fill(-1);
    const down = this.#down.fill(0);
    const same = this.#same.fill(0);
    const lastBlock = up.length - 1;
    const lastBit = 1 << ((this.#letterCount - 1) % BLOCK_BITS);
    let distance = this.#letterCount;
    let placesBefore = this.#nowhere;
    for (let column = 0; column < other.length; column++) {
      const places = this.#places.get(other.charCodeAt(column)) ?? this.#nowhere;
      // What each operation carries from one block into the next.
      let sumCarry = 0;
      let changedCarry = 0;
      let rightUpCarry = 1;
      let rightDownCarry = 0;
      for (let block = 0; block <= lastBlock; block++) {
        const here = places[block] as number;
        const oldUp = up[block] as number;
        const oldDown = down[block] as number;
        const mayChange = ~(same[block] as number) & here;
        const changed = ((mayChange << 1) | changedCarry) & (placesBefore[block] as number);
        changedCarry = mayChange >>> 31;
        const sum = ((here & oldUp) >>> 0) + (oldUp >>> 0) + sumCarry;
        sumCarry = sum > 0xffff_ffff ? 1 : 0;
        const isSame = ((sum | 0) ^ oldUp) | here | oldDown | changed;
        const rightUp = oldDown | ~(isSame | oldUp);
        const rightDown = isSame & oldUp;
        if (block === lastBlock) {
          if ((rightUp & lastBit) !== 0) distance++;
          else if ((rightDown & lastBit) !== 0) distance--;
        }
        const shiftedUp = (rightUp << 1) | rightUpCarry;
        const shiftedDown = (rightDown << 1) | rightDownCarry;
        rightUpCarry = rightUp >>> 31;
        rightDownCarry = rightDown >>> 31;
        up[block] = shiftedDown | ~(isSame | shiftedUp);
        down[block] = shiftedUp & isSame;
        same[block] = isSame;
      }
      placesBefore = places;
    }
    return distance;
  }
}
