import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'polka';
import { authenticate, handleMethod, rateLimitedResponse, type Authentication } from '../http/checks.ts';
import { setRateLimitHeaders } from '../http/headers.ts';
import { sendResponse } from '../http/send.ts';
import type { ApiKeyStore } from '../keys/key-store.ts';
import type { RateLimiter } from '../keys/rate-limit.ts';
import type { Log } from '../log.ts';
import type { RequestCounts, RouteLabel } from '../metrics/counters.ts';
import type { ServerSettings } from '../settings.ts';
import type { SnapshotManager } from '../snapshot/snapshot-manager.ts';

/** A request before it is routed. */
export interface RequestContext {
  readonly id: string;
  /** In origin form, exactly as sent. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
  /** The name of the key, once it is known. */
  keyName?: string;
  /** The route in logs and metrics. */
  label: RouteLabel;
}

/** What the handlers of the routes outside the interface may use. */
export interface RouteContext {
  readonly store: string;
  readonly snapshots: SnapshotManager;
  /** The keys as they are now. */
  readonly apiKeys: () => ApiKeyStore;
  readonly keysUnreadableSeconds?: () => number;
  readonly rateLimiter: RateLimiter;
  readonly settings: ServerSettings;
  readonly log: Log;
  /** Absent without metrics. */
  readonly counts?: RequestCounts;
  readonly now: () => Date;
  /** polka passes on the request only, so its context is looked up. */
  readonly contextOf: (req: IncomingMessage) => RequestContext;
}

/**
 * A route outside the interface: `find` returns what responds to a path, or undefined for a path that the route does not
 * have. Sets the label, and handles OPTIONS and wrong methods (D2).
 */
export function createRoute(
  { contextOf }: Pick<RouteContext, 'contextOf'>,
  label: RouteLabel,
  find: (request: RequestContext) => Middleware | undefined | Promise<Middleware | undefined>,
): Middleware {
  return async (req, res, next) => {
    const request = contextOf(req);
    const respond = await find(request);
    if (respond === undefined) return next();
    request.label = label;
    const otherMethod = handleMethod(req, request.id);
    return otherMethod === undefined ? respond(req, res, next) : sendResponse(req, res, otherMethod);
  };
}

/** Checks the key of a request and counts it for the rate limit: the client, or the error response (D3, D16). */
export function admit(
  req: IncomingMessage,
  res: ServerResponse,
  request: RequestContext,
  { apiKeys, now, rateLimiter, counts }: Pick<RouteContext, 'apiKeys' | 'now' | 'rateLimiter' | 'counts'>,
): Authentication {
  const authentication = authenticate(req, apiKeys(), now(), request.id);
  if (authentication.kind === 'refused') return authentication;
  const { client } = authentication;
  request.keyName = client.name;
  const rateLimit = rateLimiter.take(client.id);
  if (rateLimit !== undefined) setRateLimitHeaders(res, rateLimit);
  if (rateLimit?.isExceeded !== true) return authentication;
  if (counts !== undefined) counts.rateLimited++;
  return { kind: 'refused', response: rateLimitedResponse(rateLimit, request.id) };
}
