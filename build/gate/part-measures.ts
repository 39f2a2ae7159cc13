import type { RowCounts } from '../../data/report/summary.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import type { DealFacts } from './deal-facts.ts';
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

/**
 * The deals of a part before and now, without those of held parts in it: rows of `facts`. `kept` are the deals now that
 * were in it before, and `servedRows` has the row of each among those before.
 */
export interface PartView {
  readonly kind: 'feed' | 'retailer' | 'network' | 'cell';
  readonly before: { readonly facts: DealFacts; readonly rows: readonly number[] };
  readonly now: { readonly facts: DealFacts; readonly rows: readonly number[] };
  readonly kept: readonly number[];
  readonly servedRows: Int32Array;
  /** 1 for a deal now that has the link which another deal had and has lost. */
  readonly hasTakenLink: Uint8Array;
  /** Whether the catalogue had a product before, and has it now. */
  readonly isKnownProduct: (product: number) => boolean;
  /** The days since the deals before were found in the feed. */
  readonly days: number;
  /** Of a feed, and of a retailer in it. */
  readonly counts?: { readonly before: RowCounts; readonly now: RowCounts };
}

/** Measures one gate over a part; undefined where there is too little to compare. */
export type MeasurePart = (part: PartView, settings: GateSettings) => Measure | undefined;

export const measureLost: MeasurePart = ({ before, now, days }, { maxLost }) => {
  const count = before.rows.length;
  const lost = Math.max(0, count - now.rows.length);
  return measureShare(lost, count, widenForChurn(maxLost, count, days), 'deals are gone');
};

/** Deals under new keys are lost and gained at once, which no count shows. Keys belong to retailers. */
export const measureRenumbered: MeasurePart = ({ kind, before, now, kept }, { maxRenumbered }) => {
  const expected = Math.min(before.rows.length, now.rows.length);
  if (kind === 'network' || kind === 'cell' || expected === 0) return undefined;
  return measureShare(Math.max(0, expected - kept.length), expected, maxRenumbered, 'deals came under another key');
};

/** The price in the middle tells something where so many of the same deals have moved. */
const MANY_MOVED = 0.25;

/** Prices of the same deals: how far most of them moved at least, and how far the price in their middle moved. */
export const measureMoved: MeasurePart = (part, { maxMoved, minRows }) => {
  const { kind, before, now, kept, servedRows } = part;
  if (kept.length < minRows / 2) return undefined;
  const most = significantMajority(kept.length, kind !== 'feed');
  const many = widenTolerance(MANY_MOVED, kept.length);
  const same = `${writeCount(kept.length)} same deals`;
  return findWorst(
    (['total', 'monthly', 'upfront'] as const).flatMap((name) => {
      const pricesNow = Float64Array.from(kept, (row) => now.facts.columns[name].at(row));
      const pricesBefore = Float64Array.from(kept, (row) => before.facts.columns[name].at(servedRows[row] as number));
      const moves = pricesNow.map((price, i) => measureMove(pricesBefore[i] as number, price)).sort();
      const movedBy = (share: number): number => moves[Math.floor((1 - share) * moves.length)] ?? 0;
      const [moved, middle] = [movedBy(most), measureMove(medianOf(pricesBefore.sort()), medianOf(pricesNow.sort()))];
      const atMost = `at most ${formatPercent(maxMoved)}`;
      const ofMost: Measure = {
        measured: moved,
        limit: maxMoved,
        detail: `the ${name} cost of ${formatPercent(most)} of ${same} moved by ${formatMove(moved)} or more, ${atMost}`,
      };
      // An upfront cost is nothing for many deals: its middle says little.
      if (name === 'upfront' || movedBy(many) <= maxMoved) return [ofMost];
      const detail = `the ${name} cost in the middle of ${same} moved by ${formatMove(middle)}, ${atMost}`;
      return [ofMost, { measured: middle, limit: maxMoved, detail }];
    }),
  );
};

function formatMove(move: number): string {
  return move === Infinity ? 'all of it' : formatPercent(move);
}

/** Fewer deals for another phone, or with another deal's link, are a correction by an editor or a feed. */
const MIN_MISLED = 5;
const MAX_MISLED = 0.02;

