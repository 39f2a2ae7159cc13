import { findNearestWord } from '../../data/query/nearest-word.ts';

const IN_BRACKETS = /^filter\[([^[\]]*)\]$/;

/**
 * The parameter that was probably meant. Names of filters are compared without what all of them have in common, which would
 * make any two look alike, and also with a word that stands alone: `networks` is `filter[networks]`.
 */
export function findNearestParameter(word: string, allowed: readonly string[]): string | undefined {
  const filters = allowed.map((name) => IN_BRACKETS.exec(name)?.[1]).filter((name) => name !== undefined);
  const findFilter = (name: string): string | undefined => {
    const nearest = findNearestWord(name, filters);
    return nearest === undefined ? undefined : `filter[${nearest}]`;
  };
  const bracketed = IN_BRACKETS.exec(word)?.[1];
  if (bracketed !== undefined) return findFilter(bracketed);
  if (filters.includes(word)) return findFilter(word);
  return findNearestWord(word, allowed) ?? findFilter(word);
}
