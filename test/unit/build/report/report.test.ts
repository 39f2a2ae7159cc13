import { describe, expect, it } from 'vitest';
import type { KnownSnapshot } from '../../../../build/gate/served-snapshot.ts';
import { writeAcceptCommand, writeAcceptFeedCommands } from '../../../../build/report/build-result.ts';
import { compareNoticeCounts, listGoneNotices } from '../../../../build/report/report.ts';
import type { GateResult, HeldPart, NoticeSummary, Report, SourceReport } from '../../../../data/report/report.ts';

const gate = (name: string, state: GateResult['state'], measured = 0.5): GateResult => ({
  gate: name,
  state,
  detail: 'x',
  measured,
  limit: 0.1,
});

const source = (name: string, state: SourceReport['state'] = 'fresh'): SourceReport => ({
  name,
  kind: 'feed',
  adapter: 'deals',
  state,
  files: [],
  read: 100,
  kept: 100,
  duplicate: 0,
  outOfScope: 0,
  quarantined: 0,
});

const SOURCES = [source('house'), source('night')];

describe('the command that publishes all the same', () => {
  it('accepts what is refused, and what was accepted before', () => {
    const gates = [gate('lost:house', 'refused'), gate('currency', 'accepted')];
    expect(writeAcceptCommand({ config: "Ann's c.json", accept: ['currency'] }, { gates, sources: SOURCES })).toBe(
      String.raw`deals build --config 'Ann'\''s c.json' --accept currency --accept lost:house`,
    );
  });

  it('is none where nothing is refused', () => {
    const gates = [gate('currency', 'accepted'), gate('lost:house', 'held')];
    expect(writeAcceptCommand({}, { gates, sources: SOURCES })).toBeUndefined();
  });

  it.each<[string, GateResult[], SourceReport[], boolean]>([
    ['no product', [gate('no-products', 'refused'), gate('lost:site', 'refused', 1)], SOURCES, false],
    ['no deal left of all', [gate('lost', 'refused', 1)], SOURCES, false],
    [
      'no deal left of any feed',
      [gate('lost:house', 'refused', 1)],
      SOURCES.map((source) => ({ ...source, kept: 0, duplicate: 0 })),
      false,
    ],
    [
      'a served snapshot that cannot be read, while all sources can',
      [gate('unreadable-snapshot', 'refused')],
      SOURCES,
      true,
    ],
    [
      'a served snapshot that cannot be read, and a feed that cannot either',
      [gate('unreadable-snapshot', 'refused')],
      [source('house'), source('night', 'failed')],
      false,
    ],
    [
      'one of them that can be accepted and one that cannot',
      [gate('currency', 'refused'), gate('unread:house', 'refused')],
      SOURCES,
      false,
    ],
  ])('is offered only where a person may want it: %s', (_, gates, sources, isOffered) => {
    expect(writeAcceptCommand({}, { gates, sources }) !== undefined).toBe(isOffered);
  });
});

describe('the commands that take held feeds as they are', () => {
  const whole: HeldPart = { state: 'held', gates: ['lost'], because: 'x', deals: 9, freshAt: '2026-11-19T02:30:00Z', snapshot: 'S' }; // prettier-ignore
  const house = { ...source('house'), held: [whole] };
  const gates = [gate('lost:house', 'held'), gate('moved:house', 'held')];
  const commandsOf = (parts: Partial<Report>): readonly string[] => [
    ...writeAcceptFeedCommands(
      { store: 's' },
      { sources: [house, source('night')], notices: [], unmatchedNames: [], gates, goneNotices: [], ...parts },
    ).values(),
  ];

  it.each<[string, Partial<Report>]>([
    ['all of its deals would be lost', { gates: [gate('lost:house', 'held', 1)] }],
    ['the cause is in its records', { sources: [{ ...house, quarantined: 30 }], notices: [quarantined(30)] }],
    ['it was not read', { sources: [{ ...house, state: 'carried-forward' }] }],
  ])('are none where %s', (_, parts) => {
    expect(commandsOf(parts)).toEqual([]);
  });
});

/** Records of the feed house with one and the same unknown network. */
function quarantined(count: number): NoticeSummary {
  const notice = { code: 'unknown-network', source: 'house', field: 'network', found: 'O3' } as const;
  return { ...summary('unknown-network', count), samples: Array.from({ length: 20 }, () => notice) };
}

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

function served(notices: readonly NoticeSummary[], report: Partial<KnownSnapshot['report']> = {}): KnownSnapshot {
  // Of a snapshot, only this is compared.
  return { kind: 'known', id: ID, report: { sources: SOURCES, notices, ...report } } as unknown as KnownSnapshot;
}

describe('the counts of notices, compared with the snapshot being served', () => {
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
});

describe('the notices that are gone', () => {
  const before = [summary('unknown-network', 3), summary('duplicate-id', 1), summary('source-malformed', 1)];

  it('is what the snapshot being served reports and the build does not', () => {
    expect(listGoneNotices([summary('duplicate-id', 5)], SOURCES, served(before))).toMatchObject([
      { code: 'unknown-network', source: 'house', count: 3 },
      { code: 'source-malformed', source: 'house', count: 1 },
    ]);
  });

  it.each(['carried-forward', 'failed', 'absent'] as const)(
    'has, of a source that is %s, only what kept it from being read',
    (state) => {
      expect(listGoneNotices([], [source('house', state)], served(before))).toMatchObject([
        { code: 'source-malformed' },
      ]);
    },
  );
});
