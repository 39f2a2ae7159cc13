import {
  findOverdueSeconds,
  PULL_REMEDIES,
  type AcceptedRevision,
  type PullState,
} from '../../data/store/pull-state.ts';

/** What `deals pull` has accepted and brought, and how it fares. */
export interface PullStatus extends Pick<PullState, 'url' | 'failures' | 'refusals' | 'fetchedBytes'> {
  /** When the object store last answered. */
  readonly lastContactAt?: string | undefined;
  /** The newest accepted revision. */
  readonly announced?: RevisionStatus | undefined;
  /** The revision that the store switched to last. */
  readonly current?: RevisionStatus | undefined;
  /** How long the announced revision should have been current; 0 when it is, or it is not time. */
  readonly overdueSeconds: number;
  /** Absent when the last look was without a fault. */
  readonly lastFailure?: (NonNullable<PullState['lastFailure']> & { readonly remedy: string }) | undefined;
  /** What an operator must look at, and what to do. */
  readonly warnings: readonly PullWarning[];
}

type RevisionStatus = Pick<AcceptedRevision, 'revision' | 'snapshot' | 'activateAt' | 'leadSeconds'>;

interface PullWarning {
  readonly found: string;
  readonly remedy: string;
}

/** How long the object store may be silent: `deals pull --watch` looks every 10 seconds. */
const SILENT_SECONDS = 900;
/** How late a switch may be: a large snapshot takes a while to come. */
const OVERDUE_SECONDS = 300;

/** What came from the object store, and what an operator must look at. */
export function describePull(state: PullState, now: Date): PullStatus {
  const { url, announced, current, lastContactAt, lastFailure, failures, refusals, fetchedBytes } = state;
  return {
    url,
    lastContactAt,
    announced: announced && describeRevision(announced),
    current: current && describeRevision(current),
    overdueSeconds: findOverdueSeconds(state, now),
    lastFailure: lastFailure && { ...lastFailure, remedy: PULL_REMEDIES[lastFailure.step] },
    failures,
    refusals,
    fetchedBytes,
    warnings: listWarnings(state, now),
  };
}

function describeRevision({ revision, snapshot, activateAt, leadSeconds }: AcceptedRevision): RevisionStatus {
  return { revision, snapshot, activateAt, leadSeconds };
}

function listWarnings(state: PullState, now: Date): readonly PullWarning[] {
  const { announced, lastContactAt, lastFailure } = state;
  const warnings: PullWarning[] = [];
  if (lastFailure !== undefined) {
    const { at, step, message } = lastFailure;
    warnings.push({ found: `deals pull failed at ${at} (${step}): ${message}`, remedy: PULL_REMEDIES[step] });
  }
  if (lastContactAt === undefined || now.getTime() - Date.parse(lastContactAt) > SILENT_SECONDS * 1_000) {
    const since = lastContactAt === undefined ? '' : ` since ${lastContactAt}`;
    const found = `deals pull has had no answer from the object store${since}`;
    warnings.push({ found, remedy: 'see whether deals pull --watch runs, and what it logs' });
  }
  if (announced !== undefined && findOverdueSeconds(state, now) > OVERDUE_SECONDS) {
    const { revision, snapshot, activateAt } = announced;
    const found = `deals pull has accepted revision ${revision} (${snapshot}), due at ${activateAt}, and has not switched to it`;
    warnings.push({ found, remedy: 'see what deals pull logs; other servers may show it already' });
  }
  return warnings;
}
