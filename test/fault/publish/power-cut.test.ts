import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing, type Need, root, tool } from '../needs.ts';
import { byTier, TIER } from '../tier.ts';
import { HeldDeals } from './held-deals.ts';
import { buildKilledAt, isChange, listCalls, listPaths, spread } from './kill-points.ts';
import { expectNextBuild } from './expectations.ts';
import { findServed, Night } from './night.ts';
import { findUnsafe } from './unsafe-steps.ts';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DISK_BYTES = 64 * 1024 * 1024;

/** EXT4_IOC_SHUTDOWN, _IOR('X', 125, __u32): the file system takes nothing more, as when the power goes. */
const SHUTDOWN = 0x80_04_58_7d;

/** What becomes of the journal in memory when the power goes: it is written, or it is lost too. */
const POWER_CUTS = { 'with the journal written': 1, 'with the journal lost': 2 } as const;
type PowerCut = keyof typeof POWER_CUTS;

const LOOP_DISK_NEEDS: readonly Need[] = [
  root,
  tool('mkfs.ext4'),
  tool('mount'),
  tool('perl'),
  { name: 'a loop device', isThere: existsSync('/dev/loop-control') },
];

/** A disk of its own, ext4 in a file, of which the power can be cut. */
class LoopDisk {
  readonly folder: string;
  readonly #image: string;

  constructor(root: string, name: string) {
    this.folder = join(root, name);
    this.#image = join(root, `${name}.img`);
    mkdirSync(this.folder);
    writeFileSync(this.#image, '');
    truncateSync(this.#image, DISK_BYTES);
    run('mkfs.ext4', '-q', '-F', this.#image);
    this.#mount();
  }

  /** Writes what is there to the disk, so that a cut takes only what comes after. */
  sync(): void {
    run('sync', '-f', this.folder);
  }

  /** Cuts the power, and starts again: what was not on the disk is gone. */
  cut(how: PowerCut): void {
    const shutdown = `open(my $d, "<", $ARGV[0]) or die $!; ioctl($d, ${SHUTDOWN}, pack("L", $ARGV[1])) or die $!`;
    run('perl', '-e', shutdown, this.folder, String(POWER_CUTS[how]));
    run('umount', this.folder);
    this.#mount();
  }

  remove(): void {
    run('umount', this.folder);
    rmSync(this.#image);
  }

  #mount(): void {
    run('mount', '-o', 'loop', this.#image, this.folder);
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: SYSTEM_PATH } });
}

/** With the programs of root, which is not always on the PATH of a test. */
const SYSTEM_PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;

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
          await expectNextBuild(night, held, disk.folder, where);
        }
      },
      TIMEOUT_MS,
    );
  });
});
