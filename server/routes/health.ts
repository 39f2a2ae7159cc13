import type { LastBuild } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { sendResponse } from '../http/send.ts';
import { describeAge, LastConfirmation } from '../status/freshness.ts';
import type { Route, RouteContext } from './context.ts';

/** `/health/live` and `/health/ready` (D19). */
export function findHealthResponse({
  store,
  snapshots,
  settings,
  now,
  keysUnreadableSeconds,
}: RouteContext): Route['find'] {
  const { staleAfterHours } = settings;
  const confirmation = new LastConfirmation(store);
  return async ({ path }) => {
    const manifest = snapshots.current?.manifest;
    const asked = now();
    // `/health/live` must not depend on the disk.
    const lastBuild =
      manifest === undefined || !path.startsWith('/health/ready')
        ? undefined
        : await confirmation.find(manifest, asked, staleAfterHours);
    const health = describeHealth(path, manifest, asked, staleAfterHours, lastBuild, keysUnreadableSeconds?.());
    if (health === undefined) return undefined;
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...health.headers };
    const response = { status: health.status, headers, body: [JSON.stringify(health.body)] };
    return (req, res) => sendResponse(req, res, response);
  };
}

interface Health {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A key file may be missing for a moment while another takes its place. */
const KEYS_ALARM_SECONDS = 10;

/**
 * The responses of `/health/live` and `/health/ready`; undefined for any other path (D19).
 * @param lastBuild a snapshot that it has confirmed is not stale
 * @param keysUnreadableSeconds how long the key file cannot be read: keys that were revoked since then still work
 */
export function describeHealth(
  path: string,
  manifest: Manifest | undefined,
  now: Date,
  staleAfterHours: number,
  lastBuild?: Pick<LastBuild, 'current' | 'confirmedAt'>,
  keysUnreadableSeconds = 0,
): Health | undefined {
  if (path === '/health/live' || path === '/health/live/')
    return { status: 200, headers: {}, body: { status: 'live' } };
  if (path !== '/health/ready' && path !== '/health/ready/') return undefined;
  if (manifest === undefined) {
    return { status: 503, headers: { 'Retry-After': '30' }, body: { status: 'no-snapshot' } };
  }
  const { ageSeconds, stale } = describeAge(manifest, lastBuild, now, staleAfterHours);
  return {
    status: 200,
    headers: {},
    body: {
      status: 'ready',
      snapshot: manifest.id,
      createdAt: manifest.createdAt,
      ageSeconds,
      stale,
      ...(keysUnreadableSeconds > KEYS_ALARM_SECONDS ? { keysUnreadableSeconds } : {}),
    },
  };
}
