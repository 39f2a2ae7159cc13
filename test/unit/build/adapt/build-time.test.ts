import { describe, expect, it } from 'vitest';
import { BuildClock, parseDateRange } from '../../../../build/adapt/deal/dates.ts';

const NOW = new Date('2026-11-20T02:30:00Z');

describe('the time of a build', () => {
  it('holds for ever when nothing has a bound', () => {
    const time = new BuildClock(NOW);
    expect(time.isWithin(undefined, undefined)).toBe(true);
    expect(time.validityWindow).toEqual({ fromMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER });
  });

  it.each([
    ['2026-11-19', undefined, true],
    ['2026-11-21', undefined, false],
    ['2026-11-20T02:30:00Z', undefined, true],
    [undefined, '2026-11-20', true],
    [undefined, '2026-11-19', false],
    [undefined, '2026-11-20T02:30:00Z', true],
    ['2026-11-19', '2026-11-20', true],
    ['2026-11-21', '2026-11-22', false],
  ] as const)('from %s to %s: %s, and the same at both ends of its era, but not beyond', (from, to, isWithin) => {
    const answer = (now: number, time = new BuildClock(new Date(now))) => ({
      isWithin: time.isWithin(from && parseDateRange(from), to && parseDateRange(to)),
      era: time.validityWindow,
    });
    const { era, ...result } = answer(NOW.getTime());
    expect(result).toEqual({ isWithin });
    const isFinite = (ms: number) => Math.abs(ms) < Number.MAX_SAFE_INTEGER;
    for (const [end, beyond] of [
      [era.fromMs, era.fromMs - 1],
      [era.untilMs - 1, era.untilMs],
    ] as const) {
      if (!isFinite(beyond) || !isFinite(end)) continue;
      expect(answer(end).era).toEqual(era);
      expect(answer(end).isWithin).toBe(isWithin);
      expect(answer(beyond).era).not.toEqual(era);
    }
  });
});
