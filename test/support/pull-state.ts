import { writeFileSync } from 'node:fs';
import { pullStatePath, type AcceptedRevision, type PullState } from '../../data/store/pull-state.ts';

/** A revision as `deals pull` writes it down; `contentHash` is that of no snapshot. */
export function revisionOf(changes: Partial<AcceptedRevision> = {}): AcceptedRevision {
  return {
    revision: 42,
    snapshot: '20261120T0230Z-1c77e0d2',
    manifest: 'a'.repeat(64),
    contentHash: 'c'.repeat(64),
    activateAt: '2026-11-20T08:00:30.000Z',
    leadSeconds: 60,
    ...changes,
  };
}

/** Writes `pull.json` into a store. */
export function writePullState(store: string, changes: Partial<PullState> = {}): void {
  const state: PullState = {
    url: 's3://catalogue/uk',
    highest: {},
    failures: {},
    refusals: 0,
    fetchedBytes: 0,
    ...changes,
  };
  writeFileSync(pullStatePath(store), JSON.stringify(state));
}
