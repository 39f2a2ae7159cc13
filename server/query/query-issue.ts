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
  readonly suggestion?: string | undefined;
}

/** Issues of a request with allowed words: a request full of errors must not cost more than others. */
const MAX_HELPED_ISSUES = 20;
/** The same limit in words to compare with, such as a thousand retailers. */
const MAX_COMPARED_WORDS = 2_000;

/** Collects the errors of a request. Each method returns undefined, for a parser to return in place of a value. */
export class QueryIssues {
  readonly list: QueryIssue[] = [];

  add(
    code: QueryIssueCode,
    parameter: string,
    expected: string,
    value: string,
    help: Pick<QueryIssue, 'allowed' | 'suggestion'> = {},
  ): undefined {
    this.list.push({ code, parameter, expected, value, ...help });
  }

  /** A word that is none of those allowed, with these and the nearest of them, unless too many issues came before. */
  addUnknown(
    code: 'unknown-value' | 'unknown-parameter',
    parameter: string,
    word: string,
    allowed: readonly string[],
    expected: string,
  ): undefined {
    const before = this.list.length;
    const isHelped = before < MAX_HELPED_ISSUES && before * allowed.length <= MAX_COMPARED_WORDS;
    const suggestion = isHelped ? findNearest(word, allowed) : undefined;
    const help = suggestion === undefined ? { allowed } : { allowed, suggestion };
    this.add(code, parameter, expected, word, isHelped ? help : {});
  }
}

const BRACKETED = /\[([^[\]]*)\]$/;

/**
 * The word that was probably meant. Filters are compared by their names, because `filter[…]` would make any two look alike:
 * `networks` and `filters[network]` are `filter[networks]`.
 */
function findNearest(word: string, allowed: readonly string[]): string | undefined {
  const nameOf = (text: string): string => BRACKETED.exec(text)?.[1] ?? text;
  const byName = new Map(allowed.map((each) => [nameOf(each), each]));
  const nearest = findNearestWord(nameOf(word), byName.keys());
  return nearest === undefined ? undefined : byName.get(nearest);
}

/** One sentence a client developer can act on: the parameter, what was expected, what arrived. */
export function describeQueryIssue(issue: QueryIssue): string {
  const { code, expected, suggestion } = issue;
  // Of too many deals the suggestion is another parameter, which `expected` names.
  const isWord = suggestion !== undefined && code !== 'too-many-deals';
  const help = isWord ? `; did you mean ${quote(suggestion)}?` : '';
  const parameter = cut(issue.parameter);
  if (code === 'unknown-parameter')
    return `${parameter}: not a parameter of this endpoint; expected ${expected}${help}`;
  if (code === 'repeated-parameter') return `${parameter}: given more than once; expected ${expected}${help}`;
  return `${parameter}: expected ${expected}, got ${quote(issue.value)}${help}`;
}

/** Quotes a text from outside and cuts it to 80 characters. */
function quote(text: string): string {
  return JSON.stringify(cut(text));
}

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
