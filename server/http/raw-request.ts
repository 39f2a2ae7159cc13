import type { IncomingMessage } from 'node:http';

/** How often a header was sent: Node joins or drops repeats, and two of some are two meanings. */
export function countHeader(req: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    if (req.rawHeaders[i]?.toLowerCase() === name) count++;
  }
  return count;
}

/** The path and query of an absolute-form target, which a server must accept (RFC 9112 §3.2.2); any other as it is. */
export function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target;
  const authority = /^https?:\/\/[^/?#]*/i.exec(target);
  if (authority === null) return target;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The headers on which an answer of the interface depends, each as it was sent. */
export interface PlainHeaders {
  readonly apiKey: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly origin: string | undefined;
}

/** Node leaves headers beyond 2,000 out of `headers`, so a request with many is not plain. */
const MAX_PLAIN_HEADERS = 100;

/**
 * The headers of a plain request, read in one pass; undefined when one of them, or `Host`, was sent twice, where it takes
 * rules to tell what is meant. Node builds `headers` when it is first asked for, which this does without.
 */
export function readPlainHeaders(rawHeaders: readonly string[]): PlainHeaders | undefined {
  if (rawHeaders.length > 2 * MAX_PLAIN_HEADERS) return undefined;
  let hasHost = false;
  let apiKey: string | undefined;
  let acceptEncoding: string | undefined;
  let ifNoneMatch: string | undefined;
  let origin: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    // Names and values alternate.
    const name = rawHeaders[i] as string;
    // Most names are told apart by their length, without a copy in lower case.
    switch (name.length) {
      case 'host'.length:
        if (name.toLowerCase() !== 'host') break;
        if (hasHost) return undefined;
        hasHost = true;
        break;
      case 'origin'.length:
        if (name.toLowerCase() !== 'origin') break;
        if (origin !== undefined) return undefined;
        origin = rawHeaders[i + 1];
        break;
      case 'x-api-key'.length:
        if (name.toLowerCase() !== 'x-api-key') break;
        if (apiKey !== undefined) return undefined;
        apiKey = rawHeaders[i + 1];
        break;
      case 'if-none-match'.length:
        if (name.toLowerCase() !== 'if-none-match') break;
        if (ifNoneMatch !== undefined) return undefined;
        ifNoneMatch = rawHeaders[i + 1];
        break;
      case 'accept-encoding'.length:
        if (name.toLowerCase() !== 'accept-encoding') break;
        if (acceptEncoding !== undefined) return undefined;
        acceptEncoding = rawHeaders[i + 1];
        break;
    }
  }
  return { apiKey, acceptEncoding, ifNoneMatch, origin };
}
