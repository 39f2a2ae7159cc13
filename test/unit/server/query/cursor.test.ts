import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCursors, cursorContent, readCursor, type CursorPosition } from '../../../../server/query/pagination.ts';

const HASH = 'a1b2c3d4e5f6'.padEnd(64, '0');
const position = { content: cursorContent(HASH), offset: 40 };
const walk = 'products';

const encode = ({ content, offset }: CursorPosition, rest: string): string => createCursors(content, rest)(offset);
const isGenuine = (text: string, claimed: CursorPosition, rest: string): boolean => encode(claimed, rest) === text;

const positions = fc.record({
  content: fc.stringMatching(/^[0-9a-f]{12}$/),
  offset: fc.nat({ max: 36 ** 6 - 1 }),
});

describe('a cursor (D15)', () => {
  it('is read back as the position that it was made for', () => {
    fc.assert(
      fc.property(positions, fc.string(), (made, rest) => {
        const text = encode(made, rest);
        expect(readCursor(text)).toEqual(made);
        expect(isGenuine(text, made, rest)).toBe(true);
      }),
      { seed: 1 },
    );
  });

  it('needs no encoding in a URL', () => {
    fc.assert(
      fc.property(positions, (made) => {
        expect(encode(made, walk)).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
      { seed: 1 },
    );
  });

  it('that was altered in any one character is no longer genuine, or no cursor at all', () => {
    const text = encode(position, walk);
    const accepted: string[] = [];
    for (let at = 0; at < text.length; at++) {
      for (const character of 'AZaz09-_') {
        if (text[at] === character) continue;
        const altered = text.slice(0, at) + character + text.slice(at + 1);
        const claimed = readCursor(altered);
        if (claimed !== undefined && isGenuine(altered, claimed, walk)) accepted.push(altered);
      }
    }
    expect(accepted).toEqual([]);
  });

  it('of another query, or of another content, is not genuine', () => {
    const text = encode(position, walk);
    expect(isGenuine(text, position, `${walk} `)).toBe(false);
    expect(isGenuine(text, { ...position, content: '000000000000' }, walk)).toBe(false);
    expect(isGenuine(text, { ...position, offset: 41 }, walk)).toBe(false);
  });

  it.each(['', 'x', 'a'.repeat(31), `${encode(position, walk)}!`, ` ${encode(position, walk)}`])('%j is none', (text) =>
    expect(readCursor(text)).toBeUndefined(),
  );

  it('is another for every offset, and differs from its neighbours in more than the offset', () => {
    const cursorAt = createCursors(position.content, walk);
    const texts = Array.from({ length: 20_000 }, (_, offset) => cursorAt(offset));
    const checks = texts.map((text, offset) => text.slice(0, -offset.toString(36).length));
    expect(new Set(checks).size).toBe(texts.length);
  });

  it('is the same text each time it is made', () => {
    const cursorAt = createCursors(position.content, walk);
    expect([cursorAt(40), cursorAt(0), cursorAt(40)]).toEqual([
      encode(position, walk),
      encode({ ...position, offset: 0 }, walk),
      encode(position, walk),
    ]);
  });

  it('has one spelling: no leading zeros', () => {
    const text = encode({ ...position, offset: 1 }, walk);
    expect(readCursor(`${text.slice(0, -1)}01`)).toBeUndefined();
  });
});
