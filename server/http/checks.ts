import { MAX_TARGET_BYTES } from '../../data/query/parameter.ts';
import { describeKeyTypo } from '../keys/api-key.ts';
import type { RateLimitResult } from '../keys/rate-limit.ts';
import type { ApiClient, ServerKeys } from '../keys/server-keys.ts';
import { countHeader, type RequestContext } from './request.ts';
import { errorResponse, type ApiResponse } from './response.ts';

const ALLOW = { Allow: 'GET, HEAD, OPTIONS' };
export const OPTIONS_RESPONSE: ApiResponse = { status: 204, headers: ALLOW, body: [] };
const CHALLENGE = { 'WWW-Authenticate': 'ApiKey realm="deals"' };

/** Refuses a target that is too long, and a repeated `Host` (D2, D3). Node refuses a request without one. */
export function checkTarget({ req, target, id: requestId }: RequestContext): ApiResponse | undefined {
  if (target.length > MAX_TARGET_BYTES) {
    const detail = `The request target has ${target.length} bytes; at most ${MAX_TARGET_BYTES} are read.`;
    return errorResponse('target-too-long', { detail, requestId });
  }
  if (countHeader(req, 'host') < 2) return undefined;
  return errorResponse('repeated-header', { detail: 'The header Host was sent more than once.', requestId });
}

export function notFound(requestId: string): ApiResponse {
  const detail = 'There is nothing at this path. Paths are in lower case, and %-codes in them are not decoded.';
  return errorResponse('unknown-path', { detail, requestId });
}

/** The response to OPTIONS, and to a method that is not allowed (D2). */
export function checkMethod({ req: { method }, id: requestId }: RequestContext): ApiResponse | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method === 'OPTIONS') return OPTIONS_RESPONSE;
  const detail = `The method ${JSON.stringify(method)} is not GET, HEAD or OPTIONS.`;
  return errorResponse('method-not-allowed', { detail, requestId, headers: ALLOW });
}

/** Who may call a route: all clients, clients with a key, or operators. */
export type Access = 'open' | 'key' | 'operator';

export interface Admission {
  readonly keys: Pick<ServerKeys, 'check' | 'count'>;
  readonly now: () => Date;
}

/** Checks the key of a request and counts it for the rate limit: undefined, or the error response (D3, D16). */
export function admit(request: RequestContext, access: Access, context: Admission): ApiResponse | undefined {
  if (access === 'open') return undefined;
  const client = findClient(request, context);
  if ('status' in client) return client;
  request.keyName = client.name;
  request.rateLimit = context.keys.count(client.id);
  if (request.rateLimit?.isExceeded === true) return rateLimitedResponse(request.rateLimit, request.id);
  if (access === 'key' || client.isOperator === true) return undefined;
  const detail = 'The key in x-api-key is no operator key.';
  return errorResponse('operator-only', { detail, requestId: request.id });
}

/**
 * The client of a request, or the refusal (D16). The refusal names a slip of the key, which depends on its text alone. All
 * unknown keys get the same response; only a key that was valid once gets `expired-key`.
 */
function findClient({ req, id: requestId }: RequestContext, { keys, now }: Admission): ApiClient | ApiResponse {
  const text = req.headers['x-api-key'];
  // Node joins repeated headers by a comma.
  if (text?.includes(',') === true && countHeader(req, 'x-api-key') > 1) {
    return errorResponse('repeated-header', { detail: 'The header x-api-key was sent more than once.', requestId });
  }
  const refuse = (code: 'missing-key' | 'expired-key' | 'invalid-key', detail: string): ApiResponse =>
    errorResponse(code, { detail, requestId, headers: CHALLENGE });
  if (text === undefined)
    return refuse('missing-key', 'The request has no key: send it as the header x-api-key, without a word before it.');
  if (text === '') return refuse('missing-key', 'The header x-api-key is empty.');
  const key = text.toString();
  const check = keys.check(key, now());
  switch (check.kind) {
    case 'valid':
      return check;
    case 'expired':
      return refuse('expired-key', 'The key in x-api-key is no longer valid.');
    case 'unknown':
      return refuse('invalid-key', `The key in x-api-key ${describeKeyTypo(key) ?? 'is not known here'}.`);
  }
}

/** The response to a key over its rate limit (D3). */
function rateLimitedResponse({ retryAfterSeconds }: RateLimitResult, requestId: string): ApiResponse {
  const seconds = `${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`;
  const detail = `The key in x-api-key has used its share of requests; the next one is free in ${seconds}.`;
  return errorResponse('rate-limited', { detail, requestId, headers: { 'Retry-After': String(retryAfterSeconds) } });
}
