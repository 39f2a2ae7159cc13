import type { DealColumns } from './catalogue-index.ts';
import type { PlanColumns } from './plan-columns.ts';
import type { Steps } from './steps.ts';

/** Beyond so many networks the marks of all would take more memory than the deals. */
const MAX_NETWORKS = 64;

/** Words of all networks that are written in one step: about a millisecond. */
const ROWS_PER_STEP = 1 << 17;

/**
 * By network a bit for each deal, 1 for its own: bit `row % 32` of word `row >>> 5`. One network has a tenth of the
 * deals, all over, so a search for them that looks at each deal looks at ten for one. An eighth of a byte a deal and
 * network.
 */
export type NetworkMarks = readonly Uint32Array[];

/** Marks the deals of a snapshot by network; undefined when there are too many networks. One pass, 4 ms for a million. */
export function* markNetworks(
  { plan, rowCount }: DealColumns,
  plans: PlanColumns,
  networkCount: number,
): Steps<NetworkMarks | undefined> {
  if (networkCount > MAX_NETWORKS) return undefined;
  const marks = Array.from({ length: networkCount }, () => new Uint32Array(Math.ceil(rowCount / 32)));
  const planOf = plan.cells;
  for (let from = 0; from < rowCount; from += ROWS_PER_STEP) {
    const end = Math.min(rowCount, from + ROWS_PER_STEP);
    for (let row = from; row < end; row++) {
      const own = marks[plans.network[planOf[row] as number] as number] as Uint32Array;
      own[row >>> 5] = (own[row >>> 5] as number) | (1 << row);
    }
    yield;
  }
  return marks;
}
