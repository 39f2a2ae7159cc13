import type { Notice } from '../../data/report/notice.ts';
import type { GateResult } from '../../data/report/report.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import type { SourceState } from '../adapt/source-state.ts';
import type { DealCollector } from '../catalogue/collect-deals.ts';
import type { Ledger } from '../catalogue/ledger.ts';
import { openSnapshotLines, type SnapshotLines } from '../changes/snapshot-lines.ts';
import { canTakeFeed, describeHolding } from '../gate/hold-feeds.ts';
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
  /** The gates that refuse the feed; none of one that could not be read. */
  readonly refusedBy: readonly GateResult[];
}

/** A feed that is held, after its deals of the snapshot being served have been carried forward or withdrawn. */
export interface HeldFeed {
  readonly state: SourceState;
  /** It has no deals, and that is in order. */
  readonly isWithdrawn: boolean;
  /** Why the deals that should stand in for those of the feed cannot be read. */
  readonly unreadableDeals?: string;
}

/**
 * Puts the deals that the snapshot being served has of a feed in place of its own (INPUTS "A source is held, not the
 * build"). Each is entered in the ledger as read and judged like any other, so the accounts of the feed are those of its
 * carried deals.
 */
export function carryForward(unheld: SourceState, options: CarryOptions): HeldFeed {
  const { served, now, maxCarriedMs, ledger, refusedBy } = options;
  const cause = describeCause(unheld, refusedBy);
  const state = { ...unheld, heldBecause: cause.because };
  const carrying = decideCarrying(served, state.name, now, maxCarriedMs);
  if (carrying.kind === 'nothing' || served.kind !== 'known') {
    if (refusedBy.length === 0) return { state: unheld, isWithdrawn: true };
    ledger.note(describeNothing(state.name, cause));
    return { state, isWithdrawn: true };
  }
  if (carrying.kind === 'withdraw') {
    ledger.note(describeWithdrawal(state.name, carrying, cause));
    return { state, isWithdrawn: true };
  }
  let lines: SnapshotLines;
  try {
    lines = openSnapshotLines(options.store, served.manifest);
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    const unreadableDeals = describeDamage(state.name, served, error);
    ledger.note({ code: 'not-carried', source: state.name, found: unreadableDeals });
    return { state, isWithdrawn: true, unreadableDeals };
  }
  const count = enterDeals(state.name, lines, options);
  ledger.note(describeCarrying(state.name, count, carrying, cause));
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
  const source = collector.openFeed(feed, true);
  let count = 0;
  for (const batch of readCarriedDeals(lines, feed)) {
    ledger.read(feed, batch.length);
    count += batch.length;
    for (const { item, way } of batch) source.add(item, way);
  }
  source.commit();
  return count;
}

interface Cause {
  readonly because: string;
  readonly remedy: string;
}

/** What a feed could not be read for is a notice of its own. */
function describeCause({ name, state }: SourceState, refusedBy: readonly GateResult[]): Cause {
  if (refusedBy.length === 0) {
    return { because: state === 'absent' ? 'has no file' : 'could not be read', remedy: 'fetch the feed again' };
  }
  const accept = refusedBy.map(({ gate }) => `--accept ${gate}`).join(' ');
  const take = canTakeFeed(refusedBy) ? `, or take it as it is with ${accept}` : '';
  return {
    because: describeHolding(refusedBy),
    remedy: `deals check ${name} says what is in the feed; ask for it again${take}`,
  };
}

// `found` of a notice about a whole source is a sentence. It holds times and no ages, so that it stays the same from
// night to night.

function describeCarrying(feed: string, count: number, { freshAt, until }: Aged, { because, remedy }: Cause): Notice {
  const found = `${feed}: ${because}; its ${count} deals of ${freshAt.toISOString()} are carried forward, until ${until.toISOString()} at the latest; ${remedy}`;
  return { code: 'carried-forward', source: feed, found };
}

function describeWithdrawal(feed: string, { freshAt, until }: Aged, { because, remedy }: Cause): Notice {
  const found = `${feed}: ${because}; its deals of ${freshAt.toISOString()} could be carried forward until ${until.toISOString()}, and are withdrawn; ${remedy}`;
  return { code: 'withdrawn', source: feed, found };
}

function describeNothing(feed: string, { because, remedy }: Cause): Notice {
  const found = `${feed}: ${because}; the snapshot being served has no deals of it that could be carried forward; ${remedy}`;
  return { code: 'not-carried', source: feed, found };
}

function describeDamage(feed: string, { id }: KnownSnapshot, { issue }: SnapshotError): string {
  return `${feed}: the deals of snapshot ${id} cannot be carried forward: ${issue.code}; run deals verify`;
}

type Aged = Exclude<Carrying, { kind: 'nothing' }>;
