import { expect } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { schemaFaults } from '../oracle/check-answer.ts';

export interface Problem {
  readonly type: string;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly errors: readonly {
    readonly parameter: string;
    readonly code: ProblemCode;
    readonly detail: string;
    readonly value: string;
    readonly allowed?: readonly string[];
    readonly suggestion?: string;
  }[];
}

/** Holds every refusal to the one shape there is (D17), and returns its body. */
export function expectProblem(
  answer: { readonly status: number; readonly headers: Headers; readonly text: string },
  code: ProblemCode,
  faults?: readonly (readonly [parameter: string, code: ProblemCode])[],
): Problem {
  const { status, title } = PROBLEMS[code];
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json(?:$|;)/);
  const problem = JSON.parse(answer.text) as Problem;
  expect(schemaFaults('problem', problem)).toEqual([]);
  expect(problem).toMatchObject({ code, status, title, instance: answer.headers.get('x-request-id') });
  expect(problem.type.endsWith(`/problems/${code}`)).toBe(true);
  expect(answer.headers.get('retry-after') ?? '').toMatch([429, 503].includes(status) ? /^[1-9][0-9]*$/ : /^$/);
  if (faults !== undefined) expect(problem.errors.map((fault) => [fault.parameter, fault.code])).toEqual(faults);
  return problem;
}
