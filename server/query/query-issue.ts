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
