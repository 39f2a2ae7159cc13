import type { Notice } from '../../data/report/notice.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import type { SourceState } from '../adapt/source-state.ts';
import type { DealCollector } from '../catalogue/collect-deals.ts';
import type { Ledger } from '../catalogue/ledger.ts';
import { openSnapshotLines, type SnapshotLines } from '../changes/snapshot-lines.ts';
import type { KnownSnapshot, ServedSnapshot } from '../gate/served-snapshot.ts';
import { decideCarrying, type Carrying } from './decide-carrying.ts';
import { readCarriedDeals } from './read-carried-deals.ts';

export interface CarryOptions {
  readonly store: string;
  readonly served: ServedSnapshot;
  readonly now: Date;
  readonly maxCarriedMs: number;
  readonly collector: DealCollector;
  readonly ledger: Ledger;
}

/** A feed that could not be read, after its deals of the snapshot being served have been carried forward or withdrawn. */
export interface CarriedFeed {
  readonly state: SourceState;
  readonly isWithdrawn: boolean;
}

/**
 * Puts the deals that the snapshot being served has of a feed in place of what could not be read. Each is entered in the
 * ledger as read and judged like any other, so the accounts of the feed are those of its carried deals.
 */
export function carryForward(state: SourceState, options: CarryOptions): CarriedFeed {
  const { served, now, maxCarriedMs, ledger } = options;
  const carrying = decideCarrying(served, state.name, now, maxCarriedMs);
  if (carrying.kind === 'nothing' || served.kind !== 'known') return { state, isWithdrawn: false };
  if (carrying.kind === 'withdraw') {
    ledger.note(describeWithdrawal(state.name, carrying));
    return { state, isWithdrawn: true };
  }
  let lines: SnapshotLines;
  try {
    lines = openSnapshotLines(options.store, served.manifest);
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    ledger.note({ code: 'not-carried', source: state.name, found: describeDamage(state.name, served, error) });
    return { state, isWithdrawn: false };
  }
  const count = enterDeals(state.name, lines, options);
  ledger.note(describeCarrying(state.name, count, carrying));
  const before = served.manifest.sources.find(({ name }) => name === state.name);
  return {
    state: {
      ...state,
      state: 'carried-forward',
      freshAt: carrying.freshAt.toISOString(),
      files: before?.files ?? [],
    },
    isWithdrawn: false,
  };
}

function enterDeals(feed: string, lines: SnapshotLines, { collector, ledger }: CarryOptions): number {
  const source = collector.beginSource(feed, true);
  let count = 0;
  for (const batch of readCarriedDeals(lines, feed)) {
    ledger.read(feed, batch.length);
    count += batch.length;
    for (const { item, way } of batch) source.add(item, way);
  }
  source.commit();
  return count;
}

// `found` of a notice about a whole source is a sentence. It holds times and no ages, so that it stays the same from
// night to night.

function describeCarrying(feed: string, count: number, { freshAt, until }: Aged): Notice {
  const found = `${feed}: ${count} deals of ${freshAt.toISOString()} are carried forward, until ${until.toISOString()} at the latest; fetch the feed again`;
  return { code: 'carried-forward', source: feed, found };
}

function describeWithdrawal(feed: string, { freshAt, until }: Aged): Notice {
  const found = `${feed}: the deals of ${freshAt.toISOString()} could be carried forward until ${until.toISOString()}, and are withdrawn; fetch the feed again`;
  return { code: 'withdrawn', source: feed, found };
}

function describeDamage(feed: string, { id }: KnownSnapshot, { issue }: SnapshotError): string {
  return `${feed}: the deals of snapshot ${id} cannot be carried forward: ${issue.code}; run deals verify`;
}

type Aged = Exclude<Carrying, { kind: 'nothing' }>;
