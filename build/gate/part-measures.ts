import { formatPence } from '../../data/record/amount.ts';
import type { FieldCount, HeldPart, RowCounts } from '../../data/report/report.ts';
import type { GateSettings } from '../config/config.ts';
import type { SourceState } from '../source/record.ts';
import {
  formatPercent,
  measureMove,
  measureShare,
  significantMajority,
  widenForChurn,
  widenTolerance,
  writeCount,
  type Measure,
} from './measure.ts';
import type { KnownSnapshot } from './served-snapshot.ts';
import { MIN_DIFFERENT, TELLING, type Drift, type Profile } from './tallies.ts';

/** A feed, a retailer in it, a network in it, or a network at a retailer, by their slugs. */
export type PartName = Readonly<Pick<HeldPart, 'retailer' | 'network'>>;

/** `network o2 at retailer tello`; empty for the whole feed. */
export function namePart({ retailer, network }: PartName): string {
  const names = Object.entries({ network, retailer }).filter(([, slug]) => slug !== undefined);
  return names.map(([kind, slug]) => `${kind} ${slug}`).join(' at ');
}

export function isWhole({ retailer, network }: PartName): boolean {
  return retailer === undefined && network === undefined;
}

/** Whether a part has the deals of a network at a retailer. */
export function covers(part: PartName, cell: PartName): boolean {
  return (
    (part.retailer === undefined || part.retailer === cell.retailer) &&
    (part.network === undefined || part.network === cell.network)
  );
}

/** The deals of a part, without those of held parts in it. */
export interface PartView extends PartName {
  readonly before: Profile;
  readonly now: Profile;
  /** Of the deals now that were in the part before. */
  readonly drift: Drift;
  /** How many deals before are in the feed, be it in another part. */
  readonly found: number;
  /** The days since the deals before were found in the feed. */
  readonly days: number;
  /** Of a feed, and of a retailer in it. */
  readonly counts?: { readonly before: RowCounts; readonly now: RowCounts } | undefined;
  /** The cost in the middle of the same deals, before and now. */
  readonly findMiddle: (cost: 'total' | 'monthly') => readonly [before: number, now: number];
}

/** Measures one gate over a part: none where there is too little to compare. */
export type MeasurePart = (part: PartView, settings: GateSettings) => readonly Measure[];

/** A deal that has gone to another part is changed. */
export const measureLost: MeasurePart = ({ before, now, found, days }, { maxLost }) => {
  const lost = Math.max(0, before.count - Math.max(now.count, found));
  return [measureShare(lost, before.count, widenForChurn(maxLost, before.count, days), 'deals are gone')];
};

/** Deals under new keys are lost and gained at once, which no count shows. Keys belong to retailers. */
export const measureRenumbered: MeasurePart = ({ network, before, now, drift }, { maxRenumbered }) => {
  const expected = Math.min(before.count, now.count);
  if (network !== undefined || expected === 0) return [];
  return [measureShare(Math.max(0, expected - drift.count), expected, maxRenumbered, 'deals came under another key')];
};

/** The price in the middle tells something where so many of the same deals have moved. */
const MANY_MOVED = 0.25;

