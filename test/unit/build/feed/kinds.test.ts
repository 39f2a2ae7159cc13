import { describe, expect, it } from 'vitest';
import { isWithin, parseDateRange } from '../../../../build/feed/kinds.ts';

const NOW = new Date('2026-11-20T02:30:00Z');

describe('what is valid at the time of a build', () => {
  it.each([
    [undefined, undefined, true],
    ['2026-11-19', undefined, true],
    ['2026-11-21', undefined, false],
    ['2026-11-20T02:30:00Z', undefined, true],
    ['2026-11-20T02:30:01Z', undefined, false],
    [undefined, '2026-11-20', true],
    [undefined, '2026-11-19', false],
    [undefined, '2026-11-20T02:30:00Z', true],
    [undefined, '2026-11-20T02:29:59Z', false],
    ['2026-11-19', '2026-11-20', true],
    ['2026-11-21', '2026-11-22', false],
  ] as const)('from %s to %s: %s', (from, to, expected) => {
    expect(isWithin(NOW, from && parseDateRange(from), to && parseDateRange(to))).toBe(expected);
  });
});
