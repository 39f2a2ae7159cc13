import { describe, expect, it } from 'vitest';
import type { KnownSnapshot } from '../../../../build/gate/served-snapshot.ts';
import { compareNoticeCounts, listGoneNotices } from '../../../../build/report/report.ts';
import type { NoticeSummary } from '../../../../data/report/report.ts';

const ID = '20261119T0230Z-0123abcd';
const EARLIER = '20261101T0230Z-0123abcd';

function summary(code: NoticeSummary['code'], count: number, before?: NoticeSummary['before']): NoticeSummary {
  return {
    code,
    outcome: 'quarantined',
    source: 'house',
    count,
    ...(before === undefined ? {} : { before }),
    samples: [],
  };
}

function served(notices: readonly NoticeSummary[]): KnownSnapshot {
  // Of a snapshot, only this is compared.
  return { kind: 'known', id: ID, report: { notices } } as unknown as KnownSnapshot;
}

describe('compareNotices', () => {
  it.each([
    ['a new code', [], summary('unknown-network', 3), { snapshot: ID, count: 0 }],
    ['another count', [summary('unknown-network', 2)], summary('unknown-network', 3), { snapshot: ID, count: 2 }],
    ['the same count', [summary('unknown-network', 3)], summary('unknown-network', 3), undefined],
    [
      'the same count since an earlier snapshot',
      [summary('unknown-network', 3, { snapshot: EARLIER, count: 1 })],
      summary('unknown-network', 3),
      { snapshot: EARLIER, count: 1 },
    ],
  ])('says since when and how often before: %s', (_, before, now, expected) => {
    expect(compareNoticeCounts([now], served(before))[0]?.before).toEqual(expected);
  });

  it('puts what changed last first, then sorts by source and code', () => {
    const before = [summary('unknown-retailer', 1), summary('duplicate-id', 1, { snapshot: EARLIER, count: 9 })];
    const now = ['unknown-retailer', 'column-count', 'duplicate-id', 'unknown-network', 'unknown-gift'] as const;
    expect(
      compareNoticeCounts(
        now.map((code) => summary(code, 1)),
        served(before),
      ).map(({ code }) => code),
    ).toEqual(['column-count', 'unknown-gift', 'unknown-network', 'duplicate-id', 'unknown-retailer']);
  });

  it('says nothing where there is nothing to compare with', () => {
    const none = { kind: 'none', reason: 'nothing was published before' } as const;
    expect(compareNoticeCounts([summary('unknown-network', 3)], none)[0]).not.toHaveProperty('before');
    expect(listGoneNotices([], none)).toEqual([]);
  });
});

describe('listGone', () => {
  it('is what the snapshot being served reports and the build does not', () => {
    const before = [summary('unknown-network', 3), summary('duplicate-id', 1)];
    expect(listGoneNotices([summary('duplicate-id', 5)], served(before))).toEqual([
      { code: 'unknown-network', source: 'house', count: 3 },
    ]);
  });
});
