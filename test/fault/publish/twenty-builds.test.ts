import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { byTier } from '../tier.ts';
import { HeldDeals } from './held-deals.ts';
import { expectWhole, findServed, Night } from './night.ts';
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

const POLL_MS = 50;

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

  function startBuilds(store: string, node: readonly string[] = []): readonly RunningDeals[] {
    const builds = Array.from({ length: BUILDS }, () => new RunningDeals([...night.build(store), '--json'], { node }));
    onTestFinished(() => {
      for (const build of builds) build.kill('SIGKILL');
    });
    return builds;
  }

  /** Waits until each has ended or been stopped; returns those that were stopped. */
  async function waitForHolders(builds: readonly RunningDeals[]): Promise<readonly RunningDeals[]> {
    while (builds.some((build) => !build.hasEnded && !build.isStopped)) await setTimeout(POLL_MS);
    return builds.filter(({ isStopped }) => isStopped);
  }

  async function expectRefused(builds: readonly RunningDeals[], holder: RunningDeals, store: string): Promise<void> {
    for (const build of builds.filter((candidate) => candidate !== holder)) {
      const { exitCode, stderr } = await build.ended;
      expect(exitCode, stderr).toBe(75);
      expect(stderr).toContain(
        `deals: ${store}: another build or rollback (process id ${holder.pid}) is running; nothing was done.`,
      );
    }
  }

  it(
    'lets one publish, and the others end with 75 and say who holds the store',
    async () => {
      const store = night.createStore('held');
      const builds = startBuilds(store, ['--import', STOP_AT_LOCK]);
      const holders = await waitForHolders(builds);
      expect(holders.length).toBe(1);
      const [holder] = holders as [RunningDeals];
      await expectRefused(builds, holder, store);
      expect(findServed(store)).toEqual({ current: night.before, issues: [] });
      holder.kill('SIGCONT');
      const { exitCode, stderr } = await holder.ended;
      expect(exitCode, stderr).toBe(0);
      expectWhole(store, night.tonight);
    },
    TIMEOUT_MS,
  );

  it(
    `a holder that was killed blocks none: of those that come at once one publishes (${ROUNDS} rounds)`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const store = night.createStore('killed');
        const dead = new RunningDeals(night.build(store), { node: ['--import', STOP_AT_LOCK] });
        await waitForHolders([dead]);
        dead.kill('SIGKILL');
        await dead.ended;
        const outcomes = await Promise.all(startBuilds(store).map(({ ended }) => ended));
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
