import { readCaseOptions } from '../bench-data.ts';
import { reportLines } from '../case-result.ts';
import { MEGABYTE } from '../child-memory.ts';
import { CHANGED_FEED, buildTwice } from '../prepare-data.ts';

/** `deals build` of a million deals in seven feeds: the first time, with nothing changed, with one feed changed. */
const { data, scale } = readCaseOptions();
const { first, unchanged, changed } = await buildTwice(data, scale);

const published = first.stdout;
if (!published.includes('"published"')) throw new Error(`expected a published build, got ${published.slice(0, 200)}`);

const seconds = first.seconds;
const megabytes = first.peakBytes / MEGABYTE;
const share = changed.seconds / first.seconds;
const shareUnchanged = unchanged.seconds / first.seconds;
reportLines([
  line('build, 1M rows of `deals` feeds', '< 60', seconds, 's', seconds < 60),
  line('the same, memory at its peak', '< 700', megabytes, 'MB', megabytes < 700),
  {
    ...line('a second build with one of seven feeds changed', '< 0.33', share, 'x', share < 1 / 3),
    note: `${CHANGED_FEED}, 5% of the rows; ${changed.seconds.toFixed(1)} s and ${Math.round(changed.peakBytes / MEGABYTE)} MB`,
  },
  {
    ...line('a second build with nothing changed', '< 0.33', shareUnchanged, 'x', shareUnchanged < 1 / 3),
    note: `${unchanged.seconds.toFixed(1)} s`,
  },
]);

function line(what: string, target: string, reached: number, unit: string, isMet: boolean) {
  return { what, target, reached, lowest: reached, highest: reached, unit, isMet };
}
