import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readCaseOptions } from '../bench-data.ts';
import { reportLines } from '../case-result.ts';
import { MEGABYTE } from '../child-memory.ts';
import { buildStore } from '../prepare-data.ts';

/** `deals build` of 120,000 full rows of an Awin download, 0.85 GB in one file. */
const { data } = readCaseOptions();
const store = join(data.folder, 'store-awin');
await rm(store, { recursive: true, force: true });
const { seconds, peakBytes, stdout } = await buildStore(data, 'awin', store, 0);
if (!stdout.includes('"published"')) throw new Error(`expected a published build, got ${stdout.slice(0, 200)}`);
await rm(store, { recursive: true, force: true });

const megabytes = peakBytes / MEGABYTE;
reportLines([
  {
    what: 'build, 120,000 full Awin rows (0.85 GB)',
    target: '< 60',
    reached: seconds,
    lowest: seconds,
    highest: seconds,
    unit: 's',
    isMet: seconds < 60,
  },
  {
    what: 'the same, memory at its peak',
    target: '< 500',
    reached: megabytes,
    lowest: megabytes,
    highest: megabytes,
    unit: 'MB',
    isMet: megabytes < 500,
  },
]);
