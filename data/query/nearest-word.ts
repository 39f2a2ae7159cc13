/** Longer words are not compared: nobody misspells a word of this length, and the cost stays small whatever is sent. */
const MAX_WORD_LENGTH = 64;

/**
 * The word that was probably meant: one that differs in case only, else the nearest within a third of its length in
 * slips (a letter too many, missing, wrong, or two changed about). Of two as near, the earlier in `words`.
 */
export function findNearestWord(word: string, words: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > MAX_WORD_LENGTH) return undefined;
  const candidates = [...words];
  const lowerCase = word.toLowerCase();
  const sameLetters = candidates.find((candidate) => candidate.toLowerCase() === lowerCase);
  if (sameLetters !== undefined) return sameLetters;

  let nearest: string | undefined;
  let fewestSlips = Infinity;
  for (const candidate of candidates) {
    if (candidate.length > MAX_WORD_LENGTH) continue;
    const allowed = Math.min(fewestSlips - 1, allowedSlips(word, candidate));
    const slips = countSlips(lowerCase, candidate.toLowerCase(), allowed);
    if (slips <= allowed) {
      nearest = candidate;
      fewestSlips = slips;
    }
  }
  return nearest;
}

/** One slip in three letters; a word of one or two letters is never a slip of another. */
function allowedSlips(word: string, candidate: string): number {
  return Math.floor(Math.max(word.length, candidate.length) / 3);
}

/**
 * Damerau-Levenshtein distance (adjacent letters changed about count as one), or any number above `limit` as soon as it
 * is certain to be above it.
 */
function countSlips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let slips = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        slips = Math.min(slips, (beforeLast[column - 2] as number) + 1);
      }
      current.push(slips);
    }
    if (Math.min(...current) > limit) return Infinity;
    beforeLast = last;
    last = current;
  }
  return last[b.length] as number;
}
