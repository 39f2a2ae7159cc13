import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndpointName } from '../../data/query/endpoint.ts';
import type { RateLimitResult } from '../keys/rate-limit.ts';
import type { Log } from '../log.ts';
import { splitTarget } from '../query/query-text.ts';
import { negotiateEncoding, type Encoding } from './send.ts';
import { MAX_TARGET_BYTES } from '../../data/query/parameter.ts';
import { describeKeyTypo, redactKeys } from '../keys/api-key.ts';
import type { ApiClient, ServerKeys } from '../keys/server-keys.ts';
import type { ApiResponse, Refusal } from './response.ts';

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
function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
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

const ALLOW = { Allow: 'GET, HEAD, OPTIONS' };
export const OPTIONS_RESPONSE: ApiResponse = { status: 204, headers: ALLOW, body: [] };
const CHALLENGE = { 'WWW-Authenticate': 'ApiKey realm="deals"' };

/** Refuses a target that is too long, and a repeated `Host` (D2, D3). Node refuses a request without one. */
export function checkTarget({ req, target }: RequestContext): Refusal | undefined {
  if (target.length > MAX_TARGET_BYTES) {
    const detail = `The request target has ${target.length} bytes; at most ${MAX_TARGET_BYTES} are read.`;
    return { code: 'target-too-long', detail };
  }
  if (countHeader(req, 'host') < 2) return undefined;
  return { code: 'repeated-header', detail: 'The header Host was sent more than once.' };
}

export const NOT_FOUND: Refusal = {
  code: 'unknown-path',
  detail: 'There is nothing at this path. Paths are in lower case, and %-codes in them are not decoded.',
};

/** The response to OPTIONS, and to a method that is not allowed (D2). */
export function checkMethod({ req: { method } }: RequestContext): ApiResponse | Refusal | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method === 'OPTIONS') return OPTIONS_RESPONSE;
  const detail = `The method ${JSON.stringify(method)} is not GET, HEAD or OPTIONS.`;
  return { code: 'method-not-allowed', detail, headers: ALLOW };
}

/** Who may call a route: all clients, clients with a key, or operators. */
export type Access = 'open' | 'key' | 'operator';

/** Checks the key of a request and counts it for the rate limit: undefined, or the refusal (D3, D16). */
export function admit(
  request: RequestContext,
  access: Access,
  keys: Pick<ServerKeys, 'check' | 'count'>,
): Refusal | undefined {
  if (access === 'open') return undefined;
  const client = findClient(request.req, keys);
  if ('code' in client) return client;
  request.keyName = client.name;
  request.rateLimit = keys.count(client.id);
  if (request.rateLimit?.isExceeded === true) return refuseRate(request.rateLimit);
  if (access === 'key' || client.isOperator === true) return undefined;
  return { code: 'operator-only', detail: 'The key in x-api-key is no operator key.' };
}

/**
 * The client of a request, or the refusal (D16). The refusal names a slip of the key, which depends on its text alone. All
 * unknown keys get the same response; only a key that was valid once gets `expired-key`.
 */
function findClient(req: IncomingMessage, keys: Pick<ServerKeys, 'check'>): ApiClient | Refusal {
  const text = req.headers['x-api-key'];
  // Node joins repeated headers by a comma.
  if (text?.includes(',') === true && countHeader(req, 'x-api-key') > 1) {
    return { code: 'repeated-header', detail: 'The header x-api-key was sent more than once.' };
  }
  const refuse = (code: 'missing-key' | 'expired-key' | 'invalid-key', detail: string): Refusal => {
    return { code, detail, headers: CHALLENGE };
  };
  if (text === undefined)
    return refuse('missing-key', 'The request has no key: send it as the header x-api-key, without a word before it.');
  if (text === '') return refuse('missing-key', 'The header x-api-key is empty.');
  const key = text.toString();
  const check = keys.check(key);
  if (check.kind === 'valid') return check;
  return check.kind === 'expired'
    ? refuse('expired-key', 'The key in x-api-key is no longer valid.')
    : refuse('invalid-key', `The key in x-api-key ${describeKeyTypo(key) ?? 'is not known here'}.`);
}

/** A key over its rate limit (D3). */
function refuseRate({ retryAfterSeconds }: RateLimitResult): Refusal {
  const seconds = `${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`;
  const detail = `The key in x-api-key has used its share of requests; the next one is free in ${seconds}.`;
  return { code: 'rate-limited', detail, headers: { 'Retry-After': String(retryAfterSeconds) } };
}
