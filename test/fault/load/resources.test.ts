import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { until } from '../../harness.ts';
import { isMissing, tool } from '../needs.ts';
import { countDescriptors, serveProgram, type ServingProgram } from '../run-deals.ts';
import { TIER } from '../tier.ts';
import { writePlenty } from './plenty.ts';

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
it.skipIf(TIER === 'first')(
  'snapshots that are taken up one after the other leave nothing behind',
  { timeout: 120_000 },
  async () => {
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
  },
);

const isLive = (url: string): Promise<boolean> =>
  fetch(`${url}/health/live`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status === 200,
    () => false,
  );

it.skipIf(isMissing('running out of descriptors', tool('prlimit')))(
  'more connections than there is room for use up the descriptors, and when they are gone the program answers as before',
  async () => {
    const plenty = await writePlenty(1, 2);
    const program = await serveProgram({ ...plenty, before: ['prlimit', '--nofile=256'] });
    const before = countDescriptors(program.pid, 'socket');
    for (let round = 0; round < 3; round++) {
      const sockets = Array.from({ length: 600 }, () =>
        connect(program.port, '127.0.0.1').on('error', () => undefined),
      );
      await until(async () => countDescriptors(program.pid) >= 250);
      expect(await isLive(program.url)).toBe(false);
      // A snapshot that cannot be opened now is taken up later.
      plenty.point(plenty.snapshotIds[round % 2] as string);
      for (const socket of sockets) socket.destroy();
      await until(() => isLive(program.url));
    }
    await until(async () => countDescriptors(program.pid, 'socket') <= before);
    const answer = await fetch(`${program.url}/deals/v1/networks/`, { headers: { 'x-api-key': plenty.key } });
    expect(answer.status).toBe(200);
    expect(program.hasEnded()).toBe(false);
    expect(await program.stop()).toBe(0);
  },
);
