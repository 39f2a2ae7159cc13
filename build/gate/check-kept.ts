import { majorityOf, raiseForChance, raiseForNights } from './chance.ts';
import { compareCms, compareFeeds } from './compare-sources.ts';
import {
  formatPercent,
  measureShare,
  worstOf,
  type GateFinding,
  type GateInput,
  type Measure,
  type Measuring,
} from './gate-input.ts';
import { measureSourceAndParts, type ComparedPart } from './measure-parts.ts';

/** Fewer deals than these that moved are the correction of an editor or a feed. */
const MIN_MOVED_DEALS = 5;

/** Numbers of minutes and texts change places only where their columns do. */
const MAX_SWAPPED = 0.5;

/**
 * Records under new ids are lost and gained at once, which no count shows. Of those that are merely lost, lost-deals and
 * lost-products speak: as many as are fewer now are not looked for.
 */
export function checkRenumbered(input: GateInput): readonly GateFinding[] {
  const { comparison, settings, served } = input;
  const measure = (before: number, now: number, kept: number): Measuring => {
    const expectedCount = Math.min(before, now);
    if (expectedCount === 0) return { silent: 'nothing to compare' };
    const share = Math.min(1, kept / expectedCount);
    const detail = `${kept} of ${expectedCount} keys kept (${formatPercent(share)}), at least ${formatPercent(settings.minKeptKeys)}`;
    return { measured: 1 - share, limit: 1 - settings.minKeptKeys, detail };
  };
  // Without a snapshot to compare with both would say the same, of the whole catalogue.
  if (served.kind !== 'known') return [{ state: 'silent', detail: served.reason }];
  return [
    ...compareCms(input, (before, now) => measure(before.products, now.products, comparison.cms.get(before.name) ?? 0)),
    ...compareFeeds(input, (feed) => {
      const isServed = served.report.summary.feeds.some(({ name }) => name === feed.name);
      if (!isServed) return { silent: 'its deals were withdrawn' };
      return measureSourceAndParts(input, feed, ({ kind, before, now, kept }) =>
        kind === 'source' || (kind === 'retailer' && (now?.deals ?? 0) >= settings.minRows)
          ? measure(before.deals, now?.deals ?? 0, kept.count)
          : { silent: 'too few deals, or a network, which has no keys of its own' },
      );
    }),
  ];
}

/** Deals that keep their key and offer something else: columns that changed places, keys that are row numbers. */
export function checkChangedOffers(input: GateInput): readonly GateFinding[] {
  const { maxChangedOffers, maxChangedTariffs, maxMovedDeals } = input.settings;
  return checkKept(input, ({ kind, kept, nights }) => {
    const { count, otherOffer, moved, distinctAllowances, swappedAllowances } = kept;
    const offers = measureShare(
      otherOffer,
      count,
      kind === 'network'
        ? Math.max(maxChangedTariffs, majorityOf(count, true))
        : raiseForChance(raiseForNights(maxChangedOffers, nights), count),
      'deals are other offers',
    );
    const limit = raiseForChance(raiseForNights(maxMovedDeals, nights), count);
    const movedDeals = measureShare(
      moved,
      count,
      Math.max(limit, (MIN_MOVED_DEALS - 1) / count),
      'deals moved to another phone, network, length or site',
    );
    const allowances = measureShare(
      distinctAllowances < input.settings.minRows / 2 ? 0 : swappedAllowances,
      distinctAllowances,
      MAX_SWAPPED,
      'deals have minutes and texts the other way round',
    );
    return worstOf([offers, movedDeals, allowances]);
  });
}

/** How far the prices of most of the same deals have moved at least, and how many have lost their pence. */
export function checkMovedPrices(input: GateInput): readonly GateFinding[] {
  const { maxPriceMove, maxLostPence, minRows } = input.settings;
  return checkKept(input, ({ kind, kept }) => {
    const most = majorityOf(kept.count, kind !== 'source');
    return worstOf([
      measureMoves('total', kept.totalMoves, most, maxPriceMove),
      measureMoves('monthly', kept.monthlyMoves, most, maxPriceMove),
      measureShare(
        kept.withPence < minRows / 2 ? 0 : kept.lostPence,
        kept.withPence,
        maxLostPence,
        'monthly costs lost their pence',
      ),
    ]);
  });
}

/** Of a source half of `minRows` deals must still be there; of a part, which has fewer, three quarters. */
function checkKept(input: GateInput, measure: (part: ComparedPart) => Measuring): readonly GateFinding[] {
  const { minRows } = input.settings;
  return compareFeeds(input, (feed) =>
    measureSourceAndParts(input, feed, (part) => {
      const { count } = part.kept;
      const minCount = Math.ceil(minRows * (part.kind === 'source' ? 0.5 : 0.75));
      if (count === 0 || count < minCount)
        return { silent: `${count} deals under a key of before; ${minCount} needed` };
      return measure(part);
    }),
  );
}

function measureMoves(price: string, moves: Uint32Array, most: number, limit: number): Measure {
  const measured = (moves[Math.floor((1 - most) * moves.length)] ?? 0) / 10_000;
  const detail = `the ${price} cost of ${formatPercent(most)} of the same deals moved by ${formatPercent(measured)} or more, at most ${formatPercent(limit)}`;
  return { measured, limit, detail };
}
