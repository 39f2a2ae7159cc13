import type { CmsParts } from '../../data/report/summary.ts';
import {
  compareCms,
  compareFeeds,
  listCompared,
  measureWorstPart,
  perCms,
  perFeed,
  type ComparedSource,
} from './compare-sources.ts';
import {
  comparing,
  findWorst,
  formatPercent,
  measureShare,
  toGateCheck,
  widenForChurn,
  type Check,
  type ComparedInput,
  type GateCheck,
  type GateInput,
  type Measure,
} from './measurement.ts';

export const checkLostDeals = comparing((input) => {
  const { maxLostDeals } = input.settings;
  const compared = listCompared(input, 'feeds');
  const checks = compareFeeds(input, ({ before, now, days }) =>
    measureLost(before.deals, now.deals, maxLostDeals, days),
  ).map((check) => {
    if (check.state !== 'silent' || !isEmptied(input, check.source)) return check;
    const source = compared.find(({ name }) => name === check.source);
    return source?.before === undefined
      ? check
      : toGateCheck(measureLost(source.before.deals, 0, maxLostDeals, source.days), check.source);
  });
  return [...checks, checkTotal(input, checks, compared, ({ deals }) => deals, 'deals', maxLostDeals)];
});

export const checkLostProducts = comparing((input) => {
  const { maxLostProducts } = input.settings;
  const checks = compareCms(input, ({ before, now, days }) =>
    measureLost(before.products, now.products, maxLostProducts, days),
  );
  const compared = listCompared(input, 'cms');
  return [...checks, checkTotal(input, checks, compared, ({ products }) => products, 'products', maxLostProducts)];
});

/**
 * Compares the content of the products of a CMS source, and its other lists: half of an export can be gone while every
 * product is there.
 */
export const checkLostContent = perCms(({ before, now, days }, { settings: { maxLostProducts, minRows } }) => {
  // A lost product takes its content with it; the gate for products counts that loss.
  const keptShare = Math.min(1, now.products / Math.max(1, before.products));
  const losses = CMS_PARTS.flatMap(([part, what, isOfProducts]) => {
    const expected = Math.round((before.parts?.[part] ?? 0) * (isOfProducts ? keptShare : 1));
    const found = now.parts?.[part] ?? 0;
    if (expected < (found === 0 ? MIN_EMPTIED : minRows)) return [];
    const measure = measureLost(expected, found, maxLostProducts, days);
    return [{ ...measure, detail: `${what}: ${measure.detail}` }];
  });
  return losses.length === 0 ? { silent: 'too few before to compare' } : findWorst(losses);
});

/** A shorter list may be emptied by hand. */
const MIN_EMPTIED = 5;

const CMS_PARTS: readonly (readonly [part: keyof CmsParts, what: string, isOfProducts: boolean])[] = [
  ['networks', 'networks', false],
  ['retailers', 'retailers', false],
  ['gifts', 'gifts', false],
  ['giftCategories', 'gift categories', false],
  ['texts', 'products with texts', true],
  ['specs', 'products with specs', true],
  ['pictures', 'products with pictures', true],
];

/** Each retailer, or each network, of each source. */
export function checkLostParts(kind: 'retailer' | 'network'): Check {
  return perFeed((feed, { settings: { minRows, maxLostDeals, maxLostPart } }) => {
    // One loss is one refusal: the loss of a source is also that of its parts.
    const whole = toGateCheck(measureLost(feed.before.deals, feed.now.deals, maxLostDeals, feed.days));
    if (whole.state === 'refused') return { silent: 'lost-deals speaks of all of the source' };
    return measureWorstPart(kind, feed, undefined, minRows, ({ before, now, days }) =>
      measureLost(before.deals, now?.deals ?? 0, maxLostPart, days),
    );
  });
}

export const checkGainedDeals = perFeed(({ before, now, days }, { settings }) =>
  measureGained(before.deals, now.deals, settings.maxGainedDeals, days),
);

export const checkGainedProducts = perCms(({ before, now, days }, { settings }) =>
  measureGained(before.products, now.products, settings.maxGainedProducts, days),
);

/** Whether a feed was read and has no deal that can be served: an empty file, or a wrong one. */
function isEmptied({ sources, comparison }: GateInput, feed: string | undefined): boolean {
  const source = sources.find(({ name }) => name === feed);
  if (source?.state !== 'fresh' || source.kept + source.duplicate > 0) return false;
  return source.read === 0 || source.quarantined > (comparison.jumps.get(source.name)?.heldOut ?? 0);
}

/**
 * All sources together, except those that are refused on their own. Many small losses may not add up to a loss that one
 * source may not have. A source that is refused is accepted by its own name. Losing everything is always refused.
 */
function checkTotal<Summary>(
  { settings }: ComparedInput,
  checks: readonly GateCheck[],
  compared: readonly ComparedSource<Summary>[],
  countOf: (summary: Summary) => number,
  what: string,
  maxLost: number,
): GateCheck {
  const refused = new Set(checks.filter(({ state }) => state === 'refused').map(({ source }) => source));
  const others = compared.filter(({ name }) => !refused.has(name));
  const total = (summaries: readonly (Summary | undefined)[]): number =>
    summaries.reduce((sum, summary) => sum + (summary === undefined ? 0 : countOf(summary)), 0);
  const before = total(others.map((source) => source.before));
  const now = total(others.map((source) => source.now));
  if (before === 0 || (before < settings.minRows && now > 0)) {
    return toGateCheck({ silent: `${before} ${what} before; ${settings.minRows} needed` });
  }
  const check = toGateCheck(measureLost(before, now, maxLost, Math.max(...others.map(({ days }) => days))));
  return now === 0 ? { ...check, state: 'refused' } : check;
}

function measureLost(before: number, now: number, maxLost: number, days: number): Measure {
  return measureShare(Math.max(0, before - now), before, widenForChurn(maxLost, before, days));
}

function measureGained(before: number, now: number, maxGained: number, days: number): Measure {
  const gained = Math.max(0, now - before);
  const limit = widenForChurn(maxGained, before, days);
  const measured = gained / before;
  const detail = `${gained} more than the ${before} before (${formatPercent(measured)}, at most ${formatPercent(limit)})`;
  return { measured, limit, detail };
}
