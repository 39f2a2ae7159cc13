import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createCursors,
  firstPage,
  readCursor,
  writePageLinks,
  type CursorPosition,
} from '../../../../server/query/pagination.ts';
import { parseQueryString } from '../../../../server/query/query-text.ts';

const encode = (at: CursorPosition, rest: string): string => createCursors(at, rest)(at.offset);

describe('a cursor (D15)', () => {
  const position = { content: 'a1b2c3d4e5f6', sequence: 1_234, offset: 40 };
  const text = encode(position, 'products');

  it('is read back as the position that it was made for, and needs no encoding in a URL', () => {
    const positions = fc.record({
      content: fc.stringMatching(/^[0-9a-f]{12}$/),
      sequence: fc.integer({ min: 1, max: 2 ** 40 }),
      offset: fc.nat({ max: 36 ** 6 - 1 }),
    });
    fc.assert(
      fc.property(positions, fc.string(), (made, rest) => {
        expect(readCursor(encode(made, rest))).toEqual(made);
        expect(encode(made, rest)).toMatch(/^[A-Za-z0-9._-]+$/);
      }),
      { seed: 1 },
    );
  });

  it('that was altered in any one character is another than that of the place it claims, or none at all', () => {
    const accepted = Array.from(text).flatMap((kept, at) =>
      Array.from('AZaz09-_.')
        .filter((character) => character !== kept)
        .map((character) => text.slice(0, at) + character + text.slice(at + 1))
        .filter((altered) => {
          const claimed = readCursor(altered);
          return claimed !== undefined && encode(claimed, 'products') === altered;
        }),
    );
    expect(accepted).toEqual([]);
  });

  it.each(['', 'a'.repeat(31), `${text}!`, ` ${text}`, text.replace(/\..*/, ''), text.replace(/14\.ya$/, '014.ya')])(
    '%j is none',
    (other) => expect(readCursor(other)).toBeUndefined(),
  );
});

describe('the links of a page (D15)', () => {
  const PATH = '/deals/v1/products/';
  const firstOf = (query: string) => firstPage(PATH, parseQueryString(query).pairs);
  const write = (query: string, offset: number, limit: number, total: number) =>
    writePageLinks(firstOf(query), (at) => `c${at}`, offset, limit, total);

  it.each<[number, number, number, Record<string, number>]>([
    [0, 10, 11, { first: 0, next: 10, last: 10 }],
    [10, 10, 11, { first: 0, prev: 0, last: 10 }],
    [0, 10, 20, { first: 0, next: 10, last: 10 }],
    [10, 10, 30, { first: 0, prev: 0, next: 20, last: 20 }],
    // The limit was raised on the way.
    [5, 20, 30, { first: 0, prev: 0, next: 25, last: 25 }],
    [5, 100, 30, { first: 0, prev: 0, last: 5 }],
    // The limit was lowered on the way.
    [25, 10, 60, { first: 0, prev: 15, next: 35, last: 55 }],
  ])('at %d, %d a page, of %d', (offset, limit, total, expected) => {
    const links = write('', offset, limit, total).matchAll(/<[^>]*cursor=c([0-9]+)>; rel="([a-z]+)"/g);
    expect(Object.fromEntries(Array.from(links, ([, at, relation]) => [relation, Number(at)]))).toEqual(expected);
  });

  it.each([
    ['limit=1&cursor=old&expand=deals', '?limit=1&expand=deals&cursor=c0'],
    ['%63ursor=old', '?cursor=c0'],
    ['a=1&&b=2&', '?a=1&b=2&cursor=c0'],
    ['filter[condition]=eq{new}', '?filter%5Bcondition%5D=eq%7Bnew%7D&cursor=c0'],
    ['filter%5bid%5d=eq%7b1%7d', '?filter%5bid%5d=eq%7b1%7d&cursor=c0'],
    ['a="<>|^`\\', '?a=%22%3C%3E%7C%5E%60%5C&cursor=c0'],
  ])('of the request ?%s keep it as it was sent, but for what may not stand in a URI', (query, target) => {
    expect(write(query, 0, 1, 2).split(', ')[0]).toBe(`<${PATH}${target}>; rel="first"`);
  });

  it('to start again leave the cursor out', () => {
    expect(firstOf('cursor=old')).toBe(PATH);
    expect(firstOf('limit=1&cursor=old')).toBe(`${PATH}?limit=1`);
  });
});
