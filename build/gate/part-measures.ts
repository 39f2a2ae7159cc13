import { formatPence } from '../../data/record/amount.ts';
import type { RowCounts } from '../../data/report/summary.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import type { ComparedDeals } from './compared-deals.ts';
import type { DealFacts, Fact } from './deal-facts.ts';
import {
  findWorst,
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
  readonly deals: ComparedDeals;
  /** Rows of the deals before, of the deals now, and of those deals now that were in the part before. */
  readonly before: readonly number[];
  readonly now: readonly number[];
  readonly kept: readonly number[];
  /** How many deals before are in the feed, be it in another part. */
  readonly found: number;
  /** The days since the deals before were found in the feed. */
  readonly days: number;
  /** Of a feed, and of a retailer in it. */
  readonly counts?: { readonly before: RowCounts; readonly now: RowCounts } | undefined;
}

/** Measures one gate over a part; undefined where there is too little to compare. */
export type MeasurePart = (part: PartView, settings: GateSettings) => Measure | undefined;

/** A deal that has gone to another part is changed. */
export const measureLost: MeasurePart = ({ before, now, found, days }, { maxLost }) => {
  const lost = before.length - Math.min(before.length, Math.max(now.length, found));
  return measureShare(lost, before.length, widenForChurn(maxLost, before.length, days), 'deals are gone');
};

/** Deals under new keys are lost and gained at once, which no count shows. Keys belong to retailers. */
export const measureRenumbered: MeasurePart = ({ network, before, now, kept }, { maxRenumbered }) => {
  const expected = Math.min(before.length, now.length);
  if (network !== undefined || expected === 0) return undefined;
  return measureShare(Math.max(0, expected - kept.length), expected, maxRenumbered, 'deals came under another key');
};

/** The price in the middle tells something where so many of the same deals have moved. */
const MANY_MOVED = 0.25;

/** Prices of the same deals: how far most of them moved at least, and how far the price in their middle moved. */
export const measureMoved: MeasurePart = (part, { maxMoved, minRows }) => {
  const { deals, kept } = part;
  if (kept.length < minRows / 2) return undefined;
  const most = significantMajority(kept.length, !isWhole(part));
  const many = widenTolerance(MANY_MOVED, kept.length);
  const same = `${writeCount(kept.length)} same deals`;
  const createMeasure = (measured: number, what: string): Measure => ({
    measured,
    limit: maxMoved,
    detail: `the ${what}, at most ${formatPercent(maxMoved)} is allowed`,
  });
  return findWorst(
    (['total', 'monthly', 'upfront'] as const).flatMap((fact) => {
      const now = Float64Array.from(kept, (row) => deals.now.columns[fact].at(row));
      const before = Float64Array.from(kept, (row) => deals.before.columns[fact].at(deals.rowBefore(row)));
      const moves = now.map((price, i) => measureMove(before[i] as number, price)).sort();
      const movedBy = (share: number): number => moves[Math.floor((1 - share) * moves.length)] ?? 0;
      const ofMost = createMeasure(
        movedBy(most),
        `${fact} cost of ${formatPercent(most)} of ${same} moved by ${formatMove(movedBy(most))} or more`,
      );
      // An upfront cost is nothing for many deals: its middle says little.
      if (fact === 'upfront' || movedBy(many) <= maxMoved) return [ofMost];
      const [then, median] = [medianOf(before.sort()), medianOf(now.sort())];
      const middle = measureMove(then, median);
      const fromTo = `from ${formatPence(then)} to ${formatPence(median)}`;
      const what = `median ${fact} cost of ${same} moved ${fromTo}, by ${formatMove(middle)}`;
      return [ofMost, createMeasure(middle, what)];
    }),
  );
};

/** Infinite where something came of nothing. */
function formatMove(measured: number): string {
  return measured === Infinity ? 'all of it' : formatPercent(measured);
}

/** Fewer deals for another phone, or with another deal's link, are a correction by an editor or a feed. */
const MIN_MISLED = 5;
const MAX_MISLED = 0.02;

/** What the same deals offer under their keys. */
export const measureChanged: MeasurePart = (part, { maxChanged, minRows }) => {
  const { deals, kept, now, days } = part;
  if (kept.length < minRows / 2) return undefined;
  const most = widenTolerance(maxChanged, kept.length, days);
  const few = Math.max(MAX_MISLED, (MIN_MISLED - 1) / kept.length);
  const measureSame = (is: (row: number) => boolean, limit: number, what: string): Measure =>
    measureShare(kept.filter(is).length, kept.length, limit, `same deals ${what}`);
  const came = now.filter((row) => deals.rowBefore(row) === -1);
  const links = [...kept, ...came].filter((row) => deals.hasTakenLink[row] === 1);
  return findWorst([
    measureSame((row) => deals.isOfOtherPhone(row), few, 'are for another phone'),
    measureShare(links.length, kept.length, few, 'same deals have the link of another deal'),
    measureSame((row) => deals.differs(row, OFFERED), most, 'offer something else'),
    ...(['gift', 'cashback'] as const).flatMap((fact) => {
      const { had, changed } = countExtras(kept.map((row) => extrasOf(deals, row, fact)));
      // One offer may end on the day on which another begins, at a whole retailer.
      const limit = Math.max(2 * maxChanged, significantMajority(had, !isWhole(part)));
      return had < minRows / 2 ? [] : [measureShare(changed, had, limit, `${fact}s are others`)];
    }),
  ]);
};

