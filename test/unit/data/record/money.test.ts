import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPence, parsePence } from '../../../../data/record/amount.ts';

describe('money in pence (spec §2.5, D13)', () => {
  it.each([
    ['0', 0],
    ['0.0', 0],
    ['0.00', 0],
    ['-0', 0],
    ['-0.00', 0],
    ['29.99', 2999],
    ['29.9', 2990],
    ['30', 3000],
    ['007', 700],
    ['-5.5', -550],
    ['0.29', 29],
    ['1.15', 115],
    ['999999999.99', 99_999_999_999],
  ])('%s is %d', (text, pence) => {
    expect(parsePence(text)).toBe(pence);
  });

  it.each(['', ' 1', '+1', '--1', '.5', '5.', '1.999', '1,000', '£5', '1e3', '0x10', 'NaN', '٣', '1000000000', '1\n'])(
    '%j is no amount',
    (text) => {
      expect(parsePence(text)).toBeUndefined();
    },
  );

  it('has two decimals on the wire, and is read back exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }), (pence) => {
        const text = formatPence(pence);
        expect(text).toMatch(/^-?(?:0|[1-9][0-9]*)\.[0-9]{2}$/);
        expect(parsePence(text)).toBe(pence);
      }),
      { seed: 1 },
    );
    expect([0, 5, 50, 100, 2999, -5].map(formatPence)).toEqual(['0.00', '0.05', '0.50', '1.00', '29.99', '-0.05']);
  });
});
