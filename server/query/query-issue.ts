import { findNearestWord } from '../../data/query/edit-distance.ts';
import type { ProblemCode } from '../../data/query/problem.ts';

/** The codes that a parameter of a request can have. */
type QueryIssueCode = Extract<
  ProblemCode,
  | 'unknown-parameter'
  | 'repeated-parameter'
  | 'malformed-value'
  | 'unknown-value'
  | 'out-of-range'
  | 'incomplete-image-selection'
  | 'invalid-cursor'
  | 'too-many-deals'
>;

/** One fault of a request: which parameter, what was expected, what arrived, and the nearest allowed word (D4, D17). */
export interface QueryIssue {
  readonly code: QueryIssueCode;
  /** As sent: `filter[networks]`; the path's id as `id`. */
  readonly parameter: string;
  /** What was expected, as the end of a sentence that begins with "expected". */
  readonly expected: string;
  /** What arrived, whole or the one bad word. */
  readonly value: string;
  readonly allowed?: readonly string[];
  readonly suggestion?: string;
  /** What to ask instead, as the end of the sentence; said in place of the suggestion. */
  readonly advice?: string;
}

/** One sentence a client developer can act on: the parameter, what was expected, what arrived. */
export function describeQueryIssue(issue: QueryIssue): string {
  const help = describeHelp(issue);
  switch (issue.code) {
    case 'unknown-parameter':
      return `${cut(issue.parameter)}: not a parameter of this endpoint; expected ${issue.expected}${help}`;
    case 'repeated-parameter':
      return `${cut(issue.parameter)}: given more than once; expected ${issue.expected}${help}`;
    case 'malformed-value':
    case 'unknown-value':
    case 'out-of-range':
    case 'incomplete-image-selection':
    case 'invalid-cursor':
    case 'too-many-deals':
      return `${cut(issue.parameter)}: expected ${issue.expected}, got ${quote(issue.value)}${help}`;
  }
}

function describeHelp({ advice, suggestion }: QueryIssue): string {
  if (advice !== undefined) return `; ${advice}`;
  return suggestion === undefined ? '' : `; did you mean ${quote(suggestion)}?`;
}

/** Quotes what came from outside and cuts it to 80 characters. */
function quote(text: string): string {
  return JSON.stringify(cut(text));
}

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Faults of a request that are told the words allowed: a request of nothing but faults is not to cost more than others. */
export const MAX_HELPED_FAULTS = 20;
/** The same where there are many words to compare with, such as a thousand retailers: about 6 µs each. */
const MAX_COMPARED_WORDS = 2_000;

/**
 * The help that an issue gives with a word nobody knows: the words allowed and the nearest of them, or nothing when the
 * `faultCount` faults before it have had enough of that. The first fault always has it.
 */
export function didYouMean(
  word: string,
  allowed: readonly string[],
  faultCount: number,
  findNearest: (word: string, allowed: readonly string[]) => string | undefined = findNearestWord,
): Pick<QueryIssue, 'allowed' | 'suggestion'> {
  if (faultCount >= MAX_HELPED_FAULTS || faultCount * allowed.length > MAX_COMPARED_WORDS) return {};
  const suggestion = findNearest(word, allowed);
  return suggestion === undefined ? { allowed } : { allowed, suggestion };
}

const FILTER_NAME = /^filter\[([^[\]]*)\]$/;

/**
 * The parameter that was probably meant. Names of filters are compared without what all of them have in common, which would
 * make any two look alike, and also with a word that stands alone: `networks` is `filter[networks]`.
 */
export function findNearestParameter(word: string, allowed: readonly string[]): string | undefined {
  const filters = allowed.map((name) => FILTER_NAME.exec(name)?.[1]).filter((name) => name !== undefined);
  const findFilter = (name: string): string | undefined => {
    const nearest = findNearestWord(name, filters);
    return nearest === undefined ? undefined : `filter[${nearest}]`;
  };
  const bracketed = FILTER_NAME.exec(word)?.[1];
  if (bracketed !== undefined) return findFilter(bracketed);
  if (filters.includes(word)) return findFilter(word);
  return findNearestWord(word, allowed) ?? findFilter(word);
}
