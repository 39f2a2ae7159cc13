import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a page of another origin may read (D21). */
const EXPOSED = 'Link, X-Total-Count, ETag, X-Snapshot, X-Request-Id, Retry-After';

export interface Origin {
  readonly origin: string | undefined;
  readonly isPreflight: boolean;
}

export function readOrigin(req: IncomingMessage): Origin {
  const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
  return { origin: req.headers.origin, isPreflight };
}

/** Lets pages of the configured origins call the service; without any, no header is sent (D21). */
export function setCorsHeaders(res: ServerResponse, { origin, isPreflight }: Origin, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  const isAny = allowed.includes('*');
  if (!isAny) res.appendHeader('Vary', 'Origin');
  if (origin === undefined || !(isAny || allowed.includes(origin))) return;
  res.setHeader('Access-Control-Allow-Origin', isAny ? '*' : origin);
  res.setHeader('Access-Control-Expose-Headers', EXPOSED);
  if (isPreflight) {
    res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
    res.setHeader('Access-Control-Allow-Headers', 'x-api-key, if-none-match');
    res.setHeader('Access-Control-Max-Age', '86400');
  }
}
