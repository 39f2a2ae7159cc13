import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { until } from '../../harness.ts';
import { byTier, IS_SHARED_MACHINE, TIER } from '../tier.ts';
import { openLoadClient, writeRequest } from './load.ts';
import { HEAVY, SHORT, writePlenty } from './plenty.ts';
import { countDescriptors, serveProgram, type ServingProgram } from '../running-program.ts';

/** One more than are held: what is in memory is not read again. */
const SNAPSHOTS = 3;
const SWAP_SECONDS = 5;
const SWAPS = byTier({ first: 0, second: 22, long: 7_200 });
const MAX_GROWTH_BYTES = 5_000_000;
const QUICK_SWAPS = 8;
const MEGABYTE = 1_000_000;

interface Level {
  readonly heap: number;
  readonly rss: number;
  readonly descriptors: number;
}

/** What the program has when it has nothing to do. */
async function readLevel(program: ServingProgram): Promise<Level> {
  await sleep(300);
  const { heapUsed, external, rss } = await program.memory();
  // The store is looked at every second, with a descriptor.
  const counts: number[] = [];
  for (let look = 0; look < 5; look++) {
    counts.push(countDescriptors(program.pid));
    await sleep(20);
  }
  return { heap: heapUsed + external, rss, descriptors: Math.min(...counts) };
}

describe.skipIf(IS_SHARED_MACHINE)('snapshots that are taken up one after the other', () => {
  it('leave nothing behind of those before', async () => {
    const plenty = await writePlenty(3_000, SNAPSHOTS);
    const program = await serveProgram({ ...plenty, hasProbe: true });
    const levels: Level[] = [];
    for (let swap = 0; swap < QUICK_SWAPS; swap++) {
      // The last is the current one at first.
      plenty.publish(plenty.snapshotIds[swap % SNAPSHOTS] as string);
      const count = swap + 2;
      await until(async () => (program.output().match(/"snapshot-taken-up"/g)?.length ?? 0) === count);
      levels.push(await readLevel(program));
    }
    await program.stop();
    plenty.remove();
    const [before, after] = [levels.at(1), levels.at(-1)] as [Level, Level];
    expect(after.heap - before.heap).toBeLessThan(MAX_GROWTH_BYTES);
    expect(after.descriptors).toBe(before.descriptors);
  });
});

describe.skipIf(TIER === 'first')('full load with a new snapshot every five seconds', () => {
  it(
    'leaves memory and descriptors as they were after the second',
    async () => {
      const plenty = await writePlenty(1_000, SNAPSHOTS);
      const program = await serveProgram({ ...plenty, hasProbe: true });
      const client = await openLoadClient();
      const levels: Level[] = [];
      const problems: unknown[] = [];
      for (let swap = 0; swap < SWAPS; swap++) {
        plenty.publish(plenty.snapshotIds[swap % SNAPSHOTS] as string);
        const target = swap % 2 === 0 ? HEAVY : SHORT;
        const task = { url: program.url, request: writeRequest(target, plenty.key), connections: 32 };
        const { good, ...others } = await client.run({ ...task, seconds: SWAP_SECONDS - 0.5 });
        if (good.length === 0 || others.otherStatus > 0 || others.lost > 0) problems.push({ swap, others });
        levels.push(await readLevel(program));
      }
      client.close();
      await program.stop();
      plenty.remove();
      // Those after the second against the last: each snapshot once.
      const [before, after] = [levels.slice(2, 2 + SNAPSHOTS), levels.slice(-SNAPSHOTS)];
      const most = (some: readonly Level[], of: keyof Level): number => Math.max(...some.map((level) => level[of]));
      const describeLevels = (of: 'heap' | 'rss'): string =>
        [levels[0], ...before, ...after].map((level) => ((level?.[of] ?? 0) / MEGABYTE).toFixed(1)).join(', ');
      process.stderr.write(
        `${SWAPS} swaps: heap ${describeLevels('heap')} MB, resident ${describeLevels('rss')} MB, descriptors ` +
          `${most(before, 'descriptors')}, then ${most(after, 'descriptors')}\n`,
      );
      expect(problems).toEqual([]);
      expect(most(after, 'heap') - most(before, 'heap')).toBeLessThan(MAX_GROWTH_BYTES);
      expect(most(after, 'descriptors')).toBe(most(before, 'descriptors'));
    },
    (SWAPS * SWAP_SECONDS + 120) * 1_000,
  );
});
