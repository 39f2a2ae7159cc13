import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowanceSchema,
  dataAllowanceText,
  formatGigabytes,
  formatPence,
  friendlyData,
  friendlyDataText,
  parsePence,
} from '../../../../data/record/amount.ts';

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

describe('monthly data (spec §2.5, D10, D11)', () => {
  it.each([
    [0, '0', '0GB', '0', 'GB'],
    [999, '0.999', '999MB', '999', 'MB'],
    [1_000, '1', '1GB', '1', 'GB'],
    [1_234_567, '1234.567', '1234.567GB', '1234.567', 'GB'],
    ['unlimited', '999999', 'Unlimited data', 'Unlimited', ''],
  ] as const)('of %s MB is %s on the wire and %s for display', (megabytes, number, text, amount, unit) => {
    expect(dataAllowanceText(megabytes)).toBe(number);
    expect(friendlyDataText(megabytes)).toBe(text);
    expect(friendlyData(megabytes)).toEqual({ amount, unit });
  });

  it('is exact for every whole number of megabytes', () => {
    for (let megabytes = 0; megabytes < 20_000; megabytes++) {
      expect(Math.round(Number(formatGigabytes(megabytes)) * 1000)).toBe(megabytes);
      expect(formatGigabytes(megabytes)).toMatch(/^[0-9]+(?:\.[0-9]{1,3})?$/);
    }
  });
});

describe('an allowance', () => {
  it.each([0, 1, 999_999_998, 'unlimited'])('may be %s', (value) => {
    expect(allowanceSchema.safeParse(value).success).toBe(true);
  });

  it.each([-1, 0.5, Number.NaN, Infinity, 999_999_999, '4', 'Unlimited', null])('may not be %s', (value) => {
    expect(allowanceSchema.safeParse(value).success).toBe(false);
  });
});
