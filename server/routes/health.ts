import type { LastBuild } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { jsonResponse, type ApiResponse } from '../http/response.ts';
import { describeAge } from '../status/freshness.ts';
import type { Route, RouteContext } from './context.ts';

/** `/health/live` and `/health/ready` (D19): neither depends on the disk. */
export function healthRoutes({ snapshots, settings, now, keys }: RouteContext): readonly Route[] {
  return [
    createRoute('/health/live', () => jsonResponse(200, { status: 'live' }, NOT_STORED)),
    createRoute('/health/ready', () =>
      describeReadiness(
        snapshots.current?.manifest,
        now(),
        settings.staleAfterHours,
        snapshots.lastBuild,
        keys.unreadableSeconds(),
      ),
    ),
  ];
}

const NOT_STORED = { 'Cache-Control': 'no-store' };

function createRoute(path: string, handle: Route['handle']): Route {
  return { path, has: (sent) => sent === path || sent === `${path}/`, label: 'health', access: 'open', handle };
}

/** A key file may be missing for a moment while another takes its place. */
const KEYS_ALARM_SECONDS = 10;

/**
 * The response of `/health/ready` (D19).
 * @param lastBuild a snapshot that it has confirmed is not stale
 * @param keysUnreadableSeconds how long the key file cannot be read: keys that were revoked since then still work
 */
export function describeReadiness(
  manifest: Manifest | undefined,
  now: Date,
  staleAfterHours: number,
  lastBuild?: Pick<LastBuild, 'current' | 'confirmedAt'>,
  keysUnreadableSeconds = 0,
): ApiResponse {
  if (manifest === undefined) {
    return jsonResponse(503, { status: 'no-snapshot' }, { ...NOT_STORED, 'Retry-After': '30' });
  }
  const { ageSeconds, stale } = describeAge(manifest, lastBuild, now, staleAfterHours);
  const body = {
    status: 'ready',
    snapshot: manifest.id,
    createdAt: manifest.createdAt,
    ageSeconds,
    stale,
    ...(keysUnreadableSeconds > KEYS_ALARM_SECONDS ? { keysUnreadableSeconds } : {}),
  };
  return jsonResponse(200, body, NOT_STORED);
}
