import { findNearestWord } from '../../data/query/edit-distance.ts';

/** Half of the words of two names must be the same. */
const MIN_SIMILARITY = 0.5;

/** The usual names of a field in the files of others. */
export type UsualNames = (field: string) => readonly string[];

const NO_NAMES: UsualNames = () => [];

/**
 * Suggests one of `names` for `name`: a usual header, a misspelling, or the name with the most words in common, such as
 * `monthlyCost` for `monthly` or `Monthly price`. Undefined when two are equally near.
 */
export function findNearestName(
  name: string,
  names: readonly string[],
  usualNames: UsualNames = NO_NAMES,
): string | undefined {
  const usual = findUsualName(name, names, usualNames);
  if (usual !== undefined) return usual;
  const misspelt = findNearestWord(name, names);
  if (misspelt !== undefined) return misspelt;
  const words = splitWords(name);
  const likenesses = names.map((candidate) => ({ candidate, likeness: wordSimilarity(words, splitWords(candidate)) }));
  const most = Math.max(0, ...likenesses.map(({ likeness }) => likeness));
  const nearest = likenesses.filter(({ likeness }) => likeness === most);
  return most >= MIN_SIMILARITY && nearest.length === 1 ? nearest[0]?.candidate : undefined;
}

/** The one of `names` that equals `name` without case and punctuation, or is a usual header of it. Undefined when two are. */
export function findUsualName(name: string, names: readonly string[], usualNames: UsualNames): string | undefined {
  const same = names.find((each) => foldName(each) === foldName(name));
  if (same !== undefined) return same;
  const [other, ...more] = names.filter((each) => isUsual(each, name) || isUsual(name, each));
  return more.length === 0 ? other : undefined;

  function isUsual(field: string, header: string): boolean {
    return usualNames(field).some((usual) => foldName(usual) === foldName(header));
  }
}

function foldName(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The share of words that both names have: 1 when they are the same. */
function wordSimilarity(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const shared = [...words].filter((word) => others.has(word)).length;
  return words.size + others.size === 0 ? 0 : (2 * shared) / (words.size + others.size);
}

/** `monthlyCost`, `monthly_cost` and `Monthly costs` have the same words. */
function splitWords(name: string): ReadonlySet<string> {
  // No name is longer.
  const words = name
    .slice(0, 200)
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return new Set((words ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)));
}
