import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Share } from '../key/rate-limiter.ts';

/** What a page of another origin may read (D21). */
const EXPOSED = 'Link, X-Total-Count, ETag, X-Snapshot, X-Request-Id, Retry-After';
const EXPOSED_UNDER_LIMIT = `${EXPOSED}, RateLimit-Policy, RateLimit`;

export interface Origin {
  readonly origin: string | undefined;
  readonly isPreflight: boolean;
}

export function readOrigin(req: IncomingMessage): Origin {
  const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
  return { origin: req.headers.origin, isPreflight };
}

/** A page that this machine serves, whatever its port: what the word `localhost` among the allowed origins stands for. */
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/;

/** Whether answers differ by origin, so that `Vary` must name it. */
export function variesByOrigin(allowed: readonly string[]): boolean {
  return allowed.length > 0 && !allowed.includes('*');
}

/** What lets the pages of an origin read an answer; undefined for pages that may not (D21). */
export function createCorsHeaders(
  origin: string | undefined,
  allowed: readonly string[],
  isUnderLimit = false,
): Readonly<Record<string, string>> | undefined {
  if (origin === undefined || allowed.length === 0) return undefined;
  const isAny = allowed.includes('*');
  if (!isAny && !allowed.includes(origin) && !(allowed.includes('localhost') && LOCAL.test(origin))) return undefined;
  return {
    'Access-Control-Allow-Origin': isAny ? '*' : origin,
    'Access-Control-Expose-Headers': isUnderLimit ? EXPOSED_UNDER_LIMIT : EXPOSED,
  };
}

/** Lets pages of the configured origins call the service; without any, no header is sent (D21). */
export function setCorsHeaders(res: ServerResponse, { origin, isPreflight }: Origin, allowed: readonly string[]): void {
  if (variesByOrigin(allowed)) res.appendHeader('Vary', 'Origin');
  const headers = createCorsHeaders(origin, allowed);
  if (headers === undefined) return;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (isPreflight) {
    res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
    res.setHeader('Access-Control-Allow-Headers', 'x-api-key, if-none-match');
    res.setHeader('Access-Control-Max-Age', '86400');
  }
}

/** Says what is left to the key, also to the page of another origin that may read the answer. */
export function setShare(res: ServerResponse, { policy, state }: Share): void {
  res.setHeader('RateLimit-Policy', policy);
  res.setHeader('RateLimit', state);
  if (res.hasHeader('Access-Control-Expose-Headers')) {
    res.setHeader('Access-Control-Expose-Headers', EXPOSED_UNDER_LIMIT);
  }
}
