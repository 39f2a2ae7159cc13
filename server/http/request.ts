import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndpointName } from '../../data/query/endpoint.ts';
import type { RateLimitResult } from '../keys/rate-limit.ts';
import { redactKeys, type Log } from '../log.ts';
import { splitTarget } from '../query/query-string.ts';
import { negotiateEncoding, type Encoding } from './encoding.ts';

/** The route of a request; `other` is an unknown path, or a request that was refused before its route was noted. */
export type RouteLabel = EndpointName | 'health' | 'image' | 'problem' | 'page' | 'openapi' | 'status' | 'other';

/** A request, and what the steps of its path have found out about it. */
export interface RequestContext {
  readonly req: IncomingMessage;
  readonly id: string;
  /** In origin form, exactly as sent. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
  /** What the client takes. */
  readonly encoding: Encoding;
  readonly ifNoneMatch: string | undefined;
  readonly startedAt: number;
  /** The route in logs and metrics. */
  label: RouteLabel;
  /** The name of its client, once that is admitted. */
  keyName: string | undefined;
  /** The state of its rate limit after it was counted; undefined for a key without a limit. */
  rateLimit: RateLimitResult | undefined;
}

const BOOT_ID = randomBytes(4).toString('hex');
let requestCount = 0;

export function createRequestContext(req: IncomingMessage, target: string): RequestContext {
  const { path, query } = splitTarget(target);
  return {
    req,
    // All have one length, since HEAD tells the length of the error that GET would get.
    id: `${BOOT_ID}-${(++requestCount).toString(36).padStart(6, '0')}`,
    target,
    path,
    query,
    encoding: negotiateEncoding(req.headers['accept-encoding']),
    ifNoneMatch: req.headers['if-none-match'],
    startedAt: performance.now(),
    label: 'other',
    keyName: undefined,
    rateLimit: undefined,
  };
}

/** The line of a request, when it is over. */
export function logRequest(log: Log, request: RequestContext, res: ServerResponse, bytes: number): void {
  log({
    event: 'request',
    requestId: request.id,
    method: request.req.method,
    path: redactKeys(request.path).slice(0, 200),
    route: request.label,
    status: res.statusCode,
    bytes,
    key: request.keyName,
    milliseconds: Math.round((performance.now() - request.startedAt) * 10) / 10,
    finished: res.writableFinished,
  });
}

/** How often a header was sent: Node joins or drops repeated headers. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    // Names and values alternate.
    const sent = rawHeaders[i] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count;
}

/** Path and query of an absolute-form target, which a server must accept (RFC 9112 §3.2.2); other targets unchanged. */
export function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target;
  const authority = /^https?:\/\/[^/?#]*/i.exec(target);
  if (authority === null) return target;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** What a page of another origin may read (D21). */
const EXPOSED_HEADERS = 'Link, X-Total-Count, ETag, X-Snapshot, X-Request-Id, Retry-After';
const EXPOSED_WITH_RATE_LIMIT = `${EXPOSED_HEADERS}, RateLimit-Policy, RateLimit`;

/** A page of this machine on any port: the meaning of `localhost` among the allowed origins. */
const LOCAL_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/;

/** Whether a browser asks if a page may send a request (Fetch standard, "CORS-preflight request"). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** The headers of every response, names and values in turn: id, CORS for the configured origins (D21), rate limit. */
export function listCommonHeaders({ req, id, rateLimit }: RequestContext, allowed: readonly string[]): string[] {
  // A browser must believe the `Content-Type`.
  const list = ['X-Request-Id', id, 'X-Content-Type-Options', 'nosniff'];
  if (allowed.length > 0) addCorsHeaders(list, req, allowed, rateLimit !== undefined);
  if (rateLimit !== undefined) list.push('RateLimit-Policy', rateLimit.policy, 'RateLimit', rateLimit.state);
  return list;
}

function addCorsHeaders(list: string[], req: IncomingMessage, allowed: readonly string[], hasRateLimit: boolean): void {
  const isAny = allowed.includes('*');
  if (!isAny) list.push('Vary', 'Origin');
  const { origin } = req.headers;
  if (origin === undefined) return;
  if (!isAny && !allowed.includes(origin) && !(allowed.includes('localhost') && LOCAL_ORIGIN.test(origin))) return;
  const exposed = hasRateLimit ? EXPOSED_WITH_RATE_LIMIT : EXPOSED_HEADERS;
  list.push('Access-Control-Allow-Origin', isAny ? '*' : origin, 'Access-Control-Expose-Headers', exposed);
  if (!isPreflight(req)) return;
  list.push('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
  list.push('Access-Control-Allow-Headers', 'x-api-key, if-none-match', 'Access-Control-Max-Age', '86400');
}