/** What the same deals offer under their keys. */
export const measureChanged: MeasurePart = (part, { maxChanged, minRows }) => {
  const { kept, kind, days } = part;
  if (kept.length < minRows / 2) return undefined;
  const { offers, phones, links, gift, cashback } = countChanges(part);
  const most = widenTolerance(maxChanged, kept.length, days);
  const few = Math.max(widenTolerance(MAX_MISLED, kept.length, days), (MIN_MISLED - 1) / kept.length);
  const measureExtra = ({ had, changed }: ExtraChanges, what: string): Measure[] =>
    // One offer may end on the day on which another begins, at a whole retailer.
    had < minRows / 2
      ? []
      : [measureShare(changed, had, Math.max(2 * maxChanged, significantMajority(had, kind !== 'feed')), what)];
  return findWorst([
    measureShare(phones, kept.length, few, 'same deals are for another phone'),
    measureShare(links, kept.length, few, 'same deals have the link of another deal'),
    measureShare(offers, kept.length, most, 'same deals offer something else'),
    ...measureExtra(gift, 'gifts are others'),
    ...measureExtra(cashback, 'cashbacks are others'),
  ]);
};

/** Changes of gifts or cashbacks among the deals that had or have one. */
interface ExtraChanges {
  readonly had: number;
  readonly changed: number;
  /** Those that are gone, and came to no other deal. */
  readonly ended: number;
}

interface Changes {
  /** Another phone, network, kind of contract, length, allowance or site. */
  readonly offers: number;
  readonly phones: number;
  readonly links: number;
  readonly gift: ExtraChanges;
  readonly cashback: ExtraChanges;
}

/** Counts what the same deals of a part offer now and did not offer before. */
function countChanges({ before, now, kept, servedRows, hasTakenLink, isKnownProduct }: PartView): Changes {
  const served = before.facts;
  const { facts } = now;
  const gift = new ExtraCounter();
  const cashback = new ExtraCounter();
  let [offers, phones, links] = [0, 0, 0];
  for (const row of kept) {
    const servedRow = servedRows[row] as number;
    const product = facts.columns.product.at(row);
    const productBefore = served.columns.product.at(servedRow);
    // A product that is new or gone takes its deals with it, which is a change of the CMS.
    const isOtherPhone = product !== productBefore && isKnownProduct(product) && isKnownProduct(productBefore);
    if (isOtherPhone) phones++;
    links += hasTakenLink[row] as number;
    if (
      product !== productBefore ||
      facts.columns.site.at(row) !== served.columns.site.at(servedRow) ||
      !offersSame(served, servedRow, facts, row)
    ) {
      offers++;
    }
    gift.add(served.columns.gift.at(servedRow), facts.columns.gift.at(row));
    cashback.add(served.columns.cashback.at(servedRow), facts.columns.cashback.at(row));
  }
  return { offers, phones, links, gift: gift.list(), cashback: cashback.list() };
}

/** Whether two deals have the same contract, whatever its name. */
export function offersSame(served: DealFacts, servedRow: number, facts: DealFacts, row: number): boolean {
  if (served.columns.plan.at(servedRow) === facts.columns.plan.at(row)) return true;
  const [before, now] = [served.planAt(servedRow), facts.planAt(row)];
  return OFFERED.every((fact) => before[fact] === now[fact]);
}

const OFFERED = ['network', 'dealType', 'contractMonths', 'dataMegabytes', 'callMinutes', 'textMessages'] as const;

/**
 * Counts changes of gifts or cashbacks. One that ends, or starts, is no change: they are when as many come to deals
 * without one, as when a column slips by a row.
 */
export class ExtraCounter {
  #had = 0;
  #others = 0;
  #gone = 0;
  #come = 0;

  add(before: number, now: number): void {
    if (before === 0 && now === 0) return;
    this.#had++;
    if (before === now) return;
    if (now === 0) this.#gone++;
    else if (before === 0) this.#come++;
    else this.#others++;
  }