/** Prices of the same deals: how far most of them moved at least, and how far the price in their middle moved. */
export const measureMoved: MeasurePart = (part, { maxMoved, minRows }) => {
  const { drift, findMiddle } = part;
  if (drift.count < minRows / 2) return [];
  const most = significantMajority(drift.count, !isWhole(part));
  const same = `${writeCount(drift.count)} same deals`;
  const createMeasure = (measured: number, what: string): Measure => ({
    measured,
    limit: maxMoved,
    detail: `the ${what}, at most ${formatPercent(maxMoved)} is allowed`,
  });
  return (['total', 'monthly', 'upfront'] as const).flatMap((cost) => {
    const move = drift.movedBy(cost, most);
    const ofMost = `${cost} cost of ${formatPercent(most)} of ${same} moved by ${formatMove(move)} or more`;
    const measures = [createMeasure(move, ofMost)];
    // An upfront cost is nothing for many deals: its middle says little.
    if (cost !== 'upfront' && drift.movedBy(cost, widenTolerance(MANY_MOVED, drift.count)) > maxMoved) {
      const [before, now] = findMiddle(cost);
      const middle = measureMove(before, now);
      const fromTo = `from ${formatPence(before)} to ${formatPence(now)}, by ${formatMove(middle)}`;
      measures.push(createMeasure(middle, `median ${cost} cost of ${same} moved ${fromTo}`));
    }
    return measures;
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
  const { drift, now, days } = part;
  const { count, changed } = drift;
  if (count < minRows / 2) return [];
  const few = Math.max(MAX_MISLED, (MIN_MISLED - 1) / count);
  const links = changed.takenLink + now.takenLinks;
  return [
    measureShare(changed.phone, count, few, 'same deals are for another phone'),
    measureShare(links, count, few, 'same deals have the link of another deal'),
    measureShare(
      changed.offerOrSite,
      count,
      widenTolerance(maxChanged, count, days),
      'same deals offer something else',
    ),
    ...(['gift', 'cashback'] as const).flatMap((extra) => {
      const extras = drift.countExtras([extra]);
      // One offer may end on the day on which another begins, at a whole retailer.
      const limit = Math.max(2 * maxChanged, significantMajority(extras.had, !isWhole(part)));
      return extras.had < minRows / 2 ? [] : [measureShare(extras.changed, extras.had, limit, `${extra}s are others`)];
    }),
  ];
};

/** Most deals have the fact, and nearly all have lost it. */
const MOST = 0.5;
const NEARLY_ALL = 0.9;

const HAVING = [
  ['upfront', 'cost something upfront'],
  ['limited', 'have a limit on their data'],
] as const;

/** Prices and limits that were read as none: a column was lost. */
export const measureEmptied: MeasurePart = ({ before, now }, { minRows }) => {
  if (now.count === 0 || before.count < minRows) return [];
  return HAVING.flatMap(([fact, what]) => {
    const shareBefore = before.having[fact] / before.count;
    if (shareBefore < MOST) return [];
    const share = now.having[fact] / now.count;
    const detail = `${formatPercent(share)} of the deals ${what}, ${formatPercent(shareBefore)} before`;
    return [{ measured: Math.max(0, 1 - share / shareBefore), limit: NEARLY_ALL, detail }];
  });
};

/** One value for all is 1, two are a half. */
const MAX_SAME = 0.5;

/** Facts that told deals apart, and are one and the same now. */
export const measureSameForAll: MeasurePart = ({ before, now }, { minRows }) => {
  if (now.count < minRows) return [];
  return TELLING.flatMap(([fact, what]) => {
    const values = now.values[fact];
    // Gifts and cashbacks may end, all at once.
    const haveEnded = (fact === 'gift' || fact === 'cashback') && values.has(0);
    if (before.values[fact].size < MIN_DIFFERENT || values.size !== 1 || haveEnded) return [];
    return [{ measured: 1, limit: MAX_SAME, detail: `all ${now.count} deals have one ${what}` }];
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

/** A field that fewer records fill may be empty on any day. */
const MIN_FILLED_SHARE = 0.05;

/**
 * Finds the fields that a source had, and that no record has now: a column that was renamed, or is no longer exported
 * (INPUTS "A field that is gone").
 */
export function measureFields(
  { name, kind, adapter, fields = [] }: SourceState,
  served: KnownSnapshot,
  minRows: number,
): readonly Measure[] {
  const before = served.report.summary.fields.find(({ source }) => source === name)?.fields ?? [];
  if (served.manifest.sources.find((source) => source.name === name)?.adapter !== adapter) return [];
  const isFilled = new Set(fields.filter(({ filled }) => filled > 0).map(({ field }) => field));
  // When no record of a list was read at all, other gates refuse.
  const groupOf = ({ field }: FieldCount): string => (kind === 'cms' ? (field.split('.')[0] as string) : '');
  const read = new Set(fields.map(groupOf));
  const [gone, ...others] = before
    .filter(
      ({ field, filled, records }) =>
        filled >= Math.max(1, minRows, MIN_FILLED_SHARE * records) && !isFilled.has(field),
    )
    .filter((count) => read.has(groupOf(count)))
    .sort((a, b) => b.filled - a.filled);
  if (gone === undefined) return [];
  const nameOf = ({ field, name: called = field }: FieldCount): string => called;
  const more = others.length === 0 ? '' : `; so are ${others.map(nameOf).join(', ')}`;
  const detail = `${nameOf(gone)} was filled in ${writeCount(gone.filled)} of ${writeCount(gone.records)} records, now in none${more}`;
  return [{ measured: 1 + others.length, limit: 0, detail }];
}