const OFFERED = ['product', 'network', 'offer', 'site'] as const satisfies readonly Fact[];

/** The gift or cashback of a deal before and now; 0 for none. */
type ExtraPair = readonly [before: number, now: number];

export function extrasOf({ before, now, rowBefore }: ComparedDeals, row: number, fact: 'gift' | 'cashback'): ExtraPair {
  return [before.columns[fact].at(rowBefore(row)), now.columns[fact].at(row)];
}

/**
 * Counts changes of gifts or cashbacks. One that ends, or begins, is no change: they are when as many come to deals
 * without one, as when a column slips by a row.
 * @returns `had`: the deals that had or have one. `ended`: those that are gone, and came to no other deal; `begun`: the reverse.
 */
export function countExtras(
  pairs: readonly ExtraPair[],
): Readonly<Record<'had' | 'changed' | 'ended' | 'begun', number>> {
  const countOf = (is: (before: number, now: number) => boolean): number => pairs.filter((pair) => is(...pair)).length;
  const gone = countOf((before, now) => before !== 0 && now === 0);
  const come = countOf((before, now) => before === 0 && now !== 0);
  const others = countOf((before, now) => before !== 0 && now !== 0 && before !== now);
  const moved = Math.min(gone, come);
  const had = countOf((before, now) => before !== 0 || now !== 0);
  return { had, changed: others + 2 * moved, ended: gone - moved, begun: come - moved };
}

/** Most deals have the fact, and nearly all have lost it. */
const MOST = 0.5;
const NEARLY_ALL = 0.9;

/** Prices and limits that were read as none: a column was lost. */
export const measureEmptied: MeasurePart = ({ deals, before, now }, { minRows }) => {
  if (now.length === 0 || before.length < minRows) return undefined;
  return findWorst(
    FILLED.flatMap(({ what, has }) => {
      const shareOf = (facts: DealFacts, rows: readonly number[]): number =>
        rows.filter((row) => has(facts, row)).length / rows.length;
      const shareBefore = shareOf(deals.before, before);
      if (shareBefore < MOST) return [];
      const share = shareOf(deals.now, now);
      const detail = `${formatPercent(share)} of the deals ${what}, ${formatPercent(shareBefore)} before`;
      return [{ measured: Math.max(0, 1 - share / shareBefore), limit: NEARLY_ALL, detail }];
    }),
  );
};

const FILLED: readonly { readonly what: string; readonly has: (facts: DealFacts, row: number) => boolean }[] = [
  { what: 'cost something upfront', has: (facts, row) => facts.columns.upfront.at(row) > 0 },
  { what: 'have a limit on their data', has: (facts, row) => facts.textAt('data', row) !== 'unlimited' },
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
export const measureSameForAll: MeasurePart = ({ deals, before, now }, { minRows }) => {
  if (now.length < minRows) return undefined;
  return findWorst(
    TELLING.flatMap(([fact, what]) => {
      if (countDifferent(deals.before, before, fact) < MIN_DIFFERENT) return [];
      const count = countDifferent(deals.now, now, fact);
      // Gifts and cashbacks may end, all at once.
      const hasEnded = (fact === 'gift' || fact === 'cashback') && deals.now.columns[fact].at(now[0] as number) === 0;
      if (hasEnded) return [];
      const detail = count === 1 ? `all ${now.length} deals have one ${what}` : `deals differ in their ${what}`;
      return [{ measured: 1 / count, limit: MAX_SAME, detail }];
    }),
  );
};

function countDifferent({ columns }: DealFacts, rows: readonly number[], fact: Fact): number {
  const different = new Set<number>();
  for (const row of rows) if (different.add(columns[fact].at(row)).size === MIN_DIFFERENT) break;
  return different.size;
}

/** The share of quarantined records, or of rows that come twice, also under another id. */
export function measureRise(
  counts: PartView['counts'],
  what: 'quarantined' | 'duplicate',
  maxRise: number,
  minRows: number,
): Measure | undefined {
  if (counts === undefined || counts.now.rows < minRows) return undefined;
  const { before, now } = counts;
  const shareBefore = before[what] / Math.max(1, before.rows);
  const limit = Math.min(1, shareBefore + widenTolerance(maxRise, now.rows));
  const text = what === 'duplicate' ? 'records are duplicates' : 'records are quarantined';
  const measure = measureShare(now[what], now.rows, limit, text);
  return { ...measure, detail: `${measure.detail}; ${formatPercent(shareBefore)} before` };
}
