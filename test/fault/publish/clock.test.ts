import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuildResult } from '../../../build/report/build-result.ts';
import { KEPT_SNAPSHOTS } from '../../../data/store/layout.ts';
import { listSnapshots } from '../../../data/store/snapshots.ts';
import type { DealsRun } from '../../unit/cli/run-deals.ts';
import { isMissing, tool } from '../needs.ts';
import { TIER } from '../tier.ts';
import { HeldDeals } from './held-deals.ts';
import { expectWhole } from './expectations.ts';
import { findLeftovers, findServed, Night } from './night.ts';
import { runDeals } from '../run-deals.ts';
import { EXIT } from '../../../cli/console/command.ts';

const TIMEOUT_MS = 240_000;
const HOUR_MS = 3_600_000;

/** What the clock on the wall says at one build after the other, and where that wall is. */
const WRONG_CLOCKS = [
  ['set back two days', 'UTC', '2026-11-17 02:30:00'],
  ['set forward 400 days', 'UTC', '2027-12-24 02:30:00'],
  ['right again', 'UTC', '2026-11-20 02:30:00'],
  ['before summer time ends', 'Europe/London', '2026-10-25 00:59:59'],
  ['in the hour that comes twice', 'Europe/London', '2026-10-25 01:30:00'],
  ['after summer time has ended', 'Europe/London', '2026-10-25 02:00:01'],
  ['before summer time begins', 'Europe/London', '2027-03-28 00:59:59'],
  ['after summer time has begun', 'Europe/London', '2027-03-28 02:00:01'],
  ['on the leap day', 'UTC', '2028-02-29 02:30:00'],
  ['after the leap day', 'UTC', '2028-03-01 00:00:00'],
] as const;

describe.skipIf(TIER === 'first' || isMissing('builds with a wrong clock', tool('faketime')))(
  'the clock (promise 5)',
  () => {
    const night = new Night();

    beforeAll(async () => {
      const held = await HeldDeals.start();
      await night.prepare(held);
      await held.kill();
    });
    afterAll(() => night.remove());

    function build(store: string, zone: string, time: string): Promise<DealsRun> {
      const words = night.build(store).slice(0, -2);
      // Files keep the times that they have.
      const env = { TZ: zone, NO_FAKE_STAT: '1', FAKE_UTIME: '0' };
      return runDeals([...words, '--json'], { before: ['faketime', time], env });
    }

    it(
      'does not decide which snapshot is the newest: every build that publishes is, regardless of the time',
      async () => {
        const store = night.createStore('store');
        const inOrder = listSnapshots(store).map(({ id }) => id);
        for (const [number, [when, zone, time]] of WRONG_CLOCKS.entries()) {
          await night.writePrice(20 + number);
          const { exitCode, stdout, stderr } = await build(store, zone, time);
          expect(exitCode, `${when}: ${stderr}`).toBe(0);
          const { outcome, snapshot = '', builtAt } = JSON.parse(stdout) as BuildResult;
          expect(outcome, when).toBe('published');
          // It did take the time for that, but for the zone and for how long the build takes.
          expect(Math.abs(Date.parse(builtAt) - Date.parse(`${time}Z`)), when).toBeLessThan(2 * HOUR_MS);
          inOrder.push(snapshot);
          expect(findServed(store), when).toEqual({ current: snapshot, issues: [] });
          const kept = listSnapshots(store).map(({ id }) => id);
          // Retention may keep more, by the clock: the newest are there, in the order in which they were built.
          expect(kept.slice(-KEPT_SNAPSHOTS), when).toEqual(inOrder.slice(-KEPT_SNAPSHOTS));
          expect(kept, when).toEqual(inOrder.filter((id) => kept.includes(id)));
          expect(findLeftovers(store), when).toEqual([]);
        }
      },
      TIMEOUT_MS,
    );

    it(
      'that says the same minute again gives the same content its name again, and the newest place in the order',
      async () => {
        const store = night.createStore('again');
        const publish = async (price: number): Promise<string> => {
          await night.writePrice(price);
          const { exitCode, stdout, stderr } = await build(store, 'UTC', '2026-11-20 02:30:00');
          expect(exitCode, stderr).toBe(0);
          return (JSON.parse(stdout) as BuildResult).snapshot ?? '';
        };
        const first = await publish(41);
        const second = await publish(42);
        expect(await publish(41)).toBe(first);
        expect(
          listSnapshots(store)
            .map(({ id }) => id)
            .slice(-2),
        ).toEqual([second, first]);
        expectWhole(store, first);
      },
      TIMEOUT_MS,
    );

    it.each([
      ['set back two days keeps its deals', '2026-11-17 02:30:00', 'carried-forward', 8],
      ['set forward 400 days loses them, since they seem too old', '2027-12-24 02:30:00', 'failed', 4],
    ] as const)(
      'that is %s, when a feed cannot be read',
      async (_, time, state, deals) => {
        const store = night.createStore('carried');
        await night.writePrice(50);
        writeFileSync(join(night.root, 'site', 'feeds', 'night', 'deals.csv'), 'not,the,columns\n1,2,3\n');
        const { exitCode, stdout, stderr } = await build(store, 'UTC', time);
        expect(exitCode, stderr).toBe(EXIT.attention);
        const { report, counts } = JSON.parse(stdout) as BuildResult;
        expect(report.sources.find(({ name }) => name === 'night')?.state).toBe(state);
        expect(counts.deals).toBe(deals);
        expect(findServed(store).issues).toEqual([]);
      },
      TIMEOUT_MS,
    );
  },
);
