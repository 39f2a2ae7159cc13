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

function describeReadiness({ snapshots, settings, now }: RouteContext): ApiResponse {
  const manifest = snapshots.current?.manifest;
  if (manifest === undefined) {
    return jsonResponse(503, '{"status":"no-snapshot"}', { 'Retry-After': String(USUAL_RETRY_SECONDS) });
  }
  const { ageSeconds, stale } = describeAge(manifest, snapshots.lastBuild, now(), settings.staleAfterHours);
  const { id: snapshot, createdAt } = manifest;
  return jsonResponse(200, JSON.stringify({ status: 'ready', snapshot, createdAt, ageSeconds, stale }));
}
