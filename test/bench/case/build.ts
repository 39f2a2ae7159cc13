import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readCaseOptions } from '../bench-data.ts';
import { buildStore, buildTwice, CHANGED_FEED, type SourcesName } from '../prepare-data.ts';
import { line, reportLines } from '../report-lines.ts';
import { MEGABYTE, type CommandRun } from '../server-process.ts';

/**
 * `deals build` of a million deals in seven feeds: the first time, with nothing changed, with one feed changed, and the
 * first time on one thread. And of 120,000 full rows of an Awin download, 0.85 GB in one file.
 */
const { data, scale } = readCaseOptions();
const { first, unchanged, changed } = await buildTwice(data, scale);
const single = await buildAndRemove('1m', ['--threads', '1']);
const awin = await buildAndRemove('awin');
for (const run of [first, single, awin]) requirePublished(run);

const megabytes = (run: CommandRun) => run.peakBytes / MEGABYTE;
reportLines([
  line('build, 1M rows of `deals` feeds', '< 60', 's', first.seconds),
  line('the same, memory at its peak', '< 600', 'MB', megabytes(first)),
  line(
    'the same in threads, against one thread',
    '<= 0.65',
    'x',
    first.seconds / single.seconds,
    `${availableParallelism()} processors; one thread took ${single.seconds.toFixed(1)} s and ${Math.round(megabytes(single))} MB`,
  ),
  line(
    'a second build with one of seven feeds changed',
    '< 0.333',
    'x',
    changed.seconds / first.seconds,
    `${CHANGED_FEED}, 5% of the rows; ${changed.seconds.toFixed(1)} s and ${Math.round(megabytes(changed))} MB`,
  ),
  line(
    'a second build with nothing changed',
    '< 0.333',
    'x',
    unchanged.seconds / first.seconds,
    `${unchanged.seconds.toFixed(1)} s`,
  ),
  line('build, 120,000 full Awin rows (0.85 GB)', '< 25', 's', awin.seconds),
  line('the same, memory at its peak', '< 500', 'MB', megabytes(awin)),
]);

/** A build into a store of its own. */
async function buildAndRemove(name: SourcesName, words: readonly string[] = []): Promise<CommandRun> {
  const store = join(data.folder, 'store-once');
  await rm(store, { recursive: true, force: true });
  const run = await buildStore(data, name, store, 0, words);
  await rm(store, { recursive: true, force: true });
  return run;
}

function requirePublished({ stdout }: CommandRun): void {
  if (!stdout.includes('"published"')) throw new Error(`expected a published build, got ${stdout.slice(0, 200)}`);
}
