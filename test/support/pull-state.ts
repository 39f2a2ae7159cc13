import { writeFileSync } from 'node:fs';
import { pullStatePath, type PullState } from '../../data/store/pull-state.ts';

/** Writes `pull.json` into a store. */
export function writePullState(store: string, changes: Partial<PullState> = {}): void {
  const state: PullState = { url: 's3://catalogue/uk', revision: 0, failures: 0, ...changes };
  writeFileSync(pullStatePath(store), JSON.stringify(state));
}