  list(): ExtraChanges {
    const ended = this.#gone - Math.min(this.#gone, this.#come);
    return { had: this.#had, changed: this.#others + 2 * Math.min(this.#gone, this.#come), ended };
  }
}

/** Most deals have the fact, and nearly all have lost it. */
const MOST = 0.5;
const NEARLY_ALL = 0.9;

/** Prices and limits that were read as none: a column was lost. */
export const measureEmptied: MeasurePart = ({ before, now }, { minRows }) => {
  if (now.rows.length === 0) return undefined;
  const shareOf = ({ facts, rows }: PartView['now'], has: (facts: DealFacts, row: number) => boolean): number =>
    rows.reduce((sum, row) => sum + Number(has(facts, row)), 0) / rows.length;
  return findWorst(
    FILLED.flatMap(({ what, has }) => {
      const shareBefore = shareOf(before, has);
      if (shareBefore < MOST || before.rows.length < minRows) return [];
      const share = shareOf(now, has);
      const detail = `${formatPercent(share)} of the deals ${what}, ${formatPercent(shareBefore)} before`;
      return [{ measured: Math.max(0, 1 - share / shareBefore), limit: NEARLY_ALL, detail }];
    }),
  );
};

const FILLED: readonly { readonly what: string; readonly has: (facts: DealFacts, row: number) => boolean }[] = [
  { what: 'cost something upfront', has: (facts, row) => facts.columns.upfront.at(row) > 0 },
  { what: 'have a limit on their data', has: (facts, row) => facts.planAt(row).dataMegabytes !== 'unlimited' },
];

/** Fewer different values than this told no deals apart. */
const MIN_DIFFERENT = 5;

/** Facts that told deals apart, and are one and the same now. */
export const measureSameForAll: MeasurePart = ({ before, now }, { minRows }) => {
  if (now.rows.length < minRows) return undefined;
  const countDifferent = ({ facts, rows }: PartView['now'], of: TellingFact['of']): number => {
    const different = new Set<number | string>();
    for (const row of rows) if (different.add(of(facts, row)).size === MIN_DIFFERENT) break;
    return different.size;
  };
  return findWorst(
    TELLING.flatMap(({ what, of }) => {
      if (countDifferent(before, of) < MIN_DIFFERENT) return [];
      const count = countDifferent(now, of);
      const detail = count === 1 ? `all ${now.rows.length} deals have one ${what}` : `deals differ in their ${what}`;
      return [{ measured: 1 / count, limit: MAX_SAME, detail }];
    }),
  );
};

/** One value for all is 1, two are a half. */
const MAX_SAME = 0.5;

interface TellingFact {
  readonly what: string;
  readonly of: (facts: DealFacts, row: number) => number | string;
}

const TELLING: readonly TellingFact[] = [
  { what: 'link', of: (facts, row) => facts.columns.link.at(row) },
  { what: 'name of a plan', of: (facts, row) => facts.planAt(row).contractName },
  { what: 'total cost', of: (facts, row) => facts.columns.total.at(row) },
  { what: 'monthly cost', of: (facts, row) => facts.columns.monthly.at(row) },
];

export const measureQuarantined: MeasurePart = ({ counts }, { maxQuarantined, minRows }) =>
  measureRise(counts, 'quarantined', maxQuarantined, minRows, 'records are quarantined');

/** Rows that come twice, also under another id. */
export const measureDuplicates: MeasurePart = ({ counts }, { maxDuplicates, minRows }) =>
  measureRise(counts, 'duplicate', maxDuplicates, minRows, 'records are duplicates');

function measureRise(
  counts: PartView['counts'],
  what: 'quarantined' | 'duplicate',
  maxRise: number,
  minRows: number,
  text: string,
): Measure | undefined {
  if (counts === undefined || counts.now.rows < minRows) return undefined;
  const { before, now } = counts;
  const shareBefore = before.rows === 0 ? 0 : before[what] / before.rows;
  const limit = Math.min(1, shareBefore + widenTolerance(maxRise, now.rows));
  const { measured, detail } = measureShare(now[what], now.rows, limit, text);
  return { measured, limit, detail: `${detail}; ${formatPercent(shareBefore)} before` };
}
