import { formatPence } from '../../data/record/amount.ts';
import type { KeptDeals } from '../join/compare-deals.ts';
import { compareCms, compareFeeds, measureSourceAndParts, perPart, type ComparedPart } from './compare-sources.ts';
import {
  comparing,
  findWorst,
  formatPercent,
  measureShare,
  significantMajority,
  widenForDays,
  widenTolerance,
  type Check,
  type ComparedInput,
  type Measure,
  type Measurement,
} from './measurement.ts';

/** Fewer moved deals than this are a correction by an editor or a feed. */
const MIN_MOVED_DEALS = 5;

/** A larger share of deals swaps minutes and texts, or has a shifted decimal point, only by a fault of a column. */
const MAX_SWAPPED = 0.5;

/** Fewer deals with minutes and texts the other way round may have been corrected. */
const MIN_SWAPPED_DEALS = 5;

/** Ending and starting offers never have so many values in common. */
const MAX_PASSED_ON = 0.85;

/** Plans that are renamed keep apart. */
const MIN_NAMES = 4;
const MAX_LOST_NAMES = 0.5;

/**
 * Records under new ids are lost and gained at once, which no count shows. Real losses belong to lost-deals and lost-
 * products: the difference of the counts is ignored here.
 */
export const checkRenumbered = comparing((input) => {
  const { comparison, settings, served } = input;
  const { minKeptKeys } = settings;
  const servedFeeds = new Set(served.report.summary.feeds.map(({ name }) => name));
  return [
    ...compareCms(input, ({ name, before, now }) =>
      measureKept(before.products, now.products, comparison.cms.get(name) ?? 0, minKeptKeys),
    ),
    ...compareFeeds(input, (feed) => {
      if (!servedFeeds.has(feed.name)) return { silent: 'its deals were withdrawn' };
      return measureSourceAndParts(input, feed, ({ kind, before, now, kept }) =>
        kind === 'source' || (kind === 'retailer' && (now?.deals ?? 0) >= settings.minRows)
          ? measureKept(before.deals, now?.deals ?? 0, kept.count, minKeptKeys)
          : { silent: 'too few deals, or a network, which has no keys of its own' },
      );
    }),
  ];
});

function measureKept(before: number, now: number, kept: number, minShare: number): Measurement {
  const expectedCount = Math.min(before, now);
  if (expectedCount === 0) return { silent: 'nothing to compare' };
  const share = Math.min(1, kept / expectedCount);
  const detail = `${kept} of ${expectedCount} keys kept (${formatPercent(share)}), at least ${formatPercent(minShare)}`;
  return { measured: 1 - share, limit: 1 - minShare, detail };
}

/** Finds deals that keep their key and offer something else: columns that changed places, keys that are row numbers. */
export const checkChangedOffers = perKeptPart(({ kind, kept, days }, { settings }) => {
  const { maxChangedOffers, maxChangedTariffs, maxMovedDeals, minRows } = settings;
  const { count, marks, extras } = kept;
  const swapped = marks.swappedAllowances;
  const few = Math.max(widenTolerance(widenForDays(maxMovedDeals, days), count), (MIN_MOVED_DEALS - 1) / count);
  const most =
    kind === 'network'
      ? Math.max(maxChangedTariffs, significantMajority(count, true))
      : widenTolerance(widenForDays(maxChangedOffers, days), count);
  return findWorst([
    measureShare(marks.otherOffer.marked, count, most, 'deals are other offers'),
    measureShare(
      marks.moved.marked,
      count,
      few,
      'deals moved to another phone, network, length, retailer, site or account',
    ),
    measureShare(marks.takenLink.marked, count, few, 'deals have the link that another deal had'),
    measureShare(
      swapped.marked < MIN_SWAPPED_DEALS ? 0 : swapped.marked,
      swapped.of,
      MAX_SWAPPED,
      'deals have minutes and texts the other way round',
    ),
    measureMarked(
      marks.shiftedData,
      MAX_SWAPPED,
      minRows,
      'deals have ten or a hundred times the data, or that part of it',
    ),
    measurePassedOn(extras.gift, minRows, 'gifts went from deals to other deals'),
    measurePassedOn(extras.cashback, minRows, 'cashbacks went from deals to other deals'),
    measurePassedOn(extras.plan, minRows, 'names of plans went from deals to other deals'),
    measureFewerNames(extras.plan, minRows),
  ]);
});

/**
 * Measures how far the prices of most of the same deals have moved at least, and how many contradict the parts they
 * were made of.
 */
