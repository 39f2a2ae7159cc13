import { describe, expect, it } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../../../data/query/problem.ts';
import { errorResponse, queryErrorResponse, readBody, type ApiResponse } from '../../../../server/http/response.ts';
import type { QueryIssue } from '../../../../server/query/query-issue.ts';
import { writeProblemPage } from '../../../../server/routes/reference.ts';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];
const bodyOf = (problem: ApiResponse): unknown => JSON.parse(readBody(problem));
const fault = (parameter: string): QueryIssue => ({
  code: 'unknown-value',
  parameter,
  expected: 'a word',
  value: 'x',
  allowed: ['y'],
  suggestion: 'y',
});

describe('a problem (D17)', () => {
  it.each(CODES)('%s has its status, and a page that explains it', (code) => {
    const { status, title } = PROBLEMS[code];
    const problem = errorResponse(code, { detail: 'why', requestId: 'r-1' });
    expect(problem.status).toBe(status);
    expect(problem.headers).toMatchObject({
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...(status === 503 ? { 'Retry-After': '30' } : {}),
    });
    expect(bodyOf(problem)).toEqual({
      type: `/problems/${code}`,
      title,
      status,
      detail: 'why',
      instance: 'r-1',
      code,
      errors: [],
    });
    const page = writeProblemPage([code]);
    expect(page).toContain(`<title>${code} – Mobile deals</title>`);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page.replaceAll(/<!doctype html>|<\/?[a-z][^<>]*>/g, '')).not.toMatch(/[<>]/);
  });

  it('of one fault has its code, of several invalid-request', () => {
    expect(bodyOf(queryErrorResponse([fault('sort')], 'r', {}))).toMatchObject({
      code: 'unknown-value',
      detail: 'sort: expected a word, got "x"; did you mean "y"?',
      errors: [{ parameter: 'sort', code: 'unknown-value', value: 'x', allowed: ['y'], suggestion: 'y' }],
    });
    expect(bodyOf(queryErrorResponse([fault('sort'), fault('limit')], 'r', {}))).toMatchObject({
      code: 'invalid-request',
      detail: 'The request has 2 faults; errors lists each.',
      errors: [{ parameter: 'sort' }, { parameter: 'limit' }],
    });
  });
});
