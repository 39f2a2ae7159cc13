import { formatPence } from '../../data/record/money.ts';
import { compareFeeds } from './compare-sources.ts';
import { formatPercent, type GateFinding, type GateInput, type Measure } from './gate-input.ts';
import { measureSourceAndParts } from './measure-parts.ts';

/** The price in the middle of each source, retailer and network: whatever the deals are called. */
export function checkMedianPrices(input: GateInput): readonly GateFinding[] {
  const { minRows, maxMedianMove } = input.settings;
  return compareFeeds(input, (feed) =>
    measureSourceAndParts(input, feed, ({ before, now }) =>
      now === undefined || now.deals < minRows
        ? { silent: `${now?.deals ?? 0} deals now; ${minRows} needed` }
        : describeMedian(before.medianTotalPence, now.medianTotalPence, maxMedianMove),
    ),
  );
}

function describeMedian(beforePence: number, nowPence: number, limit: number): Measure {
  const measured = measureMove(beforePence, nowPence);
  const detail = `the total cost in the middle went from ${formatPence(beforePence)} to ${formatPence(nowPence)} (${formatPercent(measured)}), at most ${formatPercent(limit)}`;
  return { measured, limit, detail };
}

/** `0.25` for a price that rises from 8 to 10, or falls from 10 to 8: the same both ways. */
function measureMove(before: number, now: number): number {
  const [low, high] = before < now ? [before, now] : [now, before];
  if (low === high) return 0;
  // From nothing to something is no share of anything, and far beyond every limit.
  return low === 0 ? high : high / low - 1;
}
