import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import type { BenchLine } from '../table.ts';

/** `deals build` of a million deals in seven feeds, and of 120,000 rows of an Awin download, 0.5 GB in one file. */
export async function measureBuild(bench: Bench): Promise<readonly BenchLine[]> {
  const deals = await bench.build('deals', join(bench.folder, 'store'));
  const awin = await bench.build('awin', join(bench.folder, 'store'));
  const megabytes = (bytes: number): number => bytes / 1_000_000;
  return [
    { what: 'build, 1M rows of `deals` feeds', atMost: 60, unit: 's', reached: [deals.seconds] },
    { what: 'the same, memory at its peak', atMost: 600, unit: 'MB', reached: [megabytes(deals.peakBytes)] },
    { what: 'build, 120,000 Awin rows', atMost: 40, unit: 's', reached: [awin.seconds] },
    { what: 'the same, memory at its peak', atMost: 500, unit: 'MB', reached: [megabytes(awin.peakBytes)] },
  ];
}
