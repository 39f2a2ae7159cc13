import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { until } from '../../harness.ts';
import { TIER } from '../tier.ts';
import { writePlenty } from './plenty.ts';
import { countDescriptors, serveProgram, type ServingProgram } from '../running-program.ts';

/** One more than are held: what is in memory is not read again. */
const SNAPSHOTS = 3;
const MAX_GROWTH_BYTES = 5_000_000;
const SWAPS = 8;

interface Level {
  readonly heap: number;
  readonly descriptors: number;
}

/** What the program has when it has nothing to do. */
async function readLevel(program: ServingProgram): Promise<Level> {
  await sleep(300);
  const heap = await program.memory();
  // The store is looked at every second, with a descriptor.
  const counts: number[] = [];
  for (let look = 0; look < 5; look++) {
    counts.push(countDescriptors(program.pid));
    await sleep(20);
  }
  return { heap, descriptors: Math.min(...counts) };
}

// A machine that is busy with all other tests may fail it.
describe.skipIf(TIER === 'first')('snapshots that are taken up one after the other', () => {
  it('leave nothing behind of those before', async () => {
    const plenty = await writePlenty(3_000, SNAPSHOTS);
    const program = await serveProgram(plenty);
    const levels: Level[] = [];
    for (let swap = 0; swap < SWAPS; swap++) {
      // The last is the current one at first.
      plenty.point(plenty.snapshotIds[swap % SNAPSHOTS] as string);
      const count = swap + 2;
      await until(async () => (program.output().match(/"snapshot-taken-up"/g)?.length ?? 0) === count);
      levels.push(await readLevel(program));
    }
    await program.stop();
    const [before, after] = [levels.at(1), levels.at(-1)] as [Level, Level];
    expect(after.heap - before.heap).toBeLessThan(MAX_GROWTH_BYTES);
    expect(after.descriptors).toBe(before.descriptors);
  });
});
