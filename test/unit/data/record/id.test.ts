import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCodeUnits, compareIds, decimalIdSchema, slugSchema } from '../../../../data/record/id.ts';

const isDecimalId = (text: string): boolean => decimalIdSchema.safeParse(text).success;

describe('ids (spec §2.1)', () => {
  it.each(['0', '1', '101', '10000000000000000001', '9'.repeat(20)])('%s is one', (text) => {
    expect(isDecimalId(text)).toBe(true);
  });

  it.each(['', '00', '012', '-1', '+1', '1.0', '1e3', ' 1', '1\n', 'abc', '１', '1'.repeat(21)])(
    '%j is none',
    (text) => {
      expect(isDecimalId(text)).toBe(false);
    },
  );

  it('are ordered as numbers, also those beyond 2^53', () => {
    const sorted = ['0', '9', '10', '101', '1000', '9007199254740992', '9007199254740993', '10000000000000000001'];
    expect(sorted.toReversed().toSorted(compareIds)).toEqual(sorted);
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
        fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
        (a, b) => {
          expect(Math.sign(compareIds(String(a), String(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
        },
      ),
      { seed: 1 },
    );
  });
});

const isSlug = (text: string): boolean => slugSchema.safeParse(text).success;

describe('slugs (spec §2.2)', () => {
  it.each(['a', 'google-pixel-9', '3310-nokia', '~a', 'a.b_c~d', 'x'.repeat(200)])('%s is one', (text) => {
    expect(isSlug(text)).toBe(true);
  });

  it.each(['', '3310', '-', 'Pixel', 'a b', 'a/b', 'é', 'a\n', '%61', 'x'.repeat(201)])('%j is none', (text) => {
    expect(isSlug(text)).toBe(false);
  });

  it('are never ids, so that one word cannot be both (D13)', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9._~-]{1,20}$/), (text) => {
        expect(isSlug(text) && isDecimalId(text)).toBe(false);
      }),
      { seed: 1 },
    );
  });
});

describe('the order of texts (D14)', () => {
  it('is by UTF-16 code unit, regardless of the locale', () => {
    const sorted = ['', 'A', 'Z', 'a', 'ab', 'b', 'é', '\ud83d\udcf1', '\uff5a'];
    expect(sorted.toReversed().toSorted(compareCodeUnits)).toEqual(sorted);
    expect(compareCodeUnits('a', 'a')).toBe(0);
  });
});
