import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextHandler } from 'polka';
import { authenticate, rateLimitedResponse } from '../http/checks.ts';
import type { EncodingNegotiator } from '../http/compression.ts';
import type { RequestHeaders } from '../http/request.ts';
import type { CachedResponse } from '../http/response-cache.ts';
import { errorResponse, type ApiResponse } from '../http/response.ts';
import type { ApiKeyStore, KeyCheck } from '../keys/key-store.ts';
import type { RateLimiter, RateLimitResult } from '../keys/rate-limit.ts';
import type { Log } from '../log.ts';
import type { RequestCounts, RouteLabel } from '../metrics/counters.ts';
import type { ServerSettings } from '../settings.ts';
import type { SnapshotManager } from '../snapshot/snapshot-manager.ts';

/** A request, and what is known of it so far. */
export interface RequestContext {
  readonly id: string;
  /** In origin form, exactly as sent. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly startedAt: number;
  /** The check of its key, once that was needed. */
  key: KeyCheck | undefined;
  /** The cached response to it, if its key is valid. */
  cached: CachedResponse | undefined;
  /** Whether it was rejected under overload. */
  isShed: boolean;
  /** The state of its rate limit after it was counted; undefined for a key without a limit. */
  rateLimit: RateLimitResult | undefined;
  /** The name of its client, once that is admitted. */
  keyName: string | undefined;
  /** The route in logs and metrics. */
  label: RouteLabel;
}

/** What the handlers of the routes may use. */
export interface RouteContext {
  readonly store: string;
  readonly snapshots: SnapshotManager;
  /** The keys as they are now. */
  readonly apiKeys: () => ApiKeyStore;
  /** How long the key file cannot be read; absent where there is no file. */
  readonly keysUnreadableSeconds?: () => number;
  readonly rateLimiter: RateLimiter;
  readonly settings: ServerSettings;
  readonly encodings: EncodingNegotiator;
  readonly log: Log;
  /** Absent without metrics. */
  readonly counts?: RequestCounts;
  readonly now: () => Date;
}

type Handler = (req: IncomingMessage, res: ServerResponse, next: NextHandler) => unknown;

/** Who may call a route: all clients, clients with a key, or operators. */
export type Access = 'open' | 'key' | 'operator';

/** A route outside the interface; all routes allow GET, HEAD and OPTIONS (D2). */
export interface Route {
  /** A pattern of polka. */
  readonly path: string;
  readonly label: RouteLabel;
  readonly access: Access;
  /** The handler of a path; undefined for a path that the route does not have. */
  readonly find: (request: RequestContext) => Handler | undefined | Promise<Handler | undefined>;
}

const UNKNOWN: KeyCheck = { kind: 'unknown' };

/** Checks the key of a request, once. */
export function checkKey(request: RequestContext, { apiKeys, now }: Pick<RouteContext, 'apiKeys' | 'now'>): KeyCheck {
  const { apiKey } = request.headers;
  request.key ??= apiKey === undefined ? UNKNOWN : apiKeys().check(apiKey, now());
  return request.key;
}

/** Checks the key of a request and counts it for the rate limit: undefined, or the error response (D3, D16). */
export function admit(
  req: IncomingMessage,
  request: RequestContext,
  access: Access,
  context: Pick<RouteContext, 'apiKeys' | 'now' | 'rateLimiter' | 'counts'>,
): ApiResponse | undefined {
  if (access === 'open') return undefined;
  const authentication = authenticate(req, request.headers, checkKey(request, context), request.id);
  if (authentication.kind === 'refused') return authentication.response;
  const { client } = authentication;
  request.keyName = client.name;
  const rateLimit = context.rateLimiter.take(client.id);
  request.rateLimit = rateLimit;
  if (rateLimit?.isExceeded === true) {
    if (context.counts !== undefined) context.counts.rateLimited++;
    return rateLimitedResponse(rateLimit, request.id);
  }
  if (access === 'key' || client.isOperator === true) return undefined;
  return errorResponse('operator-only', {
    detail: 'The key in x-api-key has no operator mark.',
    requestId: request.id,
  });
}
