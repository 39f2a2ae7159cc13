import type { IncomingMessage } from 'node:http';
import { findNearestWord } from '../../data/query/edit-distance.ts';
import { ENDPOINTS } from '../../data/query/endpoint.ts';
import { MAX_TARGET_BYTES } from '../../data/query/parameter.ts';
import { PRODUCT_EXPANSIONS } from '../../data/query/vocabulary.ts';
import { describeKeyTypo } from '../keys/api-key.ts';
import type { ApiClient, KeyCheck } from '../keys/key-store.ts';
import type { RateLimitResult } from '../keys/rate-limit.ts';
import { countHeader, hasTooManyHeaders, isUnambiguous, type RequestHeaders } from './request.ts';
import { errorResponse, type ApiResponse } from './response.ts';

export const ALLOW = { Allow: 'GET, HEAD, OPTIONS' };
export const OPTIONS_RESPONSE: ApiResponse = { status: 204, headers: ALLOW, body: [] };
const CHALLENGE = { 'WWW-Authenticate': 'ApiKey realm="deals"' };

/** Rejects a target that is too long, too many headers, and a missing or repeated `Host` (D2, D3). */
export function validateRequest(
  req: IncomingMessage,
  target: string,
  { isPlain }: Pick<RequestHeaders, 'isPlain'>,
  requestId: string,
): ApiResponse | undefined {
  if (target.length > MAX_TARGET_BYTES) {
    const detail = `The request target has ${target.length} bytes; at most ${MAX_TARGET_BYTES} are read.`;
    return errorResponse('target-too-long', { detail, requestId });
  }
  if (isPlain) return undefined;
  // Without a body, as for headers of too many bytes.
  if (hasTooManyHeaders(req)) return { status: 431, headers: { Connection: 'close' }, body: [] };
  const hostCount = countHeader(req, 'host');
  // RFC 9112 §3.2. Node would respond without a log line and without our headers.
  if ((hostCount === 0 && req.httpVersion === '1.1') || (hostCount <= 1 && !isUnambiguous(req))) {
    return { status: 400, headers: { Connection: 'close' }, body: [] };
  }
  if (hostCount > 1) {
    return errorResponse('repeated-header', { detail: 'The header Host was sent more than once.', requestId });
  }
  return undefined;
}

export function notFound(path: string, requestId: string): ApiResponse {
  return errorResponse('unknown-path', { detail: describeUnknownPath(path), requestId });
}

/** The response to OPTIONS, and to a method that is not allowed (D2). */
export function handleMethod({ method }: IncomingMessage, requestId: string): ApiResponse | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method === 'OPTIONS') return OPTIONS_RESPONSE;
  const detail = `The method ${JSON.stringify(method)} is not GET, HEAD or OPTIONS.`;
  return errorResponse('method-not-allowed', { detail, requestId, headers: ALLOW });
}

export type Authentication =
  | { readonly kind: 'refused'; readonly response: ApiResponse }
  | { readonly kind: 'admitted'; readonly client: ApiClient };

/**
 * The client of a request, from the check of its key (D16). The error names a typing error, which depends on the text alone. All unknown keys get
 * the same response; only a key that was valid once gets `expired-key`.
 */
export function authenticate(
  req: IncomingMessage,
  { apiKey, isPlain }: RequestHeaders,
  check: KeyCheck,
  requestId: string,
): Authentication {
  if (!isPlain && countHeader(req, 'x-api-key') > 1) {
    const detail = 'The header x-api-key was sent more than once.';
    return { kind: 'refused', response: errorResponse('repeated-header', { detail, requestId }) };
  }
  const refuse = (code: 'missing-key' | 'expired-key' | 'invalid-key', detail: string): Authentication => ({
    kind: 'refused',
    response: errorResponse(code, { detail, requestId, headers: CHALLENGE }),
  });
  if (check.kind !== 'valid' && (apiKey === undefined || apiKey === '')) {
    return refuse('missing-key', describeMissingKey(req));
  }
  switch (check.kind) {
    case 'valid':
      return { kind: 'admitted', client: check };
    case 'expired':
      return refuse('expired-key', 'The key in x-api-key is no longer valid.');
    case 'unknown':
      return refuse('invalid-key', `The key in x-api-key ${describeKeyTypo(apiKey ?? '') ?? 'is not known here'}.`);
  }
}

