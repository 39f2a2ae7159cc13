import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { acquireStoreLock } from '../../../../data/store/lock.ts';
import { addKey } from '../../../../server/keys/key-file.ts';
import { findLockAgeSeconds } from '../../../../server/metrics/collect-metrics.ts';
import { startServer } from '../../../../server/start.ts';
import { revisionOf, writePullState } from '../../../support/pull-state.ts';
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

/** A server over the store, and its metrics whose names begin with a text. */
async function startWithMetrics(now: Date) {
  const keysFile = join(folder, 'keys.json');
  await addKey(keysFile, { name: 'website' }, now);
  const start = { store, keysFile, host: '127.0.0.1', port: 0, metricsPort: 0, now: () => now };
  const server = await startServer(start);
  const readMetrics = async (prefix: string): Promise<readonly string[]> => {
    const text = await (await fetch(server.metricsUrl ?? '')).text();
    return text.split('\n').filter((line) => line.startsWith(prefix));
  };
  return { ...server, readMetrics };
}

it('a metric tells of each source whether it is held, and how old what it gives is', async () => {
  writeSmallSource(join(folder, 'site'));
  await build('2026-11-20');
  // Nothing has changed: the build has read both all the same.
  await build('2026-11-21');
  const server = await startWithMetrics(new Date('2026-11-21T06:00:00Z'));
  const readSources = () => server.readMetrics('deals_source_');
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

it('metrics tell what came from an object store, and nothing where snapshots are built', async () => {
  const server = await startWithMetrics(new Date('2026-11-21T06:00:00Z'));
  const readPull = () => server.readMetrics('deals_pull_');
  expect(await readPull()).toEqual([]);
  writePullState(store, {
    announced: revisionOf({ revision: 42, activateAt: '2026-11-21T05:59:00.000Z', leadSeconds: 60 }),
    current: revisionOf({ revision: 41 }),
    lastContactAt: '2026-11-21T05:59:50.000Z',
    failures: { blob: 3 },
    refusals: 2,
    fetchedBytes: 1_000,
  });
  expect(await readPull()).toEqual([
    `deals_pull_last_contact_timestamp_seconds ${Date.parse('2026-11-21T05:59:50Z') / 1_000}`,
    'deals_pull_announced_revision 42',
    'deals_pull_current_revision 41',
    'deals_pull_overdue_seconds 60',
    'deals_pull_lead_seconds 60',
    ...['head 0', 'record 0', 'manifest 0', 'blob 3', 'image 0', 'disk 0', 'switch 0'].map((text) =>
      text.replace(/^(\w+)/, 'deals_pull_failures_total{step="$1"}'),
    ),
    'deals_pull_refusals_total 2',
    'deals_pull_fetched_bytes_total 1000',
  ]);
  writeFileSync(join(store, 'pull.json'), '{');
  expect(await readPull()).toEqual([]);
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
