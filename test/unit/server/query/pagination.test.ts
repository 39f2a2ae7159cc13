import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createCursors,
  createPageLinks,
  cursorContent,
  readCursor,
  type CursorPosition,
} from '../../../../server/query/pagination.ts';
import { parseQueryString } from '../../../../server/query/query-string.ts';

const HASH = 'a1b2c3d4e5f6'.padEnd(64, '0');
const position = { content: cursorContent(HASH), sequence: 1_234, offset: 40 };
const scope = 'products';

const encode = (at: CursorPosition, rest: string): string => createCursors(at, rest)(at.offset);
const isGenuine = (text: string, claimed: CursorPosition, rest: string): boolean => encode(claimed, rest) === text;

const positions = fc.record({
  content: fc.stringMatching(/^[0-9a-f]{12}$/),
  sequence: fc.integer({ min: 1, max: 2 ** 40 }),
  offset: fc.nat({ max: 36 ** 6 - 1 }),
});

describe('a cursor (D15)', () => {
  it('is read back as the position that it was made for', () => {
    fc.assert(
      fc.property(positions, fc.string(), (made, rest) => {
        const text = encode(made, rest);
        expect(readCursor(text)).toEqual(made);
        expect(isGenuine(text, made, rest)).toBe(true);
        // It needs no encoding in a URL.
        expect(text).toMatch(/^[A-Za-z0-9._-]+$/);
      }),
      { seed: 1 },
    );
  });

  it('that was altered in any one character is no longer genuine, or no cursor at all', () => {
    const text = encode(position, scope);
    const accepted: string[] = [];
    for (let at = 0; at < text.length; at++) {
      for (const character of 'AZaz09-_.') {
        if (text[at] === character) continue;
        const altered = text.slice(0, at) + character + text.slice(at + 1);
        const claimed = readCursor(altered);
        if (claimed !== undefined && isGenuine(altered, claimed, scope)) accepted.push(altered);
      }
    }
    expect(accepted).toEqual([]);
  });

  it('of another query, or of another content, is not genuine', () => {
    const text = encode(position, scope);
    expect(isGenuine(text, position, `${scope} `)).toBe(false);
    expect(isGenuine(text, { ...position, content: '000000000000' }, scope)).toBe(false);
    expect(isGenuine(text, { ...position, offset: 41 }, scope)).toBe(false);
    expect(isGenuine(text, { ...position, sequence: 1_235 }, scope)).toBe(false);
  });

  it.each([
    '',
    'x',
    'a'.repeat(31),
    `${encode(position, scope)}!`,
    ` ${encode(position, scope)}`,
    encode(position, scope).replace(/\..*/, ''),
    encode(position, scope).replace(/14\.ya$/, '014.ya'),
  ])('%j is none', (text) => expect(readCursor(text)).toBeUndefined());
});

const PATH = '/deals/v1/products/';
const pairsOf = (query: string) => parseQueryString(query).pairs;
const cursorAt = (offset: number) => `c${offset}`;

/** The offsets of a header by relation. */
function offsets(offset: number, limit: number, total: number): Record<string, number> {
  const header = createPageLinks(PATH, [], cursorAt).header(offset, limit, total);
  return Object.fromEntries(
    [...header.matchAll(/<[^>]*cursor=c([0-9]+)>; rel="([a-z]+)"/g)].map(([, at, relation]) => [relation, Number(at)]),
  );
}

describe('the links of a page (D15)', () => {
  it.each<[number, number, number, Record<string, number>]>([
    [0, 10, 11, { first: 0, next: 10, last: 10 }],
    [10, 10, 11, { first: 0, prev: 0, last: 10 }],
    [0, 10, 20, { first: 0, next: 10, last: 10 }],
    [10, 10, 30, { first: 0, prev: 0, next: 20, last: 20 }],
    [0, 1, 3, { first: 0, next: 1, last: 2 }],
    // The limit was raised on the way.
    [5, 20, 30, { first: 0, prev: 0, next: 25, last: 25 }],
    [5, 100, 30, { first: 0, prev: 0, last: 5 }],
    // The limit was lowered on the way.
    [25, 10, 60, { first: 0, prev: 15, next: 35, last: 55 }],
  ])('at %d, %d a page, of %d', (offset, limit, total, expected) => {
    expect(offsets(offset, limit, total)).toEqual(expected);
  });

  it('lead from the first page to the last, each product once, regardless of the limit', () => {
    for (let total = 2; total <= 25; total++) {
      for (let limit = 1; limit < total; limit++) {
        const seen: number[] = [];
        for (let at: number | undefined = 0; at !== undefined; at = offsets(at, limit, total)['next']) seen.push(at);
        expect(seen).toEqual(Array.from({ length: Math.ceil(total / limit) }, (_, page) => page * limit));
        expect(offsets(0, limit, total)['last']).toBe(seen.at(-1));
      }
    }
  });

  it.each([
    ['', `${PATH}?cursor=c0`],
    ['cursor=old', `${PATH}?cursor=c0`],
    ['limit=1&cursor=old&expand=deals', `${PATH}?limit=1&expand=deals&cursor=c0`],
    ['%63ursor=old', `${PATH}?cursor=c0`],
    ['a=1&&b=2&', `${PATH}?a=1&b=2&cursor=c0`],
    ['filter[condition]=eq{new}', `${PATH}?filter%5Bcondition%5D=eq%7Bnew%7D&cursor=c0`],
    ['filter%5bid%5d=eq%7b1%7d', `${PATH}?filter%5bid%5d=eq%7b1%7d&cursor=c0`],
    ['a="<>|^`\\', `${PATH}?a=%22%3C%3E%7C%5E%60%5C&cursor=c0`],
  ])('of the request ?%s keep it as it was sent, but for what may not stand in a URI', (query, target) => {
    const header = createPageLinks(PATH, pairsOf(query), cursorAt).header(0, 1, 2);
    expect(header.split(', ')[0]).toBe(`<${target}>; rel="first"`);
    const [url = ''] = header.split('>; ');
    expect(url.slice(1)).toMatch(/^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]+$/);
  });

  it('to start again leave the cursor out', () => {
    expect(createPageLinks(PATH, pairsOf('cursor=old')).first()).toBe(PATH);
    expect(createPageLinks(PATH, pairsOf('limit=1&cursor=old')).first()).toBe(`${PATH}?limit=1`);
  });
});
