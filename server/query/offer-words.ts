import { findNearestWord } from '../../data/query/nearest-word.ts';
import type { QueryIssue } from './query-issue.ts';

/** Faults of a request that are told the words allowed: a request of nothing but faults is not to cost more than others. */
export const MAX_HELPED_FAULTS = 20;
/** The same where there are many words to compare with, such as a thousand retailers: about 6 µs each. */
const MAX_COMPARED_WORDS = 2_000;

/**
 * The help that an issue gives with a word nobody knows: the words allowed and the nearest of them, or nothing when the
 * `faultCount` faults before it have had enough of that. The first fault always has it.
 */
export function offerWords(
  word: string,
  allowed: readonly string[],
  faultCount: number,
  findNearest: (word: string, allowed: readonly string[]) => string | undefined = findNearestWord,
): Pick<QueryIssue, 'allowed' | 'suggestion'> {
  if (faultCount >= MAX_HELPED_FAULTS || faultCount * allowed.length > MAX_COMPARED_WORDS) return {};
  const suggestion = findNearest(word, allowed);
  return suggestion === undefined ? { allowed } : { allowed, suggestion };
}
