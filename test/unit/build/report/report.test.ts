import { describe, expect, it } from 'vitest';
import type { KnownSnapshot } from '../../../../build/gate/served-snapshot.ts';
import { listAttention, listRefusal } from '../../../../build/report/attention.ts';
import { writeBuildCommand } from '../../../../build/report/build-result.ts';
import type { Notice } from '../../../../data/report/notice.ts';
import { compareNoticeCounts } from '../../../../build/report/report.ts';
import type { GateResult, HeldPart, NoticeSummary, SourceReport } from '../../../../data/report/report.ts';

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

const writeAccepting = (gates: readonly GateResult[]): string => gates.map(({ gate: name }) => name).join(' ');

describe('the command that publishes all the same', () => {
  const acceptOf = (gates: readonly GateResult[], sources: readonly SourceReport[]) =>
    listRefusal({ gates, sources, notices: [], writeAccepting }).accept;

  it('accepts what is refused', () => {
    const gates = [gate('lost:house', 'refused'), gate('currency', 'accepted'), gate('lost:night', 'held')];
    expect(acceptOf(gates, SOURCES)).toEqual([{ purpose: 'to publish all the same', command: 'lost:house' }]);
  });

  it('is quoted for a shell', () => {
    expect(writeBuildCommand({ config: "Ann's c.json", accept: ['currency', 'lost:house'] })).toBe(
      String.raw`deals build --config 'Ann'\''s c.json' --accept currency --accept lost:house`,
    );
  });

  it.each<[string, GateResult[], SourceReport[], boolean]>([
    ['no product', [gate('no-products', 'refused'), gate('lost:site', 'refused', 1)], SOURCES, false],
    ['no deal left of all', [gate('lost', 'refused', 1)], SOURCES, false],
    [
      'no deal left of any feed',
      [gate('lost:house', 'refused', 1)],
      SOURCES.map((each) => ({ ...each, kept: 0, duplicate: 0 })),
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
    expect(acceptOf(gates, sources).length > 0).toBe(isOffered);
  });
});

describe('the commands that take held feeds as they are', () => {
  const whole: HeldPart = { state: 'held', gates: ['lost'], because: 'x', deals: 9, freshAt: '2026-11-19T02:30:00Z', snapshot: 'S' }; // prettier-ignore
  const house = { ...source('house'), held: [whole] };
  const quarantined: Notice = { code: 'unknown-network', source: 'house', field: 'network', found: 'O3' };
  const acceptOf = (parts: object) =>
    listAttention({
      sources: [house, source('night')],
      gates: [gate('lost:house', 'held'), gate('moved:house', 'held')],
      notices: [],
      served: { kind: 'none', reason: 'x' },
      said: [],
      maxCarriedMs: 0,
      writeAccepting,
      ...parts,
    }).accept;

  it('accept all gates that it fails', () => {
    expect(acceptOf({})).toEqual([{ purpose: 'to take house as it is now', command: 'lost:house moved:house' }]);
  });

  it.each<[string, object]>([
    ['all of its deals would be lost', { gates: [gate('lost:house', 'held', 1)] }],
    ['the cause is in its records', { notices: Array.from({ length: 30 }, () => quarantined) }],
    ['it was not read', { sources: [{ ...house, state: 'carried-forward' }] }],
  ])('are none where %s', (_, parts) => {
    expect(acceptOf(parts)).toEqual([]);
  });
});

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
});
