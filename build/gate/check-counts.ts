import type { CmsParts } from '../../data/report/summary.ts';
import { compareCms, compareFeeds, listCompared, measureWorstPart, type PartKind } from './compare-sources.ts';
import {
  findWorst,
  formatPercent,
  measureShare,
  toGateCheck,
  widenForChurn,
  type GateCheck,
  type GateInput,
  type Measure,
} from './measurement.ts';

export function checkLostDeals(input: GateInput): readonly GateCheck[] {
  const { maxLostDeals } = input.settings;
  const compared = listCompared(input, 'feeds');
  const checks = compareFeeds(input, ({ before, now, days }) =>
    measureLost(before.deals, now.deals, maxLostDeals, days),
  ).map((check) => {
    if (check.state !== 'silent' || !isEmptied(input, check.source)) return check;
    const { before, days } = compared.find(({ name }) => name === check.source) ?? { before: undefined, days: 1 };
    return before === undefined ? check : toGateCheck(measureLost(before.deals, 0, maxLostDeals, days), check.source);
  });
  const counts = compared.map(({ name, days, before, now }) => ({
    name,
    days,
    before: before?.deals ?? 0,
    now: now?.deals ?? 0,
  }));
  return [...checks, ...checkTotal(input, checks, counts, 'deals', maxLostDeals)];
}

export function checkLostProducts(input: GateInput): readonly GateCheck[] {
  const checks = compareCms(input, (before, now, days) =>
    measureLost(before.products, now.products, input.settings.maxLostProducts, days),
  );
  const counts = listCompared(input, 'cms').map(({ name, days, before, now }) => ({
    name,
    days,
    before: before?.products ?? 0,
    now: now?.products ?? 0,
  }));
  return [...checks, ...checkTotal(input, checks, counts, 'products', input.settings.maxLostProducts)];
}

/**
 * Compares the content of the products of a CMS source, and its other lists: half of an export can be gone while every
 * product is there.
 */
export function checkLostContent(input: GateInput): readonly GateCheck[] {
  const { maxLostProducts, minRows } = input.settings;
  return compareCms(input, (before, now, days) => {
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
}

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

/** Each retailer of each source. */
export function checkLostRetailers(input: GateInput): readonly GateCheck[] {
  return checkLostParts('retailer', input);
}

/** Each network of each source. */
export function checkLostNetworks(input: GateInput): readonly GateCheck[] {
  return checkLostParts('network', input);
}

export function checkGainedDeals(input: GateInput): readonly GateCheck[] {
  return compareFeeds(input, ({ before, now, days }) =>
    measureGained(before.deals, now.deals, input.settings.maxGainedDeals, days),
  );
}

export function checkGainedProducts(input: GateInput): readonly GateCheck[] {
  return compareCms(input, (before, now, days) =>
    measureGained(before.products, now.products, input.settings.maxGainedProducts, days),
  );
}

/** Whether a feed was read and has no deal that can be served: an empty file, or a wrong one. */
function isEmptied({ sources, comparison }: GateInput, feed: string | undefined): boolean {
  const source = sources.find(({ name }) => name === feed);
  if (source?.state !== 'fresh' || source.kept + source.duplicate > 0) return false;
  return source.read === 0 || source.quarantined > (comparison.jumps.get(source.name)?.heldOut ?? 0);
}

interface SourceCount {
  readonly name: string;
  readonly days: number;
  readonly before: number;
  readonly now: number;
}

/**
 * All sources together, except those that are refused on their own. Many small losses may not add up to a loss that one
 * source may not have. A source that is refused is accepted by its own name. Losing everything is always refused.
 */
function checkTotal(
  { served, settings }: GateInput,
  checks: readonly GateCheck[],
  counts: readonly SourceCount[],
  what: string,
  maxLost: number,
): readonly GateCheck[] {
  if (served.kind !== 'known') return [];
  const refused = new Set(checks.filter(({ state }) => state === 'refused').map(({ source }) => source));
  const others = counts.filter(({ name }) => !refused.has(name));
  const before = others.reduce((sum, source) => sum + source.before, 0);
  const now = others.reduce((sum, source) => sum + source.now, 0);
  if (before === 0 || (before < settings.minRows && now > 0)) {
    return [toGateCheck({ silent: `${before} ${what} before; ${settings.minRows} needed` })];
  }
  const check = toGateCheck(measureLost(before, now, maxLost, Math.max(...others.map(({ days }) => days))));
  return [now === 0 ? { ...check, state: 'refused' } : check];
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

function checkLostParts(kind: PartKind, input: GateInput): readonly GateCheck[] {
  const { minRows, maxLostDeals, maxLostPart } = input.settings;
  return compareFeeds(input, (feed) => {
    // One loss is one refusal: the loss of a source is also that of its parts.
    const whole = toGateCheck(measureLost(feed.before.deals, feed.now.deals, maxLostDeals, feed.days));
    if (whole.state === 'refused') return { silent: 'lost-deals speaks of all of the source' };
    return measureWorstPart(kind, feed, undefined, minRows, ({ before, now, days }) =>
      measureLost(before.deals, now?.deals ?? 0, maxLostPart, days),
    );
  });
}
