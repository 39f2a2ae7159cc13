import { describe, expect, it } from 'vitest';
import {
  addPricePoint,
  formatPriceHistory,
  parsePriceHistory,
  PRICE_HISTORY,
  type PricePoint,
} from '../../../../data/snapshot/price-history.ts';

const CHEAP = { totalPence: 68_400, monthlyPence: 2850, upfrontPence: 0 };
const DEAR = { totalPence: 74_376, monthlyPence: 3099, upfrontPence: 0 };

function sold(day: number, dealCount = 2, prices = CHEAP): PricePoint {
  return { day, dealCount, prices };
}

describe('the text of a price history (D24)', () => {
  it.each<readonly [string, readonly PricePoint[]]>([
    ['20666 41 74376 3099 0', [sold(20_666, 41, DEAR)]],
    ['20666 0', [{ day: 20_666, dealCount: 0 }]],
    ['20666 2 68400 2850 0,1 3,2 3 74376 3099 0', [sold(20_666), sold(20_667, 3), sold(20_669, 3, DEAR)]],
    ['20666 2 68400 2850 0,1 0,1 2', [sold(20_666), { day: 20_667, dealCount: 0 }, sold(20_668)]],
    ['20666 0,30 2 68400 2850 0', [{ day: 20_666, dealCount: 0 }, sold(20_696)]],
  ])('%s', (text, points) => {
    expect(formatPriceHistory(points)).toBe(text);
    expect(parsePriceHistory(text)).toEqual(points);
    expect(text).toMatch(PRICE_HISTORY);
  });

  it.each([
    '',
    '20666',
    '20666 41',
    '20666 0 74376 3099 0',
    '20666 0,1 41',
    '20666 0,1 0',
    '20666 41 74376 3099',
    '20666 41 74376 3099 0,0 42',
    '20666 41 74376 3099 0,-1 42',
    '20666 41 74376 3099 0,',
    '20666 41 743.76 3099 0',
    '020666 41 74376 3099 0',
    '120666 41 74376 3099 0',
  ])('is never %j', (text) => {
    expect(text).not.toMatch(PRICE_HISTORY);
  });
});

describe('a build adds to a price history (D24)', () => {
  const before = [sold(100), sold(110, 3)];

  it.each<readonly [string, readonly PricePoint[], PricePoint, readonly PricePoint[]]>([
    ['the first point', [], sold(100), [sold(100)]],
    ['a first point without a deal', [], { day: 100, dealCount: 0 }, [{ day: 100, dealCount: 0 }]],
    ['nothing, when nothing differs', before, sold(120, 3), before],
    ['another number of deals', before, sold(120, 4), [...before, sold(120, 4)]],
    ['another price', before, sold(120, 3, DEAR), [...before, sold(120, 3, DEAR)]],
    ['a day without a deal', before, { day: 120, dealCount: 0 }, [...before, { day: 120, dealCount: 0 }]],
    ['the last build of a day, in place of an earlier one', before, sold(110, 5), [sold(100), sold(110, 5)]],
    ['nothing, when the last build of a day takes back what an earlier one changed', before, sold(110), [sold(100)]],
    ['to the day of the newest point, under a clock that has gone back', before, sold(7, 5), [sold(100), sold(110, 5)]],
  ])('%s', (_, points, today, expected) => {
    expect(addPricePoint(points, today)).toEqual(expected);
  });

  it('keeps the last 400 days, and the point that says what the first of them cost', () => {
    const points = [sold(100), sold(110, 3), sold(120)];
    expect(addPricePoint(points, sold(110 + 398))).toEqual(points);
    expect(addPricePoint(points, sold(110 + 399))).toEqual(points.slice(1));
    expect(addPricePoint(points, sold(120 + 398))).toEqual(points.slice(1));
    expect(addPricePoint(points, sold(120 + 399))).toEqual(points.slice(2));
    expect(addPricePoint(points, sold(9000))).toEqual(points.slice(2));
  });
});
