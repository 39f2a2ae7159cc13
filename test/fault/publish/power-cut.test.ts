import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, tool } from '../needs.ts';
import { byTier, TIER } from '../tier.ts';
import { HeldDeals } from './held-deals.ts';
import { buildKilledAt, isChange, listCalls, listPaths, spread } from './kill-points.ts';
import { LOOP_DISK_NEEDS, LoopDisk, POWER_CUTS, type PowerCut } from './loop-disk.ts';
import { findLeftovers, findServed, Night } from './night.ts';
import { findUnsafe } from './unsafe-steps.ts';

const TIMEOUT_MS = byTier({ first: 60_000, second: 600_000, long: 6 * 3_600_000 });

const CUTS_AFTER = byTier({ first: 0, second: 10, long: 100 });
const CUTS_WITHIN = byTier({ first: 0, second: 30, long: 900 });

const HOWS = Object.keys(POWER_CUTS) as PowerCut[];

describe('a power cut (promise 2)', () => {
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

  it.skipIf(isMissing('the order of the steps of a build', tool('strace')))(
    'finds every file and every name on the disk before it is relied on, and all of them when the build has ended',
    async () => expect(findUnsafe(await listCalls(night, held))).toEqual([]),
    TIMEOUT_MS,
  );

  describe.skipIf(TIER === 'first' || isMissing('power cuts', tool('strace'), ...LOOP_DISK_NEEDS))('on ext4', () => {
    let disk: LoopDisk;

    beforeAll(() => {
      disk = new LoopDisk(night.root, 'disk');
    });
    afterAll(() => disk.remove());

    it(
      `after a build that ended well keeps what it published (${CUTS_AFTER} cuts)`,
      async () => {
        for (let cut = 0; cut < CUTS_AFTER; cut++) {
          const how = HOWS[cut % HOWS.length] as PowerCut;
          night.restore(disk.folder);
          disk.sync();
          expect((await held.run(...night.build(disk.folder))).exitCode).toBe(0);
          disk.cut(how);
          expect(findServed(disk.folder), `cut ${cut}, ${how}`).toEqual({ current: night.tonight, issues: [] });
        }
      },
      TIMEOUT_MS,
    );

    it(
      `in the middle of a build leaves the old snapshot or the new (${CUTS_WITHIN} cuts)`,
      async () => {
        const calls = await listCalls(night, held);
        const paths = listPaths(calls);
        const points = calls.filter(isChange);
        const begin = points.findIndex(({ name, text }) => name === 'mkdir' && text.includes('/.new-'));
        // The same points again where there are more cuts than points, then with the journal the other way.
        const chosen = spread(points.slice(begin), CUTS_WITHIN);
        for (let cut = 0; cut < CUTS_WITHIN; cut++) {
          const call = chosen[cut % chosen.length] as (typeof chosen)[number];
          const how = HOWS[(cut + Math.floor(cut / chosen.length)) % HOWS.length] as PowerCut;
          const where = `cut ${cut} at ${call.name} ${call.ordinal}, ${how}: ${call.text}`;
          night.restore(disk.folder);
          disk.sync();
          expect(await buildKilledAt({ night, store: disk.folder, call, paths }), where).toBe(true);
          disk.cut(how);
          const { current, issues } = findServed(disk.folder);
          expect([night.before, night.tonight], where).toContain(current);
          expect(issues, where).toEqual([]);
          const { exitCode, stderr } = await held.run(...night.build(disk.folder));
          expect(exitCode, `${where}: the next build: ${stderr}`).toBe(0);
          expect({ ...findServed(disk.folder), leftovers: findLeftovers(disk.folder) }, where).toEqual({
            current: night.tonight,
            issues: [],
            leftovers: [],
          });
        }
      },
      TIMEOUT_MS,
    );
  });
});