/** A parameter that most likely holds a key; its value is never repeated. */
const KEY_PARAMETER = /[?&](?:x-)?(?:api[-_]?)?key=/i;
/** A header of another service that most likely holds a key: `api-key`, `x-apikey`, `x-api-token`, `x-access-token`. */
const KEY_HEADER = /^(?:x-?)?(?:(?:api|auth|access)[-_]?)?(?:key|token)$/;

function describeMissingKey({ headers, url = '' }: IncomingMessage): string {
  if (headers['x-api-key'] === '') return 'The header x-api-key is empty.';
  const missing = 'The request has no header x-api-key';
  const other =
    headers.authorization === undefined ? Object.keys(headers).find((name) => KEY_HEADER.test(name)) : 'Authorization';
  if (other !== undefined) {
    return `${missing}, but one ${other}, which is not read: send the key as the header x-api-key, by itself.`;
  }
  if (KEY_PARAMETER.test(url)) {
    return `${missing}, but a parameter with a key, which is not read: send it as the header x-api-key, since addresses are kept in logs.`;
  }
  return `${missing}.`;
}

/** The response to a key over its rate limit (D3). */
export function rateLimitedResponse({ retryAfterSeconds }: RateLimitResult, requestId: string): ApiResponse {
  const seconds = `${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`;
  const detail = `The key in x-api-key has used its share of requests; the next one is free in ${seconds}.`;
  return errorResponse('rate-limited', { detail, requestId, headers: { 'Retry-After': String(retryAfterSeconds) } });
}

const UNKNOWN_PATH = 'There is nothing at this path; paths are compared as sent.';

/** Longer paths are no typing error. */
const MAX_GUESSED_LENGTH = 200;

/** `products`, `gifts` and the other words that a path of the interface begins with. */
const COLLECTIONS: readonly string[] = [...new Set(ENDPOINTS.map(({ path }) => path.split('/')[3] ?? ''))];
const PAGE_PATHS: readonly string[] = ['explore', 'docs', 'status', 'problems'];

/** Before the collection: here `/deals/v1/`, in other interfaces `/api/v1/` or nothing. */
const PATH_PREFIX = /^(?:api|rest|deals|v[0-9]{1,3})$/i;
const PRODUCT_ID = /^[0-9]{1,20}$/;

/** The message for an unknown path, with the path that was probably meant. */
export function describeUnknownPath(path: string): string {
  const meant = path.length > MAX_GUESSED_LENGTH ? undefined : findIntendedPath(path);
  return meant === undefined ? UNKNOWN_PATH : `${UNKNOWN_PATH} Did you mean ${meant}?`;
}

/** Compares word by word: with their common prefix any two paths would look alike. */
function findIntendedPath(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const prefix: string[] = [];
  while (PATH_PREFIX.test(parts[0] ?? '') && !prefix.includes(parts[0] ?? '')) prefix.push(parts.shift() ?? '');
  const [word, ...rest] = parts;
  if (word === undefined) return prefix.length === 0 ? undefined : '/deals/v1/products/';
  const [stem = ''] = word.split('.');
  const collection = findNearestWord(stem, COLLECTIONS);
  return collection === undefined ? findPage(stem, prefix, rest) : writePath(collection, rest);
}

function findPage(word: string, prefix: readonly string[], rest: readonly string[]): string | undefined {
  const page = prefix.length + rest.length === 0 ? findNearestWord(word, PAGE_PATHS) : undefined;
  return page === undefined ? undefined : `/${page}/`;
}

/** The path of a collection, of a product, or of a product with an expansion. */
function writePath(collection: string, [first, second]: readonly string[]): string {
  const list = `/deals/v1/${collection}/`;
  if (first === undefined) return list;
  if (collection === 'gifts') {
    return findNearestWord(first, ['categories']) === undefined ? list : `${list}categories/`;
  }
  if (collection !== 'products') return list;
  const [id = ''] = first.split('.');
  // Only digits of the request are repeated.
  if (!PRODUCT_ID.test(id)) return `${list}?filter[slug]=eq{<product slug>}`;
  const words = PRODUCT_EXPANSIONS.map((expansion): string => expansion.word);
  const expansion = second === undefined ? undefined : findNearestWord(second, words);
  return expansion === undefined ? `${list}${id}/` : `${list}${id}/?expand=products(${expansion})`;
}
