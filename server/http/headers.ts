import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RateLimitResult } from '../keys/rate-limit.ts';
import type { Encoding } from './compression.ts';

/** What a page of another origin may read (D21). */
const EXPOSED_HEADERS = 'Link, X-Total-Count, ETag, X-Snapshot, X-Request-Id, Retry-After';
const EXPOSED_WITH_RATE_LIMIT = `${EXPOSED_HEADERS}, RateLimit-Policy, RateLimit`;

export interface CorsRequest {
  readonly origin: string | undefined;
  readonly isPreflight: boolean;
}

export function readCorsRequest(req: IncomingMessage): CorsRequest {
  const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
  return { origin: req.headers.origin, isPreflight };
}

/** A page that this machine serves, whatever its port: what the word `localhost` among the allowed origins stands for. */
const LOCAL_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/;

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
  if (!isAny && !allowed.includes(origin) && !(allowed.includes('localhost') && LOCAL_ORIGIN.test(origin)))
    return undefined;
  return {
    'Access-Control-Allow-Origin': isAny ? '*' : origin,
    'Access-Control-Expose-Headers': isUnderLimit ? EXPOSED_WITH_RATE_LIMIT : EXPOSED_HEADERS,
  };
}

/** Lets pages of the configured origins call the service; without any, no header is sent (D21). */
export function setCorsHeaders(
  res: ServerResponse,
  { origin, isPreflight }: CorsRequest,
  allowed: readonly string[],
): void {
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
export function setRateLimitHeaders(res: ServerResponse, { policy, state }: RateLimitResult): void {
  res.setHeader('RateLimit-Policy', policy);
  res.setHeader('RateLimit', state);
  if (res.hasHeader('Access-Control-Expose-Headers')) {
    res.setHeader('Access-Control-Expose-Headers', EXPOSED_WITH_RATE_LIMIT);
  }
}

/** On every answer: a browser takes it for what its `Content-Type` says, and for nothing else. */
export const NO_SNIFF = { name: 'X-Content-Type-Options', value: 'nosniff' } as const;

/** What every page forbids: other bases, other sites' frames, and forms that are sent anywhere. */
const COMMON_POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What every page has beside its policy: nobody is told where a reader came from. */
const PRIVACY_HEADERS = { 'Referrer-Policy': 'no-referrer', 'Cross-Origin-Resource-Policy': 'same-origin' } as const;

/** On pages, which hold no script, and one icon and one style sheet of our own: whatever gets into one does nothing. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src 'self'; img-src 'self'; ${COMMON_POLICY}`,
  ...PRIVACY_HEADERS,
} as const;

/**
 * On pages that ask this server and show what it answers, by modules of this server alone. None of them parses HTML: a
 * browser that knows trusted types refuses to, so a text of a feed stays a text.
 */
export const MODULE_PAGE_HEADERS = {
  'Content-Security-Policy': describeModulePolicy("'self'"),
  ...PRIVACY_HEADERS,
} as const;

/**
 * On the page that shows the catalogue. A picture that the CMS keeps by URL lies on another host, and the page of a
 * catalogue without its pictures would be of no use; that host is told nothing but that somebody looks. Pictures over
 * plain HTTP are kept out: anybody on the way could change them.
 */
export const CATALOGUE_PAGE_HEADERS = {
  'Content-Security-Policy': describeModulePolicy("'self' https:"),
  ...PRIVACY_HEADERS,
} as const;

/** On pictures, which are there for the pages of other sites. */
export const PICTURE_HEADERS = { 'Cross-Origin-Resource-Policy': 'cross-origin' } as const;

function describeModulePolicy(pictures: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src ${pictures}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    COMMON_POLICY,
  ].join('; ');
}

/** The tag of a body as it is sent: two codings of one content are two bodies (RFC 9110 §8.8.3.3). */
export function createTag(digest: string, encoding: Encoding): string {
  return `"${digest}${encoding === 'identity' ? '' : `-${encoding}`}"`;
}

/** The tag of the same content as it is, from that of an encoded body. */
export function toIdentityTag(tag: string): string {
  return tag.replace(/-[a-z]+"$/, '"');
}

/** Whether an `If-None-Match` names the tag: `*`, or a list of tags compared weakly (RFC 9110 §13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
