import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRowProgress } from '../../../cli/build.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['a line every ten seconds where there is no terminal', false, 29, ['10000', '20000']],
  ['nothing of a reading that has just begun', false, 9, []],
  ['several times a second on a terminal', true, 0.6, ['300', '600']],
])('shows the rows that were read: %s', (_, isTerminal, seconds, rows) => {
  const shown: string[] = [];
  const tell = createRowProgress(isTerminal, (text) => shown.push(text));
  for (let tenth = 0; tenth <= seconds * 10; tenth++) {
    tell(tenth * 100);
    vi.advanceTimersByTime(100);
  }
  expect(shown).toEqual(rows.map((count) => `reading the feeds: ${count} rows`));
});
