import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../../data/snapshot/format.ts';
import { describeHealth } from '../../../../server/routes/health.ts';

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

  it('says stale of a snapshot from the future, also where a build has confirmed it; minutes are the difference of two clocks', () => {
    expect(ready(after(-HOUR_MS))?.body).toMatchObject({ ageSeconds: -3_600, stale: true });
    const lastBuild = { current: MANIFEST.id, confirmedAt: after(-2 * HOUR_MS).toISOString() };
    expect(describeHealth('/health/ready', MANIFEST, after(-HOUR_MS), 26, lastBuild)?.body).toMatchObject({
      stale: true,
    });
    expect(ready(after(-60_000))?.body).toMatchObject({ ageSeconds: 0, stale: false });
  });

  it('takes a confirmation from the future for none', () => {
    const lastBuild = { current: MANIFEST.id, confirmedAt: after(9_000 * HOUR_MS).toISOString() };
    expect(describeHealth('/health/ready', MANIFEST, after(27 * HOUR_MS), 26, lastBuild)?.body).toMatchObject({
      stale: true,
    });
  });

  it('says that the key file cannot be read when that lasts for more than 10 seconds', () => {
    const body = (seconds: number) => describeHealth('/health/ready', MANIFEST, after(0), 26, undefined, seconds)?.body;
    expect(body(11)).toMatchObject({ status: 'ready', keysUnreadableSeconds: 11 });
    expect(body(10)).not.toHaveProperty('keysUnreadableSeconds');
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
