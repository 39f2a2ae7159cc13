import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitAt, createPagedBitmap } from '../../../../server/query/deal-predicate.ts';

describe('a set of amounts', () => {
  it.each(['listed', 'others'] as const)('of %s amounts has what it should and nothing else', (kind) => {
    const edge = fc.constantFrom(0, 1, 31, 32, 4_095, 4_096, 8_191, 999_999_999, 1_000_000_000);
    const amount = fc.oneof(edge, fc.integer({ min: 0, max: 20_000 }));
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 40 }), fc.array(amount, { maxLength: 40 }), (amounts, asked) => {
        const { pageStart, words } = createPagedBitmap(kind, amounts, 1_000_000_000);
        for (const pence of [...amounts, ...asked]) {
          expect(bitAt(pageStart, words, pence)).toBe(Number(amounts.includes(pence) === (kind === 'listed')));
        }
      }),
      { seed: 1, numRuns: 30 },
    );
  });

  it('leaves out what is above the highest amount that is ever looked up', () => {
    const { pageStart, words } = createPagedBitmap('listed', [5, 99_999_999_999], 10);
    expect([pageStart.length, words.length]).toEqual([1, 256]);
    expect([5, 10].map((pence) => bitAt(pageStart, words, pence))).toEqual([1, 0]);
  });
});
