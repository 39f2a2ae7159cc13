import { formatPence } from '../../data/record/amount.ts';
import type { RowCounts } from '../../data/report/summary.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import { differs, isSame, type ComparedDeal, type DealFacts, type Fact, type SameDeal } from './deal-facts.ts';
import {
  formatPercent,
  measureMove,
  measureShare,
  medianOf,
  significantMajority,
  widenForChurn,
  widenTolerance,
  writeCount,
  type Measure,
} from './measure.ts';
import { isWhole, type PartName } from './parts.ts';

/** The deals of a part, without those of held parts in it. */
export interface PartView extends PartName {
  readonly before: readonly DealFacts[];
  readonly now: readonly ComparedDeal[];
  /** The deals now that were in the part before. */
  readonly kept: readonly SameDeal[];
  /** How many deals before are in the feed, be it in another part. */
  readonly found: number;
  /** The days since the deals before were found in the feed. */
  readonly days: number;
  /** Of a feed, and of a retailer in it. */
  readonly counts?: { readonly before: RowCounts; readonly now: RowCounts } | undefined;
  /** Whether the catalogue has a product, and had it before. */
  readonly isKnownProduct: (product: string) => boolean;
}

/** Measures one gate over a part: none where there is too little to compare. */
export type MeasurePart = (part: PartView, settings: GateSettings) => readonly Measure[];

/** A deal that has gone to another part is changed. */
export const measureLost: MeasurePart = ({ before, now, found, days }, { maxLost }) => {
  const lost = before.length - Math.min(before.length, Math.max(now.length, found));
  return [measureShare(lost, before.length, widenForChurn(maxLost, before.length, days), 'deals are gone')];
};

/** Deals under new keys are lost and gained at once, which no count shows. Keys belong to retailers. */
export const measureRenumbered: MeasurePart = ({ network, before, now, kept }, { maxRenumbered }) => {
  const expected = Math.min(before.length, now.length);
  if (network !== undefined || expected === 0) return [];
  return [measureShare(Math.max(0, expected - kept.length), expected, maxRenumbered, 'deals came under another key')];
};

/** The price in the middle tells something where so many of the same deals have moved. */
const MANY_MOVED = 0.25;

/** Prices of the same deals: how far most of them moved at least, and how far the price in their middle moved. */
export const measureMoved: MeasurePart = (part, { maxMoved, minRows }) => {
  const { kept } = part;
  if (kept.length < minRows / 2) return [];
  const most = significantMajority(kept.length, !isWhole(part));
  const many = widenTolerance(MANY_MOVED, kept.length);
  const same = `${writeCount(kept.length)} same deals`;
  const createMeasure = (measured: number, what: string): Measure => ({
    measured,
    limit: maxMoved,
    detail: `the ${what}, at most ${formatPercent(maxMoved)} is allowed`,
  });
  return (['total', 'monthly', 'upfront'] as const).flatMap((fact) => {
    const moves = Float64Array.from(kept, ({ before, now }) => measureMove(before[fact], now[fact])).sort();
    const movedBy = (share: number): number => moves[Math.floor((1 - share) * moves.length)] ?? 0;
    const ofMost = createMeasure(
      movedBy(most),
      `${fact} cost of ${formatPercent(most)} of ${same} moved by ${formatMove(movedBy(most))} or more`,
    );
    // An upfront cost is nothing for many deals: its middle says little.
    if (fact === 'upfront' || movedBy(many) <= maxMoved) return [ofMost];
    const medianAt = (side: 'before' | 'now'): number =>
      medianOf(Float64Array.from(kept, (deal) => deal[side][fact]).sort());
    const [then, median] = [medianAt('before'), medianAt('now')];
    const middle = measureMove(then, median);
    const fromTo = `from ${formatPence(then)} to ${formatPence(median)}`;
    return [ofMost, createMeasure(middle, `median ${fact} cost of ${same} moved ${fromTo}, by ${formatMove(middle)}`)];
  });
};

/** Infinite where something came of nothing. */
function formatMove(measured: number): string {
  return measured === Infinity ? 'all of it' : formatPercent(measured);
}

/** Fewer deals for another phone, or with another deal's link, are a correction by an editor or a feed. */
export const MIN_MISLED = 5;
const MAX_MISLED = 0.02;

