import { describe, expect, it } from 'vitest';
import { describeQueryIssue } from '../../../../server/query/query-issue.ts';
import { parseQueryString, splitTarget } from '../../../../server/query/query-string.ts';

describe('a request target', () => {
  it.each([
    ['/deals/', { path: '/deals/', query: '' }],
    ['/deals/?', { path: '/deals/', query: '' }],
    ['/deals/?a=1&b=2', { path: '/deals/', query: 'a=1&b=2' }],
    ['/deals/?a=?', { path: '/deals/', query: 'a=?' }],
  ])('%s is cut at its first question mark', (target, parts) => {
    expect(splitTarget(target)).toEqual(parts);
  });
});

describe('the pairs of a query string (D4)', () => {
  const pairsOf = (query: string) => {
    const { pairs, issues } = parseQueryString(query);
    return { value: pairs, refusals: issues.map(({ code, parameter, value }) => `${parameter}: ${code} ${value}`) };
  };

  it.each<[string, [string, string][]]>([
    ['', []],
    ['&&', []],
    ['a=1&', [['a', '1']]],
    ['&a=1&&b=2', [['a', '1'], ['b', '2']]], // prettier-ignore
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['=1', [['', '1']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a=1;b=2', [['a', '1;b=2']]],
    ['a=x+y%2Bz', [['a', 'x y+z']]],
    ['filter[condition]=eq{new}', [['filter[condition]', 'eq{new}']]],
    ['filter%5Bcondition%5D=eq%7bnew%7D', [['filter[condition]', 'eq{new}']]],
    ['%61=%F0%9F%93%B1', [['a', '📱']]],
    ['__proto__=1&constructor=2', [['__proto__', '1'], ['constructor', '2']]], // prettier-ignore
  ])('reads %j', (query, pairs) => {
    const { value, refusals } = pairsOf(query);
    expect({ pairs: value.map(({ name, value }) => [name, value]), refusals }).toEqual({ pairs, refusals: [] });
  });

  it('keeps each pair as it was sent, for links', () => {
    expect(pairsOf('a=%7b&b=+').value.map(({ raw }) => raw)).toEqual(['a=%7b', 'b=+']);
  });

  it.each<[string, string]>([
    ['a=%', 'a: malformed-value %'],
    ['a=%zz', 'a: malformed-value %zz'],
    ['a=%ff', 'a: malformed-value %ff'],
    ['a=%c0%80', 'a: malformed-value %c0%80'],
    ['a=%ed%a0%80', 'a: malformed-value %ed%a0%80'],
    ['a=%00', 'a: malformed-value %00'],
    ['a=\0', 'a: malformed-value \0'],
    ['%00=a', '%00: malformed-value %00'],
    ['%zz', '%zz: malformed-value %zz'],
    ['a=é', 'a: malformed-value é'],
  ])('refuses %j, and reads the pairs after it', (pair, refusal) => {
    const { value, refusals } = pairsOf(`${pair}&ok=1`);
    expect(refusals).toEqual([refusal]);
    expect(value.map(({ name }) => name)).toEqual(['ok']);
  });

  it('tells a fault once, however often it is repeated', () => {
    expect(pairsOf('a=%zz&a=%zz&b=%zz&a=%zz').refusals).toEqual(['a: malformed-value %zz', 'b: malformed-value %zz']);
  });

  it('is decoded to the same text whether every character was escaped or none', () => {
    for (let code = 1; code < 0x7f; code++) {
      const character = String.fromCharCode(code);
      if ('%+&='.includes(character)) continue;
      const escaped = `%${code.toString(16).padStart(2, '0')}`;
      const [raw, encoded] = [pairsOf(`${character}=${character}`), pairsOf(`${escaped}=${escaped}`)];
      const expected = [character, [[character, character]], []];
      for (const { value, refusals } of [raw, encoded]) {
        expect([character, value.map((pair) => [pair.name, pair.value]), refusals]).toEqual(expected);
      }
    }
  });

  it('says what was expected and what arrived', () => {
    expect(parseQueryString('limit=%zz').issues.map(describeQueryIssue)).toEqual([
      'limit: expected percent-encoded UTF-8 without NUL, got "%zz"',
    ]);
  });

  it('refuses what decodeURIComponent refuses, and NUL, and nothing else', () => {
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
});

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
