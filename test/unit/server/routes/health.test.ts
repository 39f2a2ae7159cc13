import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../../data/snapshot/format.ts';
import type { RequestContext } from '../../../../server/http/request.ts';
import { readBody, type ApiResponse } from '../../../../server/http/response.ts';
import type { RouteContext } from '../../../../server/routes/routes.ts';
import { healthRoutes } from '../../../../server/routes/health.ts';

const MANIFEST = { id: '20261119T0230Z-1c77e0d2', createdAt: '2026-11-19T02:30:00Z' } as Manifest;
const HOUR_MS = 3_600_000;
const after = (milliseconds: number) => new Date(Date.parse(MANIFEST.createdAt) + milliseconds);
const ready = (now: Date, current?: string, confirmedHours = 0): unknown => {
  const confirmedAt = after(confirmedHours * HOUR_MS).toISOString();
  const lastBuild = current === undefined ? undefined : { current, confirmedAt };
  const context = {
    snapshots: { current: { manifest: MANIFEST }, lastBuild },
    settings: { staleAfterHours: 26 },
    now: () => now,
  } as unknown as RouteContext;
  const route = healthRoutes(context).find(({ path }) => path === '/health/ready');
  return JSON.parse(readBody(route?.handle({} as RequestContext) as ApiResponse));
};

describe('/health/ready (D19)', () => {
  it.each<[string, unknown, object]>([
    ['the age', ready(after(90_500)), { snapshot: MANIFEST.id, ageSeconds: 90, stale: false }],
    ['at the age that was set', ready(after(26 * HOUR_MS)), { ageSeconds: 93_600, stale: false }],
    ['past it', ready(after(26 * HOUR_MS + 1_000)), { ageSeconds: 93_601, stale: true }],
    ['confirmed by a build', ready(after(60 * HOUR_MS), MANIFEST.id, 48), { ageSeconds: 216_000, stale: false }],
    ['confirmed long ago', ready(after(60 * HOUR_MS), MANIFEST.id, 33), { stale: true }],
    ['another is confirmed', ready(after(60 * HOUR_MS), '20261120T0230Z-00000000', 48), { stale: true }],
    ['from the future', ready(after(-HOUR_MS)), { ageSeconds: -3_600, stale: true }],
    ['from the future, confirmed', ready(after(-HOUR_MS), MANIFEST.id, -2), { stale: true }],
    ['two clocks differ by a minute', ready(after(-60_000)), { ageSeconds: 0, stale: false }],
    ['a confirmation from the future', ready(after(27 * HOUR_MS), MANIFEST.id, 9_000), { stale: true }],
  ])('tells %s', (_, body, expected) => {
    expect(body).toMatchObject(expected);
  });
});