/** What the same deals offer under their keys. */
export const measureChanged: MeasurePart = (part, { maxChanged, minRows }) => {
  const { kept, now, days, isKnownProduct } = part;
  if (kept.length < minRows / 2) return [];
  const few = Math.max(MAX_MISLED, (MIN_MISLED - 1) / kept.length);
  const measureSame = (count: number, limit: number, what: string): Measure =>
    measureShare(count, kept.length, limit, `same deals ${what}`);
  // A product that is new or gone takes its deals with it, which is a change of the CMS, and makes them no others.
  const isOfOtherPhone = (deal: SameDeal): boolean =>
    differs(deal, ['product']) && isKnownProduct(deal.now.product) && isKnownProduct(deal.before.product);
  const links = [...kept, ...now.filter((deal) => !isSame(deal))].filter((deal) => deal.hasTakenLink);
  const offers = kept.filter((deal) => differs(deal, OFFERED));
  return [
    measureSame(kept.filter(isOfOtherPhone).length, few, 'are for another phone'),
    measureSame(links.length, few, 'have the link of another deal'),
    measureSame(offers.length, widenTolerance(maxChanged, kept.length, days), 'offer something else'),
    ...(['gift', 'cashback'] as const).flatMap((fact) => {
      const { had, changed } = countExtras(kept, [fact]);
      // One offer may end on the day on which another begins, at a whole retailer.
      const limit = Math.max(2 * maxChanged, significantMajority(had, !isWhole(part)));
      return had < minRows / 2 ? [] : [measureShare(changed, had, limit, `${fact}s are others`)];
    }),
  ];
};

const OFFERED = ['product', 'network', 'offer', 'site'] as const satisfies readonly Fact[];

/**
 * Counts changes of gifts or cashbacks. One that ends, or begins, is no change: they are when as many come to deals
 * without one, as when a column slips by a row.
 * @returns `had`: the deals that had or have one. `ended`: those that are gone, and came to no other deal; `begun`: the reverse.
 */
export function countExtras(
  deals: readonly SameDeal[],
  facts: readonly ('gift' | 'cashback')[],
): Readonly<Record<'had' | 'changed' | 'ended' | 'begun', number>> {
  const pairs = facts.flatMap((fact) => deals.map(({ before, now }) => [before[fact], now[fact]] as const));
  const countOf = (is: (before: string, now: string) => boolean): number => pairs.filter((pair) => is(...pair)).length;
  const gone = countOf((before, now) => before !== '' && now === '');
  const come = countOf((before, now) => before === '' && now !== '');
  const others = countOf((before, now) => before !== '' && now !== '' && before !== now);
  const moved = Math.min(gone, come);
  const had = countOf((before, now) => before !== '' || now !== '');
  return { had, changed: others + 2 * moved, ended: gone - moved, begun: come - moved };
}

/** Most deals have the fact, and nearly all have lost it. */
const MOST = 0.5;
const NEARLY_ALL = 0.9;

/** Prices and limits that were read as none: a column was lost. */
export const measureEmptied: MeasurePart = ({ before, now }, { minRows }) => {
  if (now.length === 0 || before.length < minRows) return [];
  return FILLED.flatMap(({ what, has }) => {
    const shareBefore = before.filter(has).length / before.length;
    if (shareBefore < MOST) return [];
    const share = now.filter((deal) => has(deal.now)).length / now.length;
    const detail = `${formatPercent(share)} of the deals ${what}, ${formatPercent(shareBefore)} before`;
    return [{ measured: Math.max(0, 1 - share / shareBefore), limit: NEARLY_ALL, detail }];
  });
};

const FILLED: readonly { readonly what: string; readonly has: (deal: DealFacts) => boolean }[] = [
  { what: 'cost something upfront', has: ({ upfront }) => upfront > 0 },
  { what: 'have a limit on their data', has: ({ data }) => data !== 'unlimited' },
];

/** Fewer different values than this told no deals apart. */
const MIN_DIFFERENT = 5;

/** One value for all is 1, two are a half. */
const MAX_SAME = 0.5;

const TELLING = [
  ['link', 'link'],
  ['plan', 'name of a plan'],
  ['total', 'total cost'],
  ['monthly', 'monthly cost'],
  ['gift', 'gift'],
  ['cashback', 'cashback'],
] as const satisfies readonly (readonly [Fact, string])[];

/** Facts that told deals apart, and are one and the same now. */
export const measureSameForAll: MeasurePart = ({ before, now }, { minRows }) => {
  if (now.length < minRows) return [];
  return TELLING.flatMap(([fact, what]) => {
    if (new Set(before.map((deal) => deal[fact])).size < MIN_DIFFERENT) return [];
    const values = new Set(now.map((deal) => deal.now[fact]));
    // Gifts and cashbacks may end, all at once.
    if (values.size !== 1 || values.has('')) return [];
    return [{ measured: 1, limit: MAX_SAME, detail: `all ${now.length} deals have one ${what}` }];
  });
};

/** The share of quarantined records, or of rows that come twice, also under another id. */
export function measureRise(
  counts: PartView['counts'],
  what: 'quarantined' | 'duplicate',
  maxRise: number,
  minRows: number,
): readonly Measure[] {
  if (counts === undefined || counts.now.rows < minRows) return [];
  const { before, now } = counts;
  const shareBefore = before[what] / Math.max(1, before.rows);
  const limit = Math.min(1, shareBefore + widenTolerance(maxRise, now.rows));
  const text = what === 'duplicate' ? 'records are duplicates' : 'records are quarantined';
  const measure = measureShare(now[what], now.rows, limit, text);
  return [{ ...measure, detail: `${measure.detail}; ${formatPercent(shareBefore)} before` }];
}
