import type { DealSample } from '../../data/report/summary.ts';
import { majorityOf, raiseForChance, raiseForNights } from './chance.ts';
import { compareCms, compareFeeds } from './compare-sources.ts';
import { compareSamples, type SampleComparison } from './compare-samples.ts';
import {
  formatPercent,
  measureShare,
  type GateFinding,
  type GateInput,
  type Measure,
  type Measuring,
} from './gate-input.ts';

/**
 * Records under new ids are lost and gained at once, which no count shows. Of those that are merely lost, lost-deals and
 * lost-products speak: as many as are fewer now are not looked for.
 */
export function checkRenumbered(input: GateInput): readonly GateFinding[] {
  const { minKeptKeys } = input.settings;
  const measure = (
    before: readonly number[],
    now: readonly number[],
    countBefore: number,
    count: number,
  ): Measuring => {
    const { comparableCount, pairs } = compareSamples(before, now);
    const expectedCount = Math.min(comparableCount, Math.ceil((comparableCount * count) / countBefore));
    if (expectedCount === 0) return { silent: 'nothing to compare' };
    const share = Math.min(1, pairs.length / expectedCount);
    const detail = `${pairs.length} of ${expectedCount} keys kept (${formatPercent(share)}), at least ${formatPercent(minKeptKeys)}`;
    return { measured: 1 - share, limit: 1 - minKeptKeys, detail };
  };
  // Without a snapshot to compare with both would say the same, of the whole catalogue.
  if (input.served.kind !== 'known') return [{ state: 'silent', detail: input.served.reason }];
  return [
    ...compareCms(input, (before, now) => measure(before.sample, now.sample, before.products, now.products)),
    ...compareFeeds(input, (before, now) => measure(before.sample.key, now.sample.key, before.deals, now.deals)),
  ];
}

/** Deals that keep their key and offer something else: columns that changed places, keys that are row numbers. */
export function checkChangedOffers(input: GateInput): readonly GateFinding[] {
  const { maxChangedOffers } = input.settings;
  return checkPairs(input, (before, now, { pairs }, nights) => {
    const changed = pairs.filter((pair) => before.offer[pair.before] !== now.offer[pair.now]).length;
    const limit = raiseForChance(raiseForNights(maxChangedOffers, nights), pairs.length);
    return measureShare(changed, pairs.length, limit);
  });
}

/** How far the prices of most of the same deals have moved at least. */
export function checkMovedPrices(input: GateInput): readonly GateFinding[] {
  return checkPairs(input, (before, now, { pairs }) => {
    const measure = (price: 'totalPence' | 'monthlyPence'): Measure =>
      measureMoves(
        price === 'totalPence' ? 'total' : 'monthly',
        pairs.map((pair) => measureMove(before[price][pair.before] ?? 0, now[price][pair.now] ?? 0)),
        input.settings.maxPriceMove,
      );
    const total = measure('totalPence');
    const monthly = measure('monthlyPence');
    return monthly.measured > total.measured ? monthly : total;
  });
}

function checkPairs(
  input: GateInput,
  measure: (before: DealSample, now: DealSample, comparison: SampleComparison, nights: number) => Measuring,
): readonly GateFinding[] {
  const minPairs = Math.ceil(input.settings.minRows / 2);
  return compareFeeds(input, (before, now, nights) => {
    const comparison = compareSamples(before.sample.key, now.sample.key);
    const pairCount = comparison.pairs.length;
    if (pairCount === 0 || pairCount < minPairs) {
      return { silent: `${pairCount} deals under a key of before; ${minPairs} needed` };
    }
    return measure(before.sample, now.sample, comparison, nights);
  });
}

function measureMoves(price: string, moves: readonly number[], limit: number): Measure {
  const most = majorityOf(moves.length);
  const measured = moves.toSorted((a, b) => a - b)[Math.floor((1 - most) * moves.length)] ?? 0;
  const detail = `the ${price} cost of ${formatPercent(most)} of the same deals moved by ${formatPercent(measured)} or more, at most ${formatPercent(limit)}`;
  return { measured, limit, detail };
}

/** `0.25` for a price that rises from 8 to 10, or falls from 10 to 8: the same both ways. */
export function measureMove(before: number, now: number): number {
  const [low, high] = before < now ? [before, now] : [now, before];
  if (low === high) return 0;
  // From nothing to something is no share of anything, and far beyond every limit.
  return low === 0 ? high : high / low - 1;
}
