import type { Manifest } from '../../data/snapshot/format.ts';

interface Health {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What `/health/live` and `/health/ready` say; undefined for any other path (D19). */
export function describeHealth(
  path: string,
  manifest: Manifest | undefined,
  now: Date,
  staleAfterHours: number,
): Health | undefined {
  if (path === '/health/live' || path === '/health/live/')
    return { status: 200, headers: {}, body: { status: 'live' } };
  if (path !== '/health/ready' && path !== '/health/ready/') return undefined;
  if (manifest === undefined) {
    return { status: 503, headers: { 'Retry-After': '30' }, body: { status: 'no-snapshot' } };
  }
  const ageSeconds = Math.max(0, Math.floor((now.getTime() - Date.parse(manifest.createdAt)) / 1_000));
  const isStale = ageSeconds > staleAfterHours * 3_600;
  return {
    status: 200,
    headers: {},
    body: { status: 'ready', snapshot: manifest.id, createdAt: manifest.createdAt, ageSeconds, stale: isStale },
  };
}
