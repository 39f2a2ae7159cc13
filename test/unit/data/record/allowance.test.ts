import { describe, expect, it } from 'vitest';
import {
  allowanceSchema,
  countAllowanceText,
  dataAllowanceText,
  formatGigabytes,
  friendlyCount,
  friendlyData,
  friendlyDataText,
  UNLIMITED_MARKER,
} from '../../../../data/record/amount.ts';
import { CONDITION_LABEL, CONDITIONS } from '../../../../data/record/product.ts';

describe('monthly data (spec §2.5, D10, D11)', () => {
  it.each([
    [0, '0', '0GB', '0', 'GB'],
    [1, '0.001', '1MB', '1', 'MB'],
    [500, '0.5', '500MB', '500', 'MB'],
    [999, '0.999', '999MB', '999', 'MB'],
    [1_000, '1', '1GB', '1', 'GB'],
    [1_500, '1.5', '1.5GB', '1.5', 'GB'],
    [4_000, '4', '4GB', '4', 'GB'],
    [100_000, '100', '100GB', '100', 'GB'],
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

describe('minutes, texts and months (D10)', () => {
  it.each([
    [0, 'minutes', '0 minutes'],
    [1, 'minutes', '1 minute'],
    [500, 'minutes', '500 minutes'],
    [5_000, 'texts', '5000 texts'],
    [1, 'texts', '1 text'],
    [1, 'months', '1 month'],
    [24, 'months', '24 months'],
    ['unlimited', 'minutes', 'Unlimited minutes'],
    ['unlimited', 'texts', 'Unlimited texts'],
  ] as const)('%s %s are %j', (count, unit, text) => {
    expect(friendlyCount(count, unit)).toBe(text);
  });

  it('are 999999 on the wire when unlimited', () => {
    expect([countAllowanceText('unlimited'), countAllowanceText(0), UNLIMITED_MARKER]).toEqual([
      '999999',
      '0',
      999_999,
    ]);
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

describe('the condition of a product (spec §2.5)', () => {
  it('is new or refurbished, and capitalised in deals', () => {
    expect(CONDITIONS.map((condition) => CONDITION_LABEL[condition])).toEqual(['New', 'Refurbished']);
  });
});
