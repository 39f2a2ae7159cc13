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
  let beforeLast = ROWS[0];
  let last = ROWS[1];
  let current = ROWS[2];
  for (let column = 0; column <= b.length; column++) last[column] = column;
  for (let row = 1; row <= a.length; row++) {
    const letter = a.charCodeAt(row - 1);
    const letterBefore = row > 1 ? a.charCodeAt(row - 2) : -1;
    let left = row;
    let fewest = row;
    current[0] = row;
    for (let column = 1; column <= b.length; column++) {
      const other = b.charCodeAt(column - 1);
      const up = last[column] as number;
      const diagonal = last[column - 1] as number;
      let slips = letter === other ? diagonal : diagonal + 1;
      if (up < slips) slips = up + 1;
      if (left < slips) slips = left + 1;
      if (column > 1 && letterBefore === other && letter === b.charCodeAt(column - 2)) {
        slips = Math.min(slips, (beforeLast[column - 2] as number) + 1);
      }
      current[column] = left = slips;
      if (slips < fewest) fewest = slips;
    }
    if (fewest > limit) return Infinity;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[b.length] as number;
}

/** The last three rows of the table of distances, written over by every comparison: words have few letters. */
const ROWS = [createRow(), createRow(), createRow()] as const;

function createRow(): Uint8Array {
  // A letter may become two in lower case (İ).
  return new Uint8Array(2 * MAX_WORD_LENGTH + 1);
}
