import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readCaseOptions } from '../bench-data.ts';
import { buildStore, buildTwice } from '../prepare-data.ts';
import { line, reportLines } from '../report-lines.ts';
import { MEGABYTE, type CommandRun } from '../server-process.ts';

/** `deals build` of a million deals in seven feeds, and of 120,000 full rows of an Awin download, 0.85 GB in one file. */
const { data, scale } = readCaseOptions();
const first = await buildTwice(data, scale);
const awin = await buildAwin();
for (const run of [first, awin]) requirePublished(run);

const megabytes = (run: CommandRun) => run.peakBytes / MEGABYTE;
reportLines([
  line('build, 1M rows of `deals` feeds', '< 60', 's', first.seconds),
  line('the same, memory at its peak', '< 600', 'MB', megabytes(first)),
  line('build, 120,000 full Awin rows (0.85 GB)', '< 25', 's', awin.seconds),
  line('the same, memory at its peak', '< 500', 'MB', megabytes(awin)),
]);

/** A build into a store of its own. */
async function buildAwin(): Promise<CommandRun> {
  const store = join(data.folder, 'store-once');
  await rm(store, { recursive: true, force: true });
  const run = await buildStore(data, 'awin', store, 0);
  await rm(store, { recursive: true, force: true });
  return run;
}

function requirePublished({ stdout }: CommandRun): void {
  if (!stdout.includes('"published"')) throw new Error(`expected a published build, got ${stdout.slice(0, 200)}`);
}
