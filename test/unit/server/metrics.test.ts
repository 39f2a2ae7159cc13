import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { acquireStoreLock } from '../../../data/store/lock.ts';
import { addKey } from '../../../server/keys/key-file.ts';
import { findLockAgeSeconds } from '../../../server/metrics.ts';
import { runDeals, withServer, type TestServer } from '../../harness.ts';
import { writePullState } from '../../support/pull-state.ts';
import { writeSmallSource } from '../cli/small-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'deals-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

const store = join(folder, 'store');
const feed = join(folder, 'site/feeds/house/deals.csv');
const keysFile = join(folder, 'keys.json');

async function build(now: string): Promise<void> {
  const config = join(folder, 'site/catalogue.json');
  await runDeals(['build', '--config', config, '--store', store, '--now', now, '--quiet']);
}

/** The lines of a server's metrics whose names begin with a text. */
async function readMetrics({ metricsUrl = '' }: TestServer, prefix: string): Promise<readonly string[]> {
  const text = await (await fetch(metricsUrl)).text();
  return text.split('\n').filter((line) => line.startsWith(prefix));
}

it('a metric tells of each source whether it is held, and how old what it gives is', async () => {
  writeSmallSource(join(folder, 'site'));
  await build('2026-11-20');
  // Nothing has changed: the build has read both all the same.
  await build('2026-11-21');
  const now = new Date('2026-11-21T06:00:00Z');
  const { keyText: key } = await addKey(keysFile, { name: 'website' }, now);
  const server = await withServer({ on: { folder, store, keysFile, key }, metricsPort: 0, now: () => now });
  expect(await readMetrics(server, 'deals_source_')).toEqual([
    'deals_source_held{source="site"} 0',
    'deals_source_held{source="house"} 0',
    'deals_source_age_seconds{source="site"} 21600',
    'deals_source_age_seconds{source="house"} 21600',
  ]);
  renameSync(feed, `${feed}.away`);
  await build('2026-11-21T05:00:00Z');
  await server.refresh();
  expect(await readMetrics(server, 'deals_source_')).toEqual([
    'deals_source_held{source="site"} 0',
    'deals_source_held{source="house"} 1',
    'deals_source_age_seconds{source="site"} 3600',
    'deals_source_age_seconds{source="house"} 21600',
  ]);
});

it('metrics tell what came from an object store, and nothing where snapshots are built', async () => {
  const now = new Date('2026-11-21T06:00:00Z');
  const server = await withServer({ metricsPort: 0, now: () => now });
  expect(await readMetrics(server, 'deals_pull_')).toEqual([]);
  writePullState(server.store, {
    revision: 41,
    lastContactAt: '2026-11-21T05:59:50.000Z',
    failures: 3,
  });
  await server.refresh();
  expect(await readMetrics(server, 'deals_pull_')).toEqual([
    `deals_pull_last_contact_timestamp_seconds ${Date.parse('2026-11-21T05:59:50Z') / 1_000}`,
    'deals_pull_failures_total 3',
  ]);
  writeFileSync(join(server.store, 'pull.json'), '{');
  await server.refresh();
  expect(await readMetrics(server, 'deals_pull_')).toEqual([]);
});

describe('the age of the lock of a store', () => {
  const lockedStore = join(folder, 'locked');
  mkdirSync(lockedStore);

  it('is there while a build holds it, grows, and is not negative when the clock was set back', async () => {
    expect(await findLockAgeSeconds(lockedStore, new Date())).toBeUndefined();
    const lock = acquireStoreLock(lockedStore);
    const takenAt = new Date('2026-11-20T02:30:00Z');
    utimesSync(join(lockedStore, 'build.lock'), takenAt, takenAt);
    expect(await findLockAgeSeconds(lockedStore, new Date('2026-11-20T03:30:00Z'))).toBe(3_600);
    expect(await findLockAgeSeconds(lockedStore, new Date(0))).toBe(0);
    lock.release();
    expect(await findLockAgeSeconds(lockedStore, new Date())).toBeUndefined();
  });
});
