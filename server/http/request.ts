import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndpointName } from '../../data/query/endpoint.ts';
import type { RateLimitResult } from '../keys/rate-limit.ts';
import { redactKeys, type Log } from '../log.ts';
import { splitTarget } from '../query/query-string.ts';
import { negotiateEncoding, type Encoding } from './compression.ts';

/** The route of a request; `other` is an unknown path, or a request refused before routing. */
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
    id: `${BOOT_ID}-${(++requestCount).toString(36)}`,
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
