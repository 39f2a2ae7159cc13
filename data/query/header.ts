interface HeaderText {
  readonly meaning: string;
  readonly example: string;
}

/** The request headers that the server reads (D2, D16, D18). */
export const REQUEST_HEADERS = {
  'x-api-key': 'the key; every request under `/deals/` needs one',
  'If-None-Match': 'the `ETag` of a stored response: 304 without a body while nothing has changed',
} as const;

/** Response headers, without those of HTTP itself such as `Date` and `Content-Length`. */
export const RESPONSE_HEADERS = {
  'X-Snapshot': {
    meaning: 'the snapshot of the answer, errors included; absent where there is none',
    example: '20261119T0230Z-1c77e0d2',
  },
  'X-Request-Id': { meaning: 'the request, as in the log and in `instance` of an error', example: '5f0c2a91-4k' },
  'X-Total-Count': { meaning: 'how many products (gifts, categories, …) qualify, on all pages', example: '54' },
  Link: {
    meaning:
      'the other pages (RFC 8288): `first`, `prev`, `next` and `last`, to be followed as they are; absent when there is one page. With 410: where to begin again',
    example: '</deals/v1/products/?limit=5&cursor=0c1d…>; rel="next"',
  },
  ETag: {
    meaning: 'the content: send it back as `If-None-Match` and get a 304 as long as nothing changed',
    example: '"3xk9o1Zc5yVhT2m0bQ4wLA"',
  },
  'Cache-Control': {
    meaning:
      'how long an answer may be kept. Of the interface `private`, since a shared cache does not know that the key authorises; errors are never kept',
    example: 'private, max-age=60, stale-while-revalidate=600, stale-if-error=86400',
  },
  Vary: { meaning: 'what of the request the answer depends on', example: 'Accept-Encoding' },
  'Content-Encoding': { meaning: '`br` or `gzip` where the body is encoded', example: 'br' },
  'RateLimit-Policy': {
    meaning: 'of a key under a limit: its quota `q` in every window of `w` seconds',
    example: '"default";q=600;w=60',
  },
  RateLimit: {
    meaning: 'of a key under a limit: `r` requests are left now, and all of the quota will be in `t` seconds',
    example: '"default";r=599;t=1',
  },
  'Retry-After': { meaning: 'with 429 and 503: after how many seconds to come again', example: '30' },
  'WWW-Authenticate': { meaning: 'with 401: what is missing', example: 'ApiKey realm="deals"' },
  Allow: { meaning: 'with 405, and the answer to OPTIONS: the methods that are known', example: 'GET, HEAD, OPTIONS' },
  'X-Content-Type-Options': {
    meaning: 'an answer is what its `Content-Type` says, and nothing else',
    example: 'nosniff',
  },
  'Access-Control-Allow-Origin': {
    meaning: 'to a page of an origin that the operator allows: that it may read the answer',
    example: 'https://shop.example',
  },
  'Access-Control-Expose-Headers': {
    meaning: 'to such a page: the headers that it may read',
    example: 'Link, X-Total-Count, ETag, X-Snapshot, X-Request-Id, Retry-After',
  },
} as const satisfies Record<string, HeaderText>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Further headers of a response to a preflight request (D21). */
export const PREFLIGHT_HEADERS = [
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Max-Age',
] as const;
