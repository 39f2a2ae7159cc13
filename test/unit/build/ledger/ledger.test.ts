import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../../build/ledger/ledger.ts';

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
