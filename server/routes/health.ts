import { describeAge } from '../../data/store/snapshots.ts';
import { jsonResponse, USUAL_RETRY_SECONDS, type ApiResponse } from '../http/response.ts';
import type { Route, RouteContext } from './routes.ts';

/** `/health/live` and `/health/ready` (D19): neither depends on the disk. */
export function healthRoutes(context: RouteContext): readonly Route[] {
  return [
    createRoute('/health/live', () => jsonResponse(200, '{"status":"live"}')),
    createRoute('/health/ready', () => describeReadiness(context)),
  ];
}

function createRoute(path: string, handle: Route['handle']): Route {
  return { path, has: (sent) => sent === path || sent === `${path}/`, label: 'health', access: 'open', handle };
}

/** A key file may be missing for a moment while another takes its place. */
const KEYS_ALARM_SECONDS = 10;

function describeReadiness({ snapshots, settings, now, keys }: RouteContext): ApiResponse {
  const manifest = snapshots.current?.manifest;
  if (manifest === undefined) {
    return jsonResponse(503, '{"status":"no-snapshot"}', { 'Retry-After': String(USUAL_RETRY_SECONDS) });
  }
  const { ageSeconds, stale } = describeAge(manifest, snapshots.lastBuild, now(), settings.staleAfterHours);
  const { id: snapshot, createdAt } = manifest;
  // Keys that were revoked since then still work.
  const seconds = keys.unreadableSeconds();
  const keysUnreadableSeconds = seconds > KEYS_ALARM_SECONDS ? seconds : undefined;
  const body = { status: 'ready', snapshot, createdAt, ageSeconds, stale, keysUnreadableSeconds };
  return jsonResponse(200, JSON.stringify(body));
}
