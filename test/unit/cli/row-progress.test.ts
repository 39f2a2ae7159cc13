import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRowProgress } from '../../../cli/build.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What is shown of a reading of 1,000 rows and a megabyte a second, told ten times a second. */
function shownOf(isTerminal: boolean, seconds: number): readonly string[] {
  const shown: string[] = [];
  const tell = createRowProgress(isTerminal, (text) => shown.push(text));
  for (let tenth = 0; tenth <= seconds * 10; tenth++) {
    tell({ rows: tenth * 100, bytes: tenth * 100_000, bytesInAll: 40_000_000 });
    vi.advanceTimersByTime(100);
  }
  return shown;
}

describe('the counter of rows', () => {
  it('is a line every ten seconds where there is no terminal', () => {
    expect(shownOf(false, 29)).toEqual([
      'reading the feeds: 10000 rows, 10 of 40 MB, 1000 rows a second',
      'reading the feeds: 20000 rows, 20 of 40 MB, 1000 rows a second',
    ]);
  });

  it('rewrites itself several times a second on a terminal', () => {
    expect(shownOf(true, 3)).toHaveLength(10);
  });

  it('says nothing of a reading that has just begun', () => {
    expect([...shownOf(true, 0), ...shownOf(false, 9)]).toEqual([]);
  });
});
