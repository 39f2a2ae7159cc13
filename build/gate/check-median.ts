import type { DealFigures } from '../../data/report/summary.ts';
import { formatPence } from '../../data/record/money.ts';
import { measureMove } from './check-sample.ts';
import { compareFeeds } from './compare-sources.ts';
import { formatPercent, type GateFinding, type GateInput, type Measure, type Measuring } from './gate-input.ts';
import { measureWorstPart, type PartKind } from './measure-parts.ts';

/** The price in the middle of each source, retailer and network: whatever the deals are called. */
export function checkMedianPrices(input: GateInput): readonly GateFinding[] {
  const { minRows, maxMedianMove } = input.settings;
  const measure = (before: DealFigures, now: DealFigures | undefined): Measuring =>
    now === undefined || now.deals < minRows
      ? { silent: `${now?.deals ?? 0} deals now; ${minRows} needed` }
      : describeMedian(before.medianTotalPence, now.medianTotalPence, maxMedianMove);
  return compareFeeds(input, (before, now) => {
    const kinds: readonly PartKind[] = ['retailer', 'network'];
    const measurings = [
      measure(before, now),
      ...kinds.map((kind) => measureWorstPart(kind, before, now, minRows, measure)),
    ];
    return measurings.reduce((worst, other) =>
      'measured' in worst && (!('measured' in other) || other.measured <= worst.measured) ? worst : other,
    );
  });
}

function describeMedian(beforePence: number, nowPence: number, limit: number): Measure {
  const measured = measureMove(beforePence, nowPence);
  const detail = `the total cost in the middle went from ${formatPence(beforePence)} to ${formatPence(nowPence)} (${formatPercent(measured)}), at most ${formatPercent(limit)}`;
  return { measured, limit, detail };
}
