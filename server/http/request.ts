import type { IncomingMessage } from 'node:http';

/** How often a header was sent: Node joins or drops repeated headers. */
export function countHeader(req: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    if (req.rawHeaders[i]?.toLowerCase() === name) count++;
  }
  return count;
}

/** An address or a name with or without a port, or nothing (RFC 9110 §7.2, RFC 3986 §3.2.2). */
const HOST = /^(?:\[[0-9A-Za-z:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::[0-9]*)?$/;

let lastHost = '';

/** Whether a value of `Host` is valid. Nearly all requests have the same, so the last valid one is remembered. */
function isHost(value: string): boolean {
  if (value === lastHost) return true;
  if (!HOST.test(value)) return false;
  lastHost = value;
  return true;
}

function isKnownVersion(httpVersion: string): boolean {
  return httpVersion === '1.1' || httpVersion === '1.0';
}

/**
 * Whether the head of a request can be read in one way only. Node lets through HTTP/0.9, an invalid `Host`, and a body
 * without a known end, because its last coding is not `chunked` (RFC 9112 §2.3, §3.2, §6.3).
 */
export function isUnambiguous({ httpVersion, headers }: IncomingMessage): boolean {
  if (!isKnownVersion(httpVersion)) return false;
  if (headers.host !== undefined && !isHost(headers.host)) return false;
  const coding = headers['transfer-encoding'];
  return coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked');
}

/** Path and query of an absolute-form target, which a server must accept (RFC 9112 §3.2.2); other targets unchanged. */
export function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target;
  const authority = /^https?:\/\/[^/?#]*/i.exec(target);
  if (authority === null) return target;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The headers on which a response of the interface depends. */
export interface RequestHeaders {
  /** Whether the request has one valid `Host`, none of these headers twice, and nothing else that needs a check. */
  readonly isPlain: boolean;
  readonly apiKey: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly origin: string | undefined;
}

/** The most headers of a request. */
const MAX_HEADERS = 100;

export function hasTooManyHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return rawHeaders.length > 2 * MAX_HEADERS;
}

/** The headers of a request. One pass over the headers as sent is enough for nearly all requests. */
export function readHeaders(req: IncomingMessage): RequestHeaders {
  return readPlainHeaders(req) ?? readJoinedHeaders(req);
}

/** The headers as Node joins them when one is repeated. */
function readJoinedHeaders({ headers }: IncomingMessage): RequestHeaders {
  return {
    isPlain: false,
    apiKey: headers['x-api-key']?.toString(),
    acceptEncoding: headers['accept-encoding'],
    ifNoneMatch: headers['if-none-match'],
    origin: headers.origin,
  };
}

/**
 * The headers of a plain request, read in one pass. Undefined for a request that `validateRequest` rejects, that repeats
 * one of these headers, or that has no `Host`.
 */
function readPlainHeaders(req: IncomingMessage): RequestHeaders | undefined {
  const { rawHeaders } = req;
  if (!isKnownVersion(req.httpVersion) || hasTooManyHeaders(req)) return undefined;
  let hasHost = false;
  let apiKey: string | undefined;
  let acceptEncoding: string | undefined;
  let ifNoneMatch: string | undefined;
  let origin: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    // Names and values alternate.
    const name = rawHeaders[i] as string;
    // The length tells most names apart, without a copy in lower case.
    switch (name.length) {
      case 'host'.length:
        if (name.toLowerCase() !== 'host') break;
        if (hasHost || !isHost(rawHeaders[i + 1] as string)) return undefined;
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
      case 'transfer-encoding'.length:
        if (name.toLowerCase() === 'transfer-encoding') return undefined;
        break;
      case 'accept-encoding'.length:
        if (name.toLowerCase() !== 'accept-encoding') break;
        if (acceptEncoding !== undefined) return undefined;
        acceptEncoding = rawHeaders[i + 1];
        break;
    }
  }
  return hasHost ? { isPlain: true, apiKey, acceptEncoding, ifNoneMatch, origin } : undefined;
}
