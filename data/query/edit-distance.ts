/** Longer words are not compared, so the cost of a request stays small. */
const MAX_WORD_LENGTH = 64;

/**
 * The word that was probably meant: one that differs in case only, else the nearest one. The edit distance (a letter too
 * many, missing, wrong, or two swapped) is at most a third of the length. Of two equally near words, one with the same first
 * letter (`neq` is `ne`, not its contrary `eq`), else the earlier one.
 */
export function findNearestWord(word: string, words: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > MAX_WORD_LENGTH) return undefined;
  const lowerCase = word.toLowerCase();
  const startsAlike = (candidate: string): number => (candidate[0]?.toLowerCase() === lowerCase[0] ? 0 : 1);
  const candidates = [...words].sort((a, b) => startsAlike(a) - startsAlike(b));
  const sameLetters = candidates.find((candidate) => candidate.toLowerCase() === lowerCase);
  if (sameLetters !== undefined) return sameLetters;

  let nearest: string | undefined;
  let shortest = Infinity;
  for (const candidate of candidates) {
    if (candidate.length > MAX_WORD_LENGTH) continue;
    // One edit in three letters; a word of one or two letters is never a typo of another.
    const allowed = Math.min(shortest - 1, Math.floor(Math.max(word.length, candidate.length) / 3));
    if (Math.abs(word.length - candidate.length) > allowed) continue;
    const distance = editDistance(lowerCase, candidate.toLowerCase(), allowed);
    if (distance > allowed) continue;
    nearest = candidate;
    shortest = distance;
  }
  return nearest;
}

/** The Damerau-Levenshtein distance, where letters are swapped once only; any number above `limit` where it exceeds that. */
function editDistance(a: string, b: string, limit: number): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const [added, missing] = [at(row, column - 1) + 1, at(row - 1, column) + 1];
      const replaced = at(row - 1, column - 1) + (isSame ? 0 : 1);
      current.push(Math.min(added, missing, replaced, isSwapped ? at(row - 2, column - 2) + 1 : Infinity));
    }
    // A later row may be one less by a swap with this one, never two.
    if (Math.min(...current) > limit + 1) return Infinity;
  }
  return at(a.length, b.length);
}
