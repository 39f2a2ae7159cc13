import type { IncomingMessage } from 'node:http';
import type { Encoding } from './compression.ts';
import type { RequestContext } from './request.ts';

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

/**
 * On pages, which have modules and requests of this server only. None of them parses HTML: a browser that supports trusted types
 * forbids it, so a text of a feed stays a text.
 */
export const PAGE_HEADERS = createPageHeaders("'self'");

/**
 * On the page that shows the catalogue, which also loads the pictures that the CMS keeps by URL on other hosts. Those hosts
 * get no referrer. Pictures over plain HTTP are forbidden: they could be changed on the way.
 */
export const CATALOGUE_PAGE_HEADERS = createPageHeaders("'self' https:");

/** On pictures, which pages of other sites may show. */
export const PICTURE_HEADERS = { 'Cross-Origin-Resource-Policy': 'cross-origin' } as const;

function createPageHeaders(pictures: string) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src ${pictures}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    // Other bases, sending forms, and frames of other sites are forbidden.
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
  } as const;
}

/** The tag of a body as sent: each encoding has its own (RFC 9110 §8.8.3.3). */
export function createTag(digest: string, encoding: Encoding): string {
  return `"${digest}${encoding === 'identity' ? '' : `-${encoding}`}"`;
}

/** The tag of the plain body, from the tag of an encoded one. */
export function toIdentityTag(tag: string): string {
  return tag.replace(/-[a-z]+"$/, '"');
}

/** Whether an `If-None-Match` names the tag: `*`, or a list of tags compared weakly (RFC 9110 §13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
