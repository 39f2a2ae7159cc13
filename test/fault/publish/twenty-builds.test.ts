import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { byTier } from '../tier.ts';
import { HeldDeals } from './held-deals.ts';
import { expectWhole, findServed, Night } from './night.ts';
import { until } from '../../harness.ts';
import { RunningDeals } from '../run-deals.ts';

const TIMEOUT_MS = byTier({ first: 90_000, second: 300_000, long: 3 * 3_600_000 });

const BUILDS = byTier({ first: 3, second: 20, long: 20 });
const ROUNDS = byTier({ first: 1, second: 1, long: 200 });

/** Stops a build as soon as it has the lock, so that it certainly has it while the others ask for it. */
const STOP_AT_LOCK = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { writeSync } = fs;
  fs.writeSync = (descriptor, ...rest) => {
    const written = writeSync(descriptor, ...rest);
    // What the holder of a lock says of itself.
    if (/^[0-9]+ \\S+\\n$/.test(rest[0])) process.kill(process.pid, 'SIGSTOP');
    return written;
  };
  syncBuiltinESMExports();
`)}`;

describe(`${BUILDS} builds at once (promise 5)`, () => {
  const night = new Night();
  let held: HeldDeals;

  beforeAll(async () => {
    held = await HeldDeals.start();
    await night.prepare(held);
  });
  afterAll(async () => {
    await held.kill();
    night.remove();
  });

  function startBuild(store: string, node: readonly string[] = []): RunningDeals {
    const build = new RunningDeals([...night.build(store), '--json'], { node });
    onTestFinished(() => build.kill('SIGKILL'));
    return build;
  }

  const startBuilds = (store: string) => Promise.all(Array.from({ length: BUILDS }, () => startBuild(store).ended));

  it(
    `are refused while one has the store; one that is killed blocks none, and of those that come then one publishes (${ROUNDS} rounds)`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const store = night.createStore('held');
        const holder = startBuild(store, ['--import', STOP_AT_LOCK]);
        await until(async () => holder.isStopped, TIMEOUT_MS);
        const busy = `deals: ${store}: another build or rollback, whose process ${store}/build.lock names, is running; nothing was done.`;
        for (const { exitCode, stderr } of await startBuilds(store))
          expect([exitCode, stderr]).toEqual([75, expect.stringContaining(busy)]);
        expect(findServed(store)).toEqual({ current: night.before, issues: [] });
        holder.kill('SIGKILL');
        await holder.ended;
        const outcomes = await startBuilds(store);
        const published = outcomes.filter(({ stdout }) => stdout.includes('"outcome": "published"'));
        expect(published.length, `round ${round}`).toBe(1);
        for (const { exitCode, stdout, stderr } of outcomes) {
          const isLater = stdout.includes('"outcome": "unchanged"');
          expect(exitCode, `round ${round}: ${stderr}`).toBe(isLater || stdout.includes('"published"') ? 0 : 75);
        }
        expectWhole(store, night.tonight, `round ${round}`);
      }
    },
    TIMEOUT_MS,
  );
});
