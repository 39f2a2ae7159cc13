import { describe, expect, it } from 'vitest';
import { findExceededLimit, Ledger, type SourceCost } from '../../../../build/ledger/ledger.ts';

describe('the ledger', () => {
  it.each([
    [2, 1],
    [1, 2],
  ])('tells of %i read and %i kept', (read, kept) => {
    const ledger = new Ledger();
    ledger.read('house', read);
    ledger.keep('house', kept);
    expect(() => ledger.check()).toThrow(
      `the accounts of house do not add up: read ${read}, kept ${kept}, duplicate 0, out of scope 0, quarantined 0`,
    );
  });
});

const CHEAP: SourceCost = { lookups: 0, unknownNames: 0 };

function excessOf(read: number, quarantined: number, cost: Partial<SourceCost> = {}): string | undefined {
  const account = { read, kept: read - quarantined, duplicate: 0, outOfScope: 0, quarantined };
  return findExceededLimit(account, { ...CHEAP, ...cost });
}

describe('a source is given up', () => {
  it.each([
    ['a million records that are served', 1_000_000, 0, { lookups: 10_000 }],
    ['unknown names in nine of ten records', 22_000, 19_800, { unknownNames: 20_001 }],
    ['a few unknown names', 20_000, 20_000, { unknownNames: 20_000 }],
    ['findings in half of the records', 400_000, 200_000, {}],
  ])('not for %s', (_, read, quarantined, cost) => {
    expect(excessOf(read, quarantined, cost)).toBeUndefined();
  });

  it.each([
    [
      'unknown names and hardly a record that is served',
      20_001,
      20_001,
      { unknownNames: 20_001 },
      /expected deals, got 20001 records that cannot be served/,
    ],
    ['findings and hardly a record that is served', 300_000, 280_000, {}, /expected deals, got 280000 records/],
    [
      'different names, whether they are known or not',
      500_000,
      0,
      { lookups: 50_001 },
      /expected at most 50000 different names and ids of products/,
    ],
  ])('for %s', (_, read, quarantined, cost, sentence) => {
    expect(excessOf(read, quarantined, cost)).toMatch(sentence);
  });
});
