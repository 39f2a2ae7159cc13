import { describe, expect, it } from 'vitest';
import { parseTime } from '../../../../cli/console/options.ts';

describe('a time on the command line', () => {
  it.each([
    ['2026-12-01', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T02:30:00Z', '2026-12-01T02:30:00.000Z'],
    ['2026-12-01T02:30:00.125Z', '2026-12-01T02:30:00.125Z'],
    ['2026-12-01T02:30:00+01:00', '2026-12-01T01:30:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseTime(text).toISOString()).toBe(expected);
  });

  it.each([
    '',
    'tomorrow',
    '2026-02-29',
    '2026-13-01',
    '01/12/2026',
    '2026-12-01T02:30:00',
    '2026-12-01 02:30Z',
    '1764547200',
  ])('%j is none', (text) => {
    expect(() => parseTime(text)).toThrow('Expected a date');
  });
});
