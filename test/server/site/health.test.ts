import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../data/snapshot/format.ts';
import { describeHealth } from '../../../server/site/health.ts';

const MANIFEST = { id: '20261119T0230Z-1c77e0d2', createdAt: '2026-11-19T02:30:00Z' } as Manifest;
const HOUR_MS = 3_600_000;
const after = (milliseconds: number) => new Date(Date.parse(MANIFEST.createdAt) + milliseconds);
const ready = (now: Date) => describeHealth('/health/ready', MANIFEST, now, 26);

describe('health (D19)', () => {
  it.each(['/health/live', '/health/live/'])('%s says that the server is up, also without a snapshot', (path) => {
    expect(describeHealth(path, undefined, after(0), 26)).toMatchObject({ status: 200, body: { status: 'live' } });
  });

  it.each(['/health/ready', '/health/ready/'])('%s names the snapshot and its age', (path) => {
    expect(describeHealth(path, MANIFEST, after(90_500), 26)).toMatchObject({
      status: 200,
      body: {
        status: 'ready',
        snapshot: MANIFEST.id,
        createdAt: MANIFEST.createdAt,
        ageSeconds: 90,
        stale: false,
      },
    });
  });

  it('says stale past the age that was set, and not at it', () => {
    expect(ready(after(26 * HOUR_MS))?.body).toMatchObject({ ageSeconds: 93_600, stale: false });
    expect(ready(after(26 * HOUR_MS + 1_000))?.body).toMatchObject({ ageSeconds: 93_601, stale: true });
  });

  it('is not stale after nights in which nothing changed, as long as builds confirm it', () => {
    const now = after(60 * HOUR_MS);
    const confirmed = (current: string, hours: number) =>
      describeHealth('/health/ready', MANIFEST, now, 26, {
        current,
        confirmedAt: after(hours * HOUR_MS).toISOString(),
      });
    expect(confirmed(MANIFEST.id, 48)?.body).toMatchObject({ ageSeconds: 60 * 3_600, stale: false });
    expect(confirmed(MANIFEST.id, 33)?.body).toMatchObject({ stale: true });
    // What was confirmed is another one, which is not served.
    expect(confirmed('20261120T0230Z-00000000', 48)?.body).toMatchObject({ stale: true });
  });

  it('gives no negative age to a snapshot of a clock that is ahead', () => {
    expect(ready(after(-HOUR_MS))?.body).toMatchObject({ ageSeconds: 0, stale: false });
  });

  it('is 503 without a snapshot, with the time to try again', () => {
    expect(describeHealth('/health/ready', undefined, after(0), 26)).toEqual({
      status: 503,
      headers: { 'Retry-After': '30' },
      body: { status: 'no-snapshot' },
    });
  });

  it.each(['/health', '/health/', '/health/live/x', '/HEALTH/live'])('%s is nothing', (path) => {
    expect(describeHealth(path, MANIFEST, after(0), 26)).toBeUndefined();
  });
});
