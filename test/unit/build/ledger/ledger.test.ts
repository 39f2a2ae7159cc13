import { describe, expect, it } from 'vitest';
import { findExceededLimit, Ledger, type SourceCost } from '../../../../build/ledger/ledger.ts';

describe('the ledger', () => {
  it('adds up when every record that was read has ended in one way', () => {
    const ledger = new Ledger();
    ledger.read('house', 5);
    ledger.keep('house', 2);
    ledger.exclude({ code: 'duplicate-deal', source: 'house' });
    ledger.exclude({ code: 'sim-only', source: 'house' });
    ledger.exclude({ code: 'negative-money', source: 'house' });
    ledger.note({ code: 'total-mismatch', source: 'house' });
    ledger.check();
    expect(ledger.account('house')).toEqual({ read: 5, kept: 2, duplicate: 1, outOfScope: 1, quarantined: 1 });
  });

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

  it.each(['total-mismatch', 'source-missing'] as const)('ends no record with %s', (code) => {
    expect(() => new Ledger().exclude({ code, source: 'house' })).toThrow(`${code} does not end a record`);
  });

  it('lists notices by source, file, line, code and record, in any order of arrival', () => {
    const notices = [
      { code: 'same-name', source: 'b' },
      { code: 'same-name', source: 'a', file: 'x.csv', line: 10, record: '2' },
      { code: 'same-name', source: 'a', file: 'x.csv', line: 10, record: '1' },
      { code: 'dead-reference', source: 'a', file: 'x.csv', line: 10, record: '3' },
      { code: 'same-name', source: 'a', file: 'x.csv', line: 9 },
      { code: 'source-missing', source: 'a' },
    ] as const;
    const ledger = new Ledger();
    for (const notice of notices) ledger.note(notice);
    expect(ledger.notices).toEqual(notices.toReversed());
  });

  it('forgets the records of a source that is withdrawn, not why', () => {
    const ledger = new Ledger();
    for (const source of ['house', 'awin']) {
      ledger.read(source, 2);
      ledger.keep(source);
      ledger.exclude({ code: 'negative-money', source });
      ledger.note({ code: 'total-mismatch', source });
      ledger.note({ code: 'source-malformed', source });
    }
    ledger.discardSource('awin');
    ledger.check();
    expect(ledger.account('awin')).toEqual({ read: 0, kept: 0, duplicate: 0, outOfScope: 0, quarantined: 0 });
    expect(ledger.account('house').read).toBe(2);
    expect(ledger.notices.map(({ source, code }) => `${source} ${code}`)).toEqual([
      'awin source-malformed',
      'house negative-money',
      'house source-malformed',
      'house total-mismatch',
    ]);
  });
});

const CHEAP: SourceCost = { lookups: 0, unknownNames: 0 };

function excessOf(read: number, quarantined: number, cost: Partial<SourceCost> = {}, broken = 0): string | undefined {
  const account = { read, kept: read - quarantined, duplicate: 0, outOfScope: 0, quarantined };
  return findExceededLimit(account, broken, { ...CHEAP, ...cost });
}

describe('a source is given up', () => {
  it.each([
    ['a million records that are served', 1_000_000, 0, { lookups: 10_000 }, 0],
    ['unknown names in nine of ten records', 22_000, 19_800, { unknownNames: 20_001 }, 0],
    ['a few unknown names', 20_000, 20_000, { unknownNames: 20_000 }, 0],
    ['findings in half of the records', 400_000, 200_000, {}, 0],
  ])('not for %s', (_, read, quarantined, cost, broken) => {
    expect(excessOf(read, quarantined, cost, broken)).toBeUndefined();
  });

  it.each([
    [
      'unknown names and hardly a record that is served',
      20_001,
      20_001,
      { unknownNames: 20_001 },
      0,
      /expected deals, got 20001 records that cannot be served/,
    ],
    ['findings and hardly a record that is served', 300_000, 280_000, {}, 0, /expected deals, got 280000 records/],
    ['records that cannot be read', 20_001, 20_001, {}, 20_001, /check that the right adapter is configured/],
    [
      'different names, whether they are known or not',
      500_000,
      0,
      { lookups: 50_001 },
      0,
      /expected at most 50000 different names and ids of products/,
    ],
  ])('for %s', (_, read, quarantined, cost, broken, sentence) => {
    expect(excessOf(read, quarantined, cost, broken)).toMatch(sentence);
  });
});
