import { expect, it } from 'vitest';
import { FILTER_OF_PARAMETER } from '../../../../data/query/filter.ts';
import { QueryIssues } from '../../../../server/query/query-issue.ts';

/** What is suggested for an unknown word after so many other issues. */
function suggestionFor(word: string, allowed: readonly string[], count = 0): string | undefined {
  const issues = new QueryIssues();
  for (let i = 0; i < count; i++) issues.add('malformed-value', 'limit', 'a number', 'x');
  issues.addUnknown('unknown-parameter', word, word, allowed, 'a parameter');
  return issues.list[count]?.suggestion;
}

it.each([
  ['networks', 'filter[networks]'],
  ['network', 'filter[networks]'],
  ['monthlycost', 'filter[monthlyCost]'],
  ['filter[Networks]', 'filter[networks]'],
  ['filters[networks]', 'filter[networks]'],
  ['expnd', 'expand'],
  ['filter[constructor]', undefined],
  ['filter[]', undefined],
  ['x', undefined],
])('the parameter that was probably meant by %s is %s (D4)', (word, suggestion) => {
  const allowed = [...FILTER_OF_PARAMETER.keys(), 'expand', 'fields', 'limit', 'sort', 'cursor'];
  expect(suggestionFor(word, allowed)).toBe(suggestion);
});

it('words are suggested with the first issues only, with fewer where there are many words to compare', () => {
  const suggested = (words: readonly string[], counts: readonly number[]) =>
    counts.map((count) => suggestionFor('retailer-0x', words, count));
  expect(suggested(['retailer-0'], [19, 20])).toEqual(['retailer-0', undefined]);
  const slugs = Array.from({ length: 1_001 }, (_, at) => `retailer-${at}`);
  expect(suggested(slugs, [0, 1, 2])).toEqual(['retailer-0', 'retailer-0', undefined]);
});
