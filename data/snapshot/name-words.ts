/** What is no part of a word once accents are taken off: spaces, punctuation and symbols. */
const SEPARATORS = /[^\p{L}\p{N}]+/u;
const ACCENTS = /\p{M}/gu;

/**
 * The words of a name, or of a text that is looked for in names, so that two spellings of one word are equal: without
 * accents, in one case, full-width letters and ligatures as plain ones. Everything but letters and digits separates words.
 */
export function splitNameWords(text: string): readonly string[] {
  return (
    text
      .normalize('NFKD')
      .replaceAll(ACCENTS, '')
      // Upper case has one form of ß, of the two i and of the two sigma; a capital ß gets there through lower case.
      .toLowerCase()
      .toUpperCase()
      .split(SEPARATORS)
      .filter((word) => word !== '')
  );
}

/** The words of a name as one text for `compileNameSearch`, a space before each word. */
export function createNameKey(name: string): string {
  return splitNameWords(name)
    .map((word) => ` ${word}`)
    .join('');
}

/**
 * A test for the names that have all of `words`, each as the beginning of a word (D23). No name has none of them: a text
 * without a letter or digit finds nothing. A scan is fast enough without a tree or lists of words (bench case `list-filter`).
 * @param words of `splitNameWords`
 * @param keys of `createNameKey`, by row
 */
export function compileNameSearch(words: readonly string[], keys: readonly string[]): (row: number) => boolean {
  const starts = words.map((word) => ` ${word}`);
  if (starts.length === 0) return () => false;
  return (row) => {
    const key = keys[row] as string;
    return starts.every((start) => key.includes(start));
  };
}
