import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CachedAnswer } from './answer-cache.ts';
import { setDeadline } from './deadline.ts';
import { matchesTag } from './etag.ts';

/** Headers of a 200 that a 304 does not have (RFC 9110 §15.4.5). */
const BODY_HEADERS: ReadonlySet<string> = new Set(['Content-Type', 'Content-Encoding', 'X-Total-Count', 'Link']);

/** Sends an answer that was made before: the same bytes, or 304 to whoever has them. */
export function sendCached(
  req: IncomingMessage,
  res: ServerResponse,
  { tag, headers, body }: CachedAnswer,
  ifNoneMatch: string | undefined,
): void {
  const isKnown = matchesTag(ifNoneMatch, tag);
  res.statusCode = isKnown ? 304 : 200;
  for (const [name, value] of headers) {
    if (isKnown && BODY_HEADERS.has(name)) continue;
    if (name === 'Vary') res.appendHeader(name, value);
    else res.setHeader(name, value);
  }
  if (!isKnown) res.setHeader('Content-Length', body.byteLength);
  setDeadline(res, isKnown ? 0 : body.byteLength);
  res.end(isKnown || req.method === 'HEAD' ? undefined : body);
}
