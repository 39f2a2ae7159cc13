import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, tool } from '../needs.ts';
import { byTier } from '../tier.ts';
import { HeldDeals } from './held-deals.ts';
import { buildKilledAt, isChange, listCalls, listPaths, spread } from './kill-points.ts';
import { expectNextBuild } from './expectations.ts';
import { findServed, Night } from './night.ts';
import type { StoreCall } from './store-calls.ts';
import { inTwoLanes } from './two-lanes.ts';
import { findUnsafe } from './unsafe-steps.ts';

const TIMEOUT_MS = byTier({ first: 60_000, second: 600_000, long: 12 * 3_600_000 });

const KILL_POINTS = byTier({ first: 4, second: Infinity, long: Infinity });

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

  it.skipIf(isMissing('the order of the steps of a build', tool('strace')))(
    'has every file and every name on the disk before it is relied on, should the power be cut (promise 2)',
    async () => {
      expect(findUnsafe(await listCalls(night, next))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
