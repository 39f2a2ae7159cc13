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

/** One error of a request: the parameter, what was expected, what arrived, and the nearest allowed word (D4, D17). */
export interface QueryIssue {
  readonly code: QueryIssueCode;
  /** As sent: `filter[networks]`; the path's id as `id`. */
  readonly parameter: string;
  /** What was expected, as the end of a sentence that begins with "expected". */
  readonly expected: string;
  /** What arrived: the whole value, or the wrong word. */
  readonly value: string;
  readonly allowed?: readonly string[];
  readonly suggestion?: string;
}

/** One sentence a client developer can act on: the parameter, what was expected, what arrived. */
export function describeQueryIssue(issue: QueryIssue): string {
  const help = issue.suggestion === undefined ? '' : `; did you mean ${quote(issue.suggestion)}?`;
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

/** Quotes a text from outside and cuts it to 80 characters. */
function quote(text: string): string {
  return JSON.stringify(cut(text));
}

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Issues of a request with allowed words: a request full of errors must not cost more than others. */
const MAX_HELPED_FAULTS = 20;
/** The same limit in words to compare with, such as a thousand retailers: about 6 µs each. */
const MAX_COMPARED_WORDS = 2_000;

/**
 * The allowed words and the nearest of them, for an unknown word. Empty when the `faultCount` issues before have used the
 * limits; the first issue always has them.
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

const BRACKETED = /\[([^[\]]*)\]$/;

/**
 * The parameter that was probably meant. Filters are compared by their names, because `filter[…]` would make any two look
 * alike: `networks` and `filters[network]` are `filter[networks]`.
 */
export function findNearestParameter(word: string, allowed: readonly string[]): string | undefined {
  const byName = new Map(allowed.map((parameter) => [BRACKETED.exec(parameter)?.[1] ?? parameter, parameter]));
  const nearest = findNearestWord(BRACKETED.exec(word)?.[1] ?? word, byName.keys());
  return nearest === undefined ? undefined : byName.get(nearest);
}
