import { findNearestWord } from '../../data/query/nearest-word.ts';

/** Of less than this two names have too little in common: half of their words are the same. */
const MIN_LIKENESS = 0.5;

/**
 * The one of `names` that was probably meant: a slip or two away, else the one that has the most words in common with
 * `name`, such as `monthlyCost` for `monthly` or `Monthly price`. Of two that are as near, neither.
 */
export function findNearestName(name: string, names: readonly string[]): string | undefined {
  const misspelt = findNearestWord(name, names);
  if (misspelt !== undefined) return misspelt;
  const words = splitWords(name);
  const likenesses = names.map((candidate) => ({ candidate, likeness: measureLikeness(words, splitWords(candidate)) }));
  const most = Math.max(0, ...likenesses.map(({ likeness }) => likeness));
  const nearest = likenesses.filter(({ likeness }) => likeness === most);
  return most >= MIN_LIKENESS && nearest.length === 1 ? nearest[0]?.candidate : undefined;
}

/** The share of the words of both that the other has too: 1 when they are the same. */
function measureLikeness(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const shared = [...words].filter((word) => others.has(word)).length;
  return words.size + others.size === 0 ? 0 : (2 * shared) / (words.size + others.size);
}

/** `monthlyCost`, `monthly_cost` and `Monthly costs` are made of the same words. */
function splitWords(name: string): ReadonlySet<string> {
  // A word that is longer is no name of anything.
  const words = name
    .slice(0, 200)
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return new Set((words ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)));
}
