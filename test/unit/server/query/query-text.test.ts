import { expect, it } from 'vitest';
import { parseQueryString, QueryIssues } from '../../../../server/query/query-text.ts';
import { FILTER_OF_PARAMETER } from '../../../../data/query/filter.ts';

const pairsOf = (query: string) => parseQueryString(query).pairs.map(({ name, value }) => [name, value]);

it.each<[string, [string, string][]]>([
  ['&a=1&&b=2&', [['a', '1'], ['b', '2']]], // prettier-ignore
  ['a&=1', [['a', ''], ['', '1']]], // prettier-ignore
  ['a=b=c;d=2?', [['a', 'b=c;d=2?']]],
  ['a=x+y%2Bz', [['a', 'x y+z']]],
  ['%61=%F0%9F%93%B1', [['a', '📱']]],
  ['__proto__=1', [['__proto__', '1']]],
])('the pairs of a query string: %j', (query, pairs) => {
  expect(pairsOf(query)).toEqual(pairs);
});

it('a pair that cannot be decoded is refused once, however often it is repeated, and the pairs after it are read', () => {
  const { pairs, issues } = parseQueryString('a=%zz&a=%zz&%00=1&a=é&b=%ed%a0%80&ok=%7b');
  expect(issues.map(({ code, parameter, value }) => `${parameter}: ${code} ${value}`)).toEqual([
    'a: malformed-value %zz',
    '%00: malformed-value %00',
    'a: malformed-value é',
    'b: malformed-value %ed%a0%80',
  ]);
  expect(pairs).toEqual([{ name: 'ok', value: '{', raw: 'ok=%7b' }]);
});

it('what decodeURIComponent refuses is refused, and NUL, and nothing else', () => {
  const bytes = Array.from({ length: 256 }, (_, code) => `%${code.toString(16).padStart(2, '0')}`);
  const edges = ['%7f', '%80', '%8f', '%90', '%9f', '%a0', '%bf', '%c0', '%C2', '%ff', 'a', '%', '%4'];
  const texts = bytes.flatMap((first) => [
    first,
    ...edges.flatMap((second) => [
      first + second,
      ...['%80', '%bf', '%c0', 'a'].flatMap((third) => [
        first + second + third,
        `${first}${second}${third}%bf`,
        `${first}${second}${third}%7f`,
      ]),
    ]),
  ]);
  const wrong = texts.filter((text) => parseQueryString(`a=${text}`).pairs[0]?.value !== decode(text));
  expect(wrong).toEqual([]);
});

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

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
