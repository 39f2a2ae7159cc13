import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { acquireStoreLock } from '../../../../data/store/lock.ts';
import { addKey } from '../../../../server/keys/key-file.ts';
import { findLockAgeSeconds } from '../../../../server/metrics/collect-metrics.ts';
import { startServer } from '../../../../server/start.ts';
import { callDeals } from '../../cli/call-deals.ts';
import { writeSmallSource } from '../../cli/small-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'deals-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

const store = join(folder, 'store');
const feed = join(folder, 'site/feeds/house/deals.csv');

async function build(now: string): Promise<void> {
  const config = join(folder, 'site/catalogue.json');
  await callDeals(['build', '--config', config, '--store', store, '--now', now, '--quiet']);
}

it('a metric tells of each source whether it is held, and how old what it gives is', async () => {
  writeSmallSource(join(folder, 'site'));
  await build('2026-11-20');
  // Nothing has changed: the build has read both all the same.
  await build('2026-11-21');
  const keysFile = join(folder, 'keys.json');
  const now = new Date('2026-11-21T06:00:00Z');
  await addKey(keysFile, { name: 'website' }, now);
  let metrics = '';
  const log = (entry: { readonly event: string; readonly url?: unknown }): void => {
    if (entry.event === 'metrics-listening') metrics = String(entry.url);
  };
  const server = await startServer({
    store,
    keysFile,
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    log,
    now: () => now,
  });
  const readSources = async (): Promise<readonly string[]> => {
    const text = await (await fetch(metrics)).text();
    return text.split('\n').filter((line) => line.startsWith('deals_source_'));
  };
  expect(await readSources()).toEqual([
    'deals_source_held{source="site"} 0',
    'deals_source_held{source="house"} 0',
    'deals_source_age_seconds{source="site"} 21600',
    'deals_source_age_seconds{source="house"} 21600',
  ]);
  renameSync(feed, `${feed}.away`);
  await build('2026-11-21T05:00:00Z');
  await server.refresh();
  expect(await readSources()).toEqual([
    'deals_source_held{source="site"} 0',
    'deals_source_held{source="house"} 1',
    'deals_source_age_seconds{source="site"} 3600',
    'deals_source_age_seconds{source="house"} 21600',
  ]);
  await server.close();
});

describe('the age of the lock of a store', () => {
  const lockedStore = join(folder, 'locked');
  mkdirSync(lockedStore);

  it('is there while a build holds it, and grows', async () => {
    expect(await findLockAgeSeconds(lockedStore, new Date())).toBeUndefined();
    const lock = acquireStoreLock(lockedStore);
    const takenAt = new Date('2026-11-20T02:30:00Z');
    utimesSync(join(lockedStore, 'build.lock'), takenAt, takenAt);
    expect(await findLockAgeSeconds(lockedStore, new Date('2026-11-20T03:30:00Z'))).toBe(3_600);
    lock.release();
    expect(await findLockAgeSeconds(lockedStore, new Date())).toBeUndefined();
  });

  it('is not negative when the clock was set back', async () => {
    const lock = acquireStoreLock(lockedStore);
    expect(await findLockAgeSeconds(lockedStore, new Date(0))).toBe(0);
    lock.release();
  });
});
