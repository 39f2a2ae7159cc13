import { DAY_MS } from '../record/time.ts';
import type { Prices } from './changes.ts';

/** A price history goes back so many days, today included (D24). */
const HISTORY_DAYS = 400;

const DAYS = '[1-9][0-9]{0,5}';
const COUNT = '[1-9][0-9]{0,8}';
const PRICES = '(?: (?:0|[1-9][0-9]{0,9})){3}';

/**
 * The price history of a product as text: `20666 41 74376 3099 0,1 42,3 0,2 40`. A point has the days since the point
 * before (the first since 1970-01-01), the number of deals, and total, monthly and upfront cost in pence, which are left out
 * without a deal and when they are those of the last deal. As text, a point takes seven bytes on most days, in the file and
 * in the memory of the server.
 */
export const PRICE_HISTORY = new RegExp(
  `^(?:${DAYS} 0|(?:${DAYS} 0,)?${DAYS} ${COUNT}${PRICES}(?:,${DAYS} (?:0|${COUNT}|${COUNT}${PRICES}))*)$`,
);

/** The deals of a product after the last build of a day, until the next point. */
export interface PricePoint {
  /** Since 1970-01-01, in UTC. */
  readonly day: number;
  readonly dealCount: number;
  /** Of the cheapest deal; absent without a deal. */
  readonly prices?: Prices;
}

/** At least 1: a machine whose clock is not set yet stands at the beginning of 1970. */
export function dayOf(time: Date): number {
  return Math.max(1, Math.floor(time.getTime() / DAY_MS));
}

/** `2026-08-01`. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The points of a text that matches `PRICE_HISTORY`. */
export function parsePriceHistory(text: string): PricePoint[] {
  let day = 0;
  let prices: Prices | undefined;
  return text.split(',').map((point) => {
    const [days = 0, dealCount = 0, totalPence, monthlyPence = 0, upfrontPence = 0] = point.split(' ').map(Number);
    day += days;
    if (totalPence !== undefined) prices = { totalPence, monthlyPence, upfrontPence };
    return dealCount === 0 || prices === undefined ? { day, dealCount } : { day, dealCount, prices };
  });
}

export function formatPriceHistory(points: readonly PricePoint[]): string {
  let lastDay = 0;
  let lastPrices = '';
  const texts = points.map(({ day, dealCount, prices }) => {
    const known = lastPrices;
    if (prices !== undefined) lastPrices = ` ${prices.totalPence} ${prices.monthlyPence} ${prices.upfrontPence}`;
    const text = `${day - lastDay} ${dealCount}${lastPrices === known ? '' : lastPrices}`;
    lastDay = day;
    return text;
  });
  return texts.join(',');
}

/**
 * The points after a build. An earlier build of the same day does not count any more. Under a clock that has gone back, the
 * build counts for the day of the newest point, so that days stay in order and none is lost. The last point of before the
 * window stays, with its date, because it says what the product cost when the window began.
 */
export function addPricePoint(points: readonly PricePoint[], today: PricePoint): PricePoint[] {
  const day = Math.max(today.day, points.at(-1)?.day ?? 0);
  const earlier = points.filter((point) => point.day < day);
  const last = earlier.at(-1);
  const all = last !== undefined && isSameState(last, today) ? earlier : [...earlier, { ...today, day }];
  const start = all.findLastIndex((point) => point.day <= day - HISTORY_DAYS + 1);
  return all.slice(Math.max(0, start));
}

function isSameState(a: PricePoint, b: PricePoint): boolean {
  return (
    a.dealCount === b.dealCount &&
    a.prices?.totalPence === b.prices?.totalPence &&
    a.prices?.monthlyPence === b.prices?.monthlyPence &&
    a.prices?.upfrontPence === b.prices?.upfrontPence
  );
}
