import {
  findOverdueSeconds,
  PULL_REMEDIES,
  type AcceptedRevision,
  type PullState,
} from '../../data/store/pull-state.ts';

/** What an operator must look at, and what to do. */
interface PullWarning {
  readonly found: string;
  readonly remedy: string;
}

/** How long the object store may be silent: `deals pull --watch` looks every 10 seconds. */
const SILENT_SECONDS = 900;
/** How late a switch may be: a large snapshot takes a while to come. */
const OVERDUE_SECONDS = 300;

export type PullStatus = ReturnType<typeof describePull>;

/** What `deals pull` has accepted and brought, how it fares, and what an operator must look at. */
export function describePull(state: PullState, now: Date) {
  const { url, announced, current, lastContactAt, lastFailure, failures, refusals, fetchedBytes } = state;
  return {
    url,
    lastContactAt,
    /** The newest accepted revision. */
    announced: announced && describeRevision(announced),
    /** The revision that the store switched to last. */
    current: current && describeRevision(current),
    /** How long the announced revision should have been current; 0 when it is, or it is not time. */
    overdueSeconds: findOverdueSeconds(state, now),
    /** Absent when the last look was without a fault. */
    lastFailure: lastFailure && { ...lastFailure, remedy: PULL_REMEDIES[lastFailure.step] },
    failures,
    refusals,
    fetchedBytes,
    warnings: listWarnings(state, now),
  };
}

function describeRevision({ revision, snapshot, activateAt, leadSeconds }: AcceptedRevision) {
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
