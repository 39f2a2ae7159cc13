import { describeQueryIssue, type QueryIssue } from '../../../../server/query/query-issue.ts';

/** Runs a parser that reports to a list: what it understood, and what it refused as `code value`. */
export function parsed<Value>(parse: (issues: QueryIssue[]) => Value): { value: Value; refusals: string[] } {
  const issues: QueryIssue[] = [];
  const value = parse(issues);
  return { value, refusals: issues.map((issue) => `${issue.parameter}: ${issue.code} ${issue.value}`) };
}

/** The sentences of everything that a parser refused. */
export function sentences(parse: (issues: QueryIssue[]) => unknown): string[] {
  const issues: QueryIssue[] = [];
  parse(issues);
  return issues.map(describeQueryIssue);
}
