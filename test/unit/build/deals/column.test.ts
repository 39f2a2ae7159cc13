import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowableNumberColumn, GrowableTextColumn } from '../../../../build/deals/deal-table.ts';
import { compareCodeUnits } from '../../../../data/record/id.ts';

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\u0100', '\ud800', '😀') }),
);

describe('a column of texts', () => {
  it('gives back every text, half of a surrogate pair included, and compares by code unit', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 30 }), (texts) => {
        const column = new GrowableTextColumn('key');
        for (const text of texts) column.append(text);
        expect(texts.map((_, row) => column.at(row))).toEqual(texts);
        for (let row = 1; row < texts.length; row++) {
          expect(Math.sign(column.compare(row - 1, row))).toBe(
            compareCodeUnits(texts[row - 1] as string, texts[row] as string),
          );
        }
      }),
    );
  });
});

describe('a column of numbers', () => {
  it.each([-1, 0.5, 2 ** 32, Number.NaN])('refuses %d, which would be another number', (value) => {
    expect(() => new GrowableNumberColumn('totalPence').append(value)).toThrow(
      new RangeError(`totalPence, row 0: expected a whole number below 2^32, got ${value}`),
    );
  });
});
