import { describe, expect, it } from 'vitest';
import {
  allowanceSchema,
  dataAllowanceText,
  formatGigabytes,
  friendlyData,
  friendlyDataText,
} from '../../../../data/record/amount.ts';

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
