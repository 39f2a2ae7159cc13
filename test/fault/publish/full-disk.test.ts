import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isMissing, root, tool } from '../needs.ts';
import { byTier, TIER } from '../tier.ts';
import { HeldDeals } from './held-deals.ts';
import { spread } from './kill-points.ts';
import { expectExplained, expectNextBuild } from './expectations.ts';
import { Night } from './night.ts';

const TIMEOUT_MS = byTier({ first: 60_000, second: 300_000, long: 600_000 });

const DISK_BYTES = 1024 * 1024;
const PAGE_BYTES = 4096;

/** With as many free pages a build has room enough. */
const MAX_FREE_PAGES = 40;
const TRIALS = byTier({ first: 3, second: 20, long: MAX_FREE_PAGES + 1 });
const LIMITS = byTier({ first: 3, second: Infinity, long: Infinity });

describe.skipIf(TIER === 'first')('a build that has not enough room (promise 3)', () => {
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

  it.skipIf(isMissing('a full disk', root, tool('mount')))(
    'explains a full disk, whenever it is full, and leaves the old snapshot served',
    async () => {
      const disk = join(night.root, 'full');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk]);
      onTestFinished(() => void execFileSync('umount', [disk]));
      const store = join(disk, 'store');
      const filler = join(disk, 'filler');
      const exitCodes = new Set<number | null>();
      for (const freePages of spread([...Array(MAX_FREE_PAGES + 1).keys()], TRIALS)) {
        const where = `${freePages} free pages`;
        night.restore(store);
        writeFileSync(filler, Buffer.alloc((statfsSync(disk).bfree - freePages) * PAGE_BYTES));
        const ended = await held.run(...night.build(store));
        exitCodes.add(ended.exitCode);
        expectExplained(night, store, ended, false, where);
        rmSync(filler);
        await expectNextBuild(night, held, store, where);
      }
      expect([...exitCodes]).toEqual([1, 0]);
    },
    TIMEOUT_MS,
  );

  it.skipIf(isMissing('writes that are cut short', tool('prlimit')))(
    'notices that a write was cut short, in whichever file it is',
    async () => {
      const store = night.createStore('short');
      expect((await held.run(...night.build(store))).exitCode).toBe(0);
      const folder = join(store, night.tonight);
      const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
      const limits = [...new Set([0, 1, ...sizes.flatMap((size) => [Math.floor(size / 2), size - 1])])]
        .filter((limit) => limit >= 0)
        .sort((a, b) => a - b);
      for (const limit of spread(limits, LIMITS)) {
        const where = `no file larger than ${limit} bytes`;
        night.restore(store);
        limitFiles(held, limit);
        const ended = await held.run(...night.build(store));
        limitFiles(held, 'unlimited');
        expect(ended.exitCode, where).toBe(1);
        expectExplained(night, store, ended, false, where);
        await expectNextBuild(night, held, store, where);
      }
    },
    TIMEOUT_MS,
  );
});

function limitFiles(held: HeldDeals, limit: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(held.pid), `--fsize=${limit}:unlimited`]);
}
