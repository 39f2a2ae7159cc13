import type { IncomingMessage } from 'node:http';
import { MAX_TARGET_BYTES } from '../../data/query/parameter.ts';
import { describeKeyTypo } from '../keys/api-key.ts';
import type { RateLimitResult } from '../keys/rate-limit.ts';
import type { ApiClient, ServerKeys } from '../keys/server-keys.ts';
import { countHeader, type RequestContext } from './request.ts';
import type { ApiResponse, Refusal } from './response.ts';

const ALLOW = { Allow: 'GET, HEAD, OPTIONS' };
export const OPTIONS_RESPONSE: ApiResponse = { status: 204, headers: ALLOW, body: [] };
const CHALLENGE = { 'WWW-Authenticate': 'ApiKey realm="deals"' };

/** Refuses a target that is too long, and a repeated `Host` (D2, D3). Node refuses a request without one. */
export function checkTarget({ req, target }: RequestContext): Refusal | undefined {
  if (target.length > MAX_TARGET_BYTES) {
    const detail = `The request target has ${target.length} bytes; at most ${MAX_TARGET_BYTES} are read.`;
    return { code: 'target-too-long', detail };
  }
  if (countHeader(req, 'host') < 2) return undefined;
  return { code: 'repeated-header', detail: 'The header Host was sent more than once.' };
}

export const NOT_FOUND: Refusal = {
  code: 'unknown-path',
  detail: 'There is nothing at this path. Paths are in lower case, and %-codes in them are not decoded.',
};

/** The response to OPTIONS, and to a method that is not allowed (D2). */
export function checkMethod({ req: { method } }: RequestContext): ApiResponse | Refusal | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method === 'OPTIONS') return OPTIONS_RESPONSE;
  const detail = `The method ${JSON.stringify(method)} is not GET, HEAD or OPTIONS.`;
  return { code: 'method-not-allowed', detail, headers: ALLOW };
}

/** Who may call a route: all clients, clients with a key, or operators. */
export type Access = 'open' | 'key' | 'operator';

export interface Admission {
  readonly keys: Pick<ServerKeys, 'check' | 'count'>;
  readonly now: () => Date;
}

/** Checks the key of a request and counts it for the rate limit: undefined, or the refusal (D3, D16). */
export function admit(request: RequestContext, access: Access, context: Admission): Refusal | undefined {
  if (access === 'open') return undefined;
  const client = findClient(request.req, context);
  if ('code' in client) return client;
  request.keyName = client.name;
  request.rateLimit = context.keys.count(client.id);
  if (request.rateLimit?.isExceeded === true) return refuseRate(request.rateLimit);
  if (access === 'key' || client.isOperator === true) return undefined;
  return { code: 'operator-only', detail: 'The key in x-api-key is no operator key.' };
}

/**
 * The client of a request, or the refusal (D16). The refusal names a slip of the key, which depends on its text alone. All
 * unknown keys get the same response; only a key that was valid once gets `expired-key`.
 */
function findClient(req: IncomingMessage, { keys, now }: Admission): ApiClient | Refusal {
  const text = req.headers['x-api-key'];
  // Node joins repeated headers by a comma.
  if (text?.includes(',') === true && countHeader(req, 'x-api-key') > 1) {
    return { code: 'repeated-header', detail: 'The header x-api-key was sent more than once.' };
  }
  const refuse = (code: 'missing-key' | 'expired-key' | 'invalid-key', detail: string): Refusal => {
    return { code, detail, headers: CHALLENGE };
  };
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

/** A key over its rate limit (D3). */
function refuseRate({ retryAfterSeconds }: RateLimitResult): Refusal {
  const seconds = `${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`;
  const detail = `The key in x-api-key has used its share of requests; the next one is free in ${seconds}.`;
  return { code: 'rate-limited', detail, headers: { 'Retry-After': String(retryAfterSeconds) } };
}
