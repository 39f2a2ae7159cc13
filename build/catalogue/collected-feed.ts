import type { DealEntries } from './deal-dictionaries.ts';
import type { DealTable } from './deal-table.ts';
import type { UnmatchedName } from './unmatched-names.ts';

/** What the collector makes of the deals of one feed, before they meet those of others. */
export interface CollectedFeed {
  readonly deals: DealTable;
  /** What the numbers in `deals` stand for. */
  readonly entries: DealEntries;
  /** Rows of `deals` that claim a key which the feed has before: `dropped` n is dropped for `kept` n. */
  readonly repeated: { readonly dropped: Uint32Array; readonly kept: Uint32Array };
  readonly unmatchedNames: readonly UnmatchedName[];
  /** Positions, among the rules of `exclude` in force, of those that left out a deal. */
  readonly usedRules: readonly number[];
}
