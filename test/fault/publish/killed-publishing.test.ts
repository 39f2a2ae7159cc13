import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../support/random.ts';
import { isMissing, tool } from '../needs.ts';
import { DEALS } from '../program.ts';
import { byTier } from '../tier.ts';
import { HeldDeals } from './held-deals.ts';
import { buildKilledAt, isChange, listCalls, listPaths, spread } from './kill-points.ts';
import { expectNextBuild } from './expectations.ts';
import { findServed, Night } from './night.ts';

import type { StoreCall } from './store-calls.ts';
import { inTwoLanes } from './two-lanes.ts';

const TIMEOUT_MS = byTier({ first: 60_000, second: 600_000, long: 12 * 3_600_000 });

const KILL_POINTS = byTier({ first: 4, second: Infinity, long: Infinity });
const RANDOM_KILLS = byTier({ first: 1, second: 200, long: 10_000 });

/** From the line that says that it is published to the end, and somewhat more. */
const PUBLISHING_MS = 40;

/** Of `expectAllOrNothing`. */
const ASSERTIONS = 4;

const SEED = Number(process.env['FAULT_SEED'] ?? 1);

describe('a build that is killed while it publishes (promise 1)', () => {
  const night = new Night();
  let next: HeldDeals;

  beforeAll(async () => {
    next = await HeldDeals.start();
    await night.prepare(next);
  });
  afterAll(async () => {
    await next.kill();
    night.remove();
  });

  /** The old snapshot or the new one, whole; then the next build, which cleans up and publishes what that did not. */
  async function expectAllOrNothing(store: string, where: string): Promise<void> {
    const { current, issues } = findServed(store);
    expect([night.before, night.tonight], where).toContain(current);
    expect(issues, where).toEqual([]);
    await expectNextBuild(night, next, store, where);
  }

  it.skipIf(isMissing('kill -9 at every file-changing call of a build', tool('strace')))(
    'leaves the old snapshot or the new at every call that changes a file, and the next build succeeds',
    async () => {
      const calls = await listCalls(night, next);
      const paths = listPaths(calls);
      const points = calls.filter(isChange);
      expect(points.length).toBeGreaterThan(50);
      // For any number, those of the switch are among them.
      const isOfSwitch = (call: StoreCall) => call.paths.includes('(store)/current.json');
      const chosen = new Set([...spread(points, KILL_POINTS), ...points.filter(isOfSwitch)]);
      await inTwoLanes([...chosen], async (call, lane) => {
        const store = night.createStore(lane);
        const where = `killed at ${call.name} ${call.ordinal}, ${call.text}`;
        expect(await buildKilledAt({ night, store, call, paths }), where).toBe(true);
        await expectAllOrNothing(store, where);
      });
    },
    TIMEOUT_MS,
  );

  it(
    `leaves the old snapshot or the new, wherever it is killed (${RANDOM_KILLS} times, seed ${SEED})`,
    async () => {
      expect.assertions(RANDOM_KILLS * ASSERTIONS);
      const random = createRandom(SEED);
      const delays = Array.from({ length: RANDOM_KILLS }, () => random.below(PUBLISHING_MS * 1_000) / 1_000);
      await inTwoLanes(delays, async (delayMs, lane) => {
        const store = night.createStore(lane);
        await buildKilledAfter(night.build(store), delayMs);
        await expectAllOrNothing(store, `killed ${delayMs} ms after it said that it is publishing`);
      });
    },
    TIMEOUT_MS,
  );
});

/** Kills the real command, some time after it said that it is publishing. It may have ended by then. */
async function buildKilledAfter(words: readonly string[], delayMs: number): Promise<void> {
  const child = spawn(process.execPath, [DEALS, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('publishing\n') && child.exitCode === null) {
    await Promise.race([once(child.stderr, 'data'), closed]);
  }
  await setTimeout(delayMs);
  child.kill('SIGKILL');
  await closed;
}