export const checkMovedPrices = perKeptPart(({ kind, kept: { count, marks, moves } }, { settings }) => {
  const { maxPriceMove, maxLostPence, maxLostSums, minRows } = settings;
  const most = significantMajority(count, kind !== 'source');
  const sums = widenTolerance(maxLostSums, marks.lostSum.of);
  const cashbacks = widenTolerance(maxLostSums, marks.halfCashback.of);
  return findWorst([
    measureMoves('total', moves.total, most, maxPriceMove),
    measureMoves('upfront', moves.upfront, most, maxPriceMove),
    measureMoves('monthly', moves.monthly, most, maxPriceMove),
    measureMarked(marks.lostPence, maxLostPence, minRows, 'monthly costs lost their pence'),
    measureMarked(marks.lostUpfrontPence, maxLostPence, minRows, 'upfront costs lost their pence'),
    measureMarked(marks.lostSum, sums, minRows, 'totals are the sum of their parts no longer'),
    measureMarked(marks.halfCashback, cashbacks, minRows, 'gifts and cashbacks have become half a cashback'),
  ]);
});

/** The share of the deals with a flag among those that could have it; skipped with fewer than half of `minRows`. */
function measureMarked(
  { of, marked }: KeptDeals['marks']['moved'],
  limit: number,
  minRows: number,
  what: string,
): Measure {
  return measureShare(of < minRows / 2 ? 0 : marked, of, limit, what);
}

/**
 * Finds gifts or cashbacks that moved to other deals, as when a column slips by a row: most deals that had one have
 * lost it, and nearly as many of the same kind came elsewhere. An offer that ends or starts does not look like that.
 */
function measurePassedOn(
  { held, changed, passedOn }: KeptDeals['extras']['gift'],
  minRows: number,
  what: string,
): Measure {
  const isMost = changed >= minRows / 2 && changed > held / 2;
  return measureShare(isMost ? passedOn : 0, changed, MAX_PASSED_ON, what);
}

/** Finds plans of many names that are called by one or a few: the name of the network or of the shop in their column. */
function measureFewerNames(
  { held, changed, namesGone, namesNew }: KeptDeals['extras']['plan'],
  minRows: number,
): Measure {
  const isMost = changed >= minRows / 2 && changed > held / 2 && namesGone >= MIN_NAMES;
  const lost = Math.max(0, namesGone - namesNew);
  return measureShare(isMost ? lost : 0, namesGone, MAX_LOST_NAMES, 'names of plans are gone for fewer');
}

/** In a source, half of `minRows` deals must still be there; in a part, which is smaller, three quarters. */
function perKeptPart(measure: (part: ComparedPart, input: ComparedInput) => Measurement): Check {
  return perPart((part, input) => {
    const { count } = part.kept;
    const minCount = Math.ceil(input.settings.minRows * (part.kind === 'source' ? 0.5 : 0.75));
    return count === 0 || count < minCount
      ? { silent: `${count} deals under a key of before; ${minCount} needed` }
      : measure(part, input);
  });
}

function measureMoves(price: string, moves: Uint32Array, most: number, limit: number): Measure {
  const measured = (moves[Math.floor((1 - most) * moves.length)] ?? 0) / 10_000;
  const detail = `the ${price} cost of ${formatPercent(most)} of the same deals moved by ${formatPercent(measured)} or more, at most ${formatPercent(limit)}`;
  return { measured, limit, detail };
}

/** The median price of each source, retailer and network, which does not depend on the keys of deals. */
export const checkMedianPrices = perPart(({ before, now }, { settings: { minRows, maxMedianMove } }) =>
  now === undefined || now.deals < minRows
    ? { silent: `${now?.deals ?? 0} deals now; ${minRows} needed` }
    : describeMedian(before.medianTotalPence, now.medianTotalPence, maxMedianMove),
);

function describeMedian(beforePence: number, nowPence: number, limit: number): Measure {
  const measured = measureMedianMove(beforePence, nowPence);
  const detail = `the total cost in the middle went from ${formatPence(beforePence)} to ${formatPence(nowPence)} (${formatPercent(measured)}), at most ${formatPercent(limit)}`;
  return { measured, limit, detail };
}

/** `0.25` for a price that rises from 8 to 10, or falls from 10 to 8: the same both ways. */
function measureMedianMove(before: number, now: number): number {
  const [low, high] = before < now ? [before, now] : [now, before];
  if (low === high) return 0;
  // A price that rises from 0 has no share. It is far beyond every limit.
  return low === 0 ? high : high / low - 1;
}

/**
 * Deals whose prices jumped are held out one by one and refuse no build. When the operator accepts them, the manifest
 * records that.
 */
export const checkPriceJumps = comparing(({ sources, comparison }) =>
  sources
    .filter(({ kind, state }) => kind === 'feed' && state === 'fresh')
    .map(({ name: source }) => {
      const { heldOut, accepted } = comparison.jumps.get(source) ?? { heldOut: 0, accepted: 0 };
      return accepted > 0
        ? { source, state: 'refused', detail: `${accepted} deals whose price jumped are taken at once` }
        : { source, state: 'passed', detail: `${heldOut} deals whose price jumped are held out for one build` };
    }),
);
