import { writeFileSync } from 'node:fs';
import { type PullState } from '../../data/store/pull-state.ts';
import { storePath } from '../../data/store/layout.ts';

/** Writes `pull.json` into a store. */
export function writePullState(store: string, changes: Partial<PullState> = {}): void {
  const state: PullState = { url: 's3://catalogue/uk', revision: 0, failures: 0, ...changes };
  writeFileSync(storePath(store, 'pull.json'), JSON.stringify(state));
}
