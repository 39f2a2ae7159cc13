import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isMissing, root, tool } from '../needs.ts';
import { byTier } from '../tier.ts';
import { HeldDeals } from './held-deals.ts';
import { expectWhole } from './expectations.ts';
import { findLeftovers, findServed, Night } from './night.ts';
import { runDeals, RunningDeals } from '../run-deals.ts';

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

/**
 * Has a build wait once it has the lock (`HOLD_AT=lock`), or has put its snapshot in place and not yet switched
 * (`HOLD_AT=place`): it writes the file `$HOLD`, and goes on when that is gone.
 */
const HOLD = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { renameSync, writeSync } = fs;
  const hold = (at) => {
    if (at !== process.env.HOLD_AT) return;
    fs.writeFileSync(process.env.HOLD, '');
    while (fs.existsSync(process.env.HOLD)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  };
  fs.writeSync = (descriptor, ...rest) => {
    const written = writeSync(descriptor, ...rest);
    if (/^[0-9]+ \\S+\\n$/.test(rest[0])) hold('lock');
    return written;
  };
  fs.renameSync = (from, to) => {
    renameSync(from, to);
    if (/\\/[0-9]{8}T[0-9]{4}Z-[0-9a-f]{8}$/.test(to)) hold('place');
  };
  syncBuiltinESMExports();
`)}`;

/** A process of its own namespace of process ids, as in a container: it sees no process of another. */
const IN_CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-c', '"$0" "$@"; exit $?'];

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

  async function holdBuild(store: string, at: 'lock' | 'place', before: readonly string[]) {
    const mark = `${store}.held`;
    const env = { HOLD: mark, HOLD_AT: at };
    const build = new RunningDeals(night.build(store), { node: ['--import', HOLD], env, before });
    onTestFinished(() => {
      rmSync(mark, { force: true });
      build.kill('SIGKILL');
    });
    while (!existsSync(mark) && !build.hasEnded) await setTimeout(POLL_MS);
    expect(build.hasEnded).toBe(false);
    return { build, release: () => rmSync(mark) };
  }

  const PLACES = [
    { first: 'in a container', before: IN_CONTAINER, second: 'on the machine', after: [] },
    { first: 'on the machine', before: [], second: 'in a container', after: IN_CONTAINER },
    { first: 'in a container', before: IN_CONTAINER, second: 'in another', after: IN_CONTAINER },
  ];

  it
    .skipIf(isMissing('builds in containers', tool('unshare'), root))
    .each(byTier({ first: PLACES.slice(0, 1), second: PLACES, long: PLACES }))(
    'a build $first keeps out one $second, and that goes ahead when the first is killed',
    async ({ before, after }) => {
      const store = night.createStore('shared');
      const { build, release } = await holdBuild(store, 'lock', before);
      const refused = await runDeals(night.build(store), { before: after });
      expect([refused.exitCode, refused.stderr]).toEqual([75, expect.stringContaining('is running')]);
      expect(findServed(store).current).toBe(night.before);
      release();
      expect((await build.ended).exitCode).toBe(0);
      expect(findServed(store)).toEqual({ current: night.tonight, issues: [] });

      const killed = await holdBuild(store, 'lock', before);
      killed.build.kill('SIGKILL');
      await killed.build.ended;
      const next = await runDeals(night.build(store), { before: after });
      expect(next.exitCode, next.stderr).toBe(0);
      expect(findLeftovers(store)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'a build whose lock was taken away does not replace what another has published since',
    async () => {
      const store = night.createStore('robbed');
      const { build, release } = await holdBuild(store, 'place', []);
      rmSync(join(store, 'build.lock'));
      await night.writePrice(90);
      const newer = await runDeals(night.build(store, '2026-11-20T02:40:00Z'));
      expect(newer.exitCode, newer.stderr).toBe(0);
      const { current } = findServed(store);
      const report = readFileSync(join(store, 'last-build.json'), 'utf8');
      release();
      const { exitCode, stderr } = await build.ended;
      expect(exitCode, stderr).toBe(75);
      expect(stderr).toContain(
        `another build or rollback made ${current} current while this build ran; nothing was published`,
      );
      expect(findServed(store)).toEqual({ current, issues: [] });
      expect(readFileSync(join(store, 'last-build.json'), 'utf8')).toBe(report);
    },
    TIMEOUT_MS,
  );
});
