import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorContent, encodeCursor, isSealed, readCursor } from '../../../server/query/cursor.ts';

const HASH = 'a1b2c3d4e5f6'.padEnd(64, '0');
const position = { content: cursorContent(HASH), offset: 40 };
const walk = '{"kind":"products"}';

const positions = fc.record({
  content: fc.stringMatching(/^[0-9a-f]{12}$/),
  offset: fc.nat({ max: 36 ** 6 - 1 }),
});

describe('a cursor (D15)', () => {
  it('is read back as the position that it was made for', () => {
    fc.assert(
      fc.property(positions, fc.string(), (made, rest) => {
        const text = encodeCursor(made, rest);
        expect(readCursor(text)).toEqual(made);
        expect(isSealed(text, made, rest)).toBe(true);
      }),
      { seed: 1 },
    );
  });

  it('needs no encoding in a URL', () => {
    fc.assert(
      fc.property(positions, (made) => {
        expect(encodeCursor(made, walk)).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
      { seed: 1 },
    );
  });

  it('that was altered in any one character is no longer sealed, or no cursor at all', () => {
    const text = encodeCursor(position, walk);
    const accepted: string[] = [];
    for (let at = 0; at < text.length; at++) {
      for (const character of 'AZaz09-_') {
        if (text[at] === character) continue;
        const altered = text.slice(0, at) + character + text.slice(at + 1);
        const claimed = readCursor(altered);
        if (claimed !== undefined && isSealed(altered, claimed, walk)) accepted.push(altered);
      }
    }
    expect(accepted).toEqual([]);
  });

  it('of another query, or of another content, is not sealed', () => {
    const text = encodeCursor(position, walk);
    expect(isSealed(text, position, `${walk} `)).toBe(false);
    expect(isSealed(text, { ...position, content: '000000000000' }, walk)).toBe(false);
    expect(isSealed(text, { ...position, offset: 41 }, walk)).toBe(false);
  });

  it.each(['', 'x', 'a'.repeat(28), `${encodeCursor(position, walk)}!`, ` ${encodeCursor(position, walk)}`])(
    '%j is none',
    (text) => expect(readCursor(text)).toBeUndefined(),
  );

  it('has one spelling: no leading zeros', () => {
    const text = encodeCursor({ ...position, offset: 1 }, walk);
    expect(readCursor(`${text.slice(0, -1)}01`)).toBeUndefined();
  });
});
