import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { EXIT } from '../../../cli/console/command.ts';
import type { PullState } from '../../../data/store/pull-state.ts';
import { until } from '../../harness.ts';
import type { TestStore } from '../../support/memory-s3.ts';
import { requireSuccess } from '../../unit/cli/run-deals.ts';
import { isMissing, root, tool } from '../needs.ts';
import type { RunningDeals } from '../run-deals.ts';
import { openTestStores, readCurrentId, RemoteSite } from './remote-site.ts';

const DISK_BYTES = 80 * 1024 * 1024;
const INODES = 400;
const PAGE_BYTES = 4_096;

/** A pull leaves so much free, and refuses what does not fit. */
const RESERVE_BYTES = 64 * 1024 * 1024;

const LEAD_SECONDS = 4;

/** A busy machine starts a process in this time. */
const SLACK_MS = 6_000;

const stores = await openTestStores();
let site: RemoteSite;

afterEach(() => site.remove());
afterAll(() => stores.stop());

function expectSound(server: string, id: string): void {
  expect(readCurrentId(site.server(server))).toBe(id);
  expect(verifySnapshot(site.server(server), id)).toEqual([]);
}

describe.skipIf(isMissing('servers with a full disk', root, tool('mount')))('a server whose disk', () => {
  let disk: string;
  let old: string;
  let next: string;

  beforeEach(async () => {
    site = await RemoteSite.create(stores.memory);
    disk = site.server('disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},nr_inodes=${INODES}`, 'tmpfs', disk]);
    old = site.publish();
    requireSuccess(await site.push());
    requireSuccess(await site.pull('disk/server'));
    next = site.publish();
    requireSuccess(await site.push());
  });
  afterEach(() => {
    execFileSync('umount', ['--lazy', disk]);
  });

  /** Leaves so many bytes of the disk. */
  function fill(freeBytes: number): void {
    const pages = statfsSync(disk).bfree - Math.floor(freeBytes / PAGE_BYTES);
    writeFileSync(join(disk, 'filler'), Buffer.alloc(pages * PAGE_BYTES));
  }

  function freeBytes(): number {
    return statfsSync(disk).bfree * PAGE_BYTES;
  }

  function readState(): PullState {
    return JSON.parse(readFileSync(join(disk, 'server', 'pull.json'), 'utf8')) as PullState;
  }

  async function expectThatItGoesOn(): Promise<void> {
    requireSuccess(await site.pull('disk/server'));
    expectSound('disk/server', next);
    expect(readdirSync(join(disk, 'server')).filter((name) => name.startsWith('.'))).toEqual([]);
  }

  it('has less free than a pull keeps free refuses the snapshot before it writes it', async () => {
    fill(RESERVE_BYTES);
    const before = freeBytes();
    const pulled = await site.pull('disk/server');
    expect(pulled).toMatchObject({ exitCode: EXIT.failed, stderr: expect.stringContaining('free on the disk') });
    expect(pulled.stderr).toContain('make room');
    expect(readState()).toMatchObject({ lastFailure: { step: 'disk' }, failures: { disk: 1 } });
    expect(before - freeBytes()).toBeLessThan(10 * PAGE_BYTES);
    expectSound('disk/server', old);
    rmSync(join(disk, 'filler'));
    await expectThatItGoesOn();
  });

  it.each([0, 1, 2, 3, 5, 10])(
    'has %i pages free keeps the old snapshot, and goes on when there is room',
    async (pages) => {
      fill(pages * PAGE_BYTES);
      const pulled = await site.pull('disk/server');
      expect(pulled.exitCode, pulled.stderr).toBe(EXIT.failed);
      expect(pulled.stderr).toMatch(/disk: /);
      expectSound('disk/server', old);
      rmSync(join(disk, 'filler'));
      await expectThatItGoesOn();
    },
  );

  it.each([
    ['a file', /blob/],
    ['a picture', /images/],
  ])('is filled while %s comes keeps the old snapshot, and goes on when there is room', async (_, path) => {
    const run = (): void => fill(0);
    site.proxy.inject({ method: 'GET', path, nth: 1, fault: { kind: 'call', at: 'after', run } });
    const pulled = await site.pull('disk/server');
    expect(pulled.exitCode, pulled.stderr).toBe(EXIT.failed);
    expect(pulled.stderr).toContain('ENOSPC');
    expectSound('disk/server', old);
    rmSync(join(disk, 'filler'));
    await expectThatItGoesOn();
  });

  it('has no room for another file keeps the old snapshot, and goes on when there is', async () => {
    const { ffree } = statfsSync(disk);
    mkdirSync(join(disk, 'many'));
    for (let number = 0; number < ffree - 8; number++) writeFileSync(join(disk, 'many', String(number)), '');
    const pulled = await site.pull('disk/server');
    expect(pulled.exitCode, pulled.stderr).toBe(EXIT.failed);
    expect(pulled.stderr).toContain('ENOSPC');
    expectSound('disk/server', old);
    rmSync(join(disk, 'many'), { recursive: true });
    await expectThatItGoesOn();
  });

  it('becomes read only keeps the old snapshot, and a watching pull goes on when it can be written again', async () => {
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const pulled = await site.pull('disk/server');
    expect(pulled).toMatchObject({ exitCode: EXIT.failed, stderr: expect.stringContaining('EROFS') });
    expectSound('disk/server', old);
    const watching = site.start(site.pullWords('disk/server', '--watch', '--every', '1'));
    try {
      await new Promise((resolve) => {
        setTimeout(resolve, 3_000);
      });
      expect(watching.hasEnded).toBe(false);
      execFileSync('mount', ['-o', 'remount,rw', disk]);
      await until(async () => readCurrentId(join(disk, 'server')) === next);
    } finally {
      watching.kill('SIGKILL');
      await watching.ended;
    }
    expectSound('disk/server', next);
  }, 60_000);
});

describe.skipIf(isMissing('servers with a wrong clock', tool('faketime'))).each(stores.all)(
  'a clock that is wrong, over %s',
  (_, store: TestStore) => {
    beforeEach(async () => {
      site = await RemoteSite.create(store);
    });

    function startAt(offset: string, words: readonly string[]): RunningDeals {
      return site.start(words, ['env', 'DONT_FAKE_MONOTONIC=1', 'NO_FAKE_STAT=1', 'faketime', '-f', offset]);
    }

    /** From its first request to its switch, in milliseconds. */
    async function pullAt(offset: string, id: string): Promise<number> {
      let startMs = 0;
      const run = (): void => {
        startMs = performance.now();
      };
      site.proxy.reset();
      site.proxy.inject({ nth: 1, fault: { kind: 'call', at: 'before', run } });
      const pulling = startAt(offset, site.pullWords('server'));
      await until(async () => pulling.hasEnded || readCurrentId(site.server('server')) === id, 60_000);
      const tookMs = performance.now() - startMs;
      requireSuccess(await pulling.ended);
      expectSound('server', id);
      return tookMs;
    }

    it.each([
      ['an hour ahead switches early', '+1h', 0],
      ['an hour behind switches a lead late at most', '-1h', LEAD_SECONDS],
      ['a day behind does so, too', '-24h', LEAD_SECONDS],
      ['a year ahead switches early, too', '+365d', 0],
    ])(
      'of a server that is %s, and the order is right',
      async (__, offset, waitedSeconds) => {
        for (let number = 0; number < 2; number++) {
          const id = site.publish();
          requireSuccess(await site.push('--lead', String(LEAD_SECONDS)));
          const tookMs = await pullAt(offset, id);
          expect(tookMs).toBeGreaterThan(waitedSeconds * 1_000 - 100);
          expect(tookMs).toBeLessThan(waitedSeconds * 1_000 + SLACK_MS);
        }
        const state = JSON.parse(readFileSync(join(site.server('server'), 'pull.json'), 'utf8')) as PullState;
        expect(state.current?.revision).toBe(2);
        expect(state.refusals).toBe(0);
      },
      120_000,
    );

    it.each([
      ['an hour ahead', '+1h', LEAD_SECONDS],
      ['an hour behind', '-1h', 0],
      ['two days ahead', '+48h', LEAD_SECONDS],
      ['two days behind', '-48h', 0],
    ])(
      'of a builder that is %s publishes in order, deletes nothing that is needed, and servers wait for a lead at most',
      async (__, offset, waitedSeconds) => {
        for (let number = 0; number < 2; number++) {
          const id = site.publish();
          const pushed = await startAt(offset, site.pushWords('--lead', String(LEAD_SECONDS))).ended;
          expect(pushed.exitCode, pushed.stderr).toBe(EXIT.ok);
          expect((await site.read()).faults).toEqual([]);
          const tookMs = await pullAt('+0', id);
          expect(tookMs).toBeGreaterThan(waitedSeconds * 1_000 - 100);
          expect(tookMs).toBeLessThan(waitedSeconds * 1_000 + SLACK_MS);
        }
        // Another builder, whose clock is right, goes on.
        const last = site.publish();
        requireSuccess(await site.push());
        const { records, head, faults } = await site.read();
        expect([records[0]?.snapshot, records.length, head, faults]).toEqual([last, 3, 3, []]);
      },
      120_000,
    );
  },
);
