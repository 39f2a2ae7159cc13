import { describe, expect, it } from 'vitest';
import { FILTER_OF_PARAMETER } from '../../../../data/query/filter.ts';
import { QueryIssues, type QueryIssue } from '../../../../server/query/query-issue.ts';

const ALLOWED = [...FILTER_OF_PARAMETER.keys(), 'expand', 'fields', 'limit', 'sort', 'cursor'];

/** The last issue of a list, after so many others. */
function issueAfter(count: number, add: (issues: QueryIssues) => void): QueryIssue | undefined {
  const issues = new QueryIssues();
  for (let i = 0; i < count; i++) issues.add('malformed-value', 'limit', 'a number', 'x');
  add(issues);
  return issues.list[count];
}

describe('the parameter that was probably meant (D4)', () => {
  it.each([
    ['networks', 'filter[networks]'],
    ['network', 'filter[networks]'],
    ['id', 'filter[id]'],
    ['monthlycost', 'filter[monthlyCost]'],
    ['filter[network]', 'filter[networks]'],
    ['filter[Networks]', 'filter[networks]'],
    ['filters[networks]', 'filter[networks]'],
    ['filter[conditon]', 'filter[condition]'],
    ['expnd', 'expand'],
    ['Limit', 'limit'],
    ['filter[model]', undefined],
    ['filter[]', undefined],
    ['filter[constructor]', undefined],
    ['x', undefined],
    ['model', undefined],
  ])('of %s is %s', (word, suggestion) => {
    const issue = issueAfter(0, (issues) => issues.addUnknown('unknown-parameter', word, word, ALLOWED, 'a parameter'));
    expect(issue?.suggestion).toBe(suggestion);
  });
});

describe('the words offered with an unknown word', () => {
  const after = (count: number, word: string, allowed: readonly string[]) =>
    issueAfter(count, (issues) => issues.addUnknown('unknown-value', 'expand', word, allowed, 'a word'));

  it('are those allowed, and the nearest', () => {
    const issue = { code: 'unknown-value', parameter: 'expand', expected: 'a word' };
    expect(after(19, 'imags', ['content', 'images'])).toEqual({
      ...issue,
      value: 'imags',
      allowed: ['content', 'images'],
      suggestion: 'images',
    });
    expect(after(0, 'xyzzy', ['content'])).toEqual({ ...issue, value: 'xyzzy', allowed: ['content'] });
  });

  it('come with the first issues only, with fewer where there are many words to compare', () => {
    expect(after(20, 'imags', ['content', 'images'])?.allowed).toBeUndefined();
    const slugs = Array.from({ length: 1_001 }, (_, at) => `retailer-${at}`);
    expect([0, 1, 2].map((count) => after(count, 'retailer-0x', slugs)?.suggestion)).toEqual([
      'retailer-0',
      'retailer-0',
      undefined,
    ]);
  });
});
