import type { IncomingMessage } from 'node:http';
import { MAX_TARGET_BYTES } from '../../data/query/limit.ts';
import { describeSlip } from '../key/api-key.ts';
import type { KeyHolder, KeyRing } from '../key/key-ring.ts';
import type { Share } from '../key/rate-limiter.ts';
import type { Answer } from './answer.ts';
import { describeUnknownPath } from './describe-unknown-path.ts';
import { createProblem } from './problem.ts';
import { countHeader, hasOneMeaning, hasTooManyHeaders } from './raw-request.ts';

const ALLOW = { Allow: 'GET, HEAD, OPTIONS' };
const CHALLENGE = { 'WWW-Authenticate': 'ApiKey realm="deals"' };

/** Refuses what is wrong whatever the path: a target that is too long, too many headers, `Host` twice or not at all (D2, D3). */
export function refuseAnywhere(req: IncomingMessage, target: string, requestId: string): Answer | undefined {
  if (target.length > MAX_TARGET_BYTES) {
    const detail = `The request target has ${target.length} bytes; at most ${MAX_TARGET_BYTES} are read.`;
    return createProblem('target-too-long', { detail, requestId });
  }
  // As for headers of too many bytes, without a body.
  if (hasTooManyHeaders(req)) return { status: 431, headers: { Connection: 'close' }, body: [] };
  const hostCount = countHeader(req, 'host');
  // RFC 9112 §3.2. Node would answer that by itself, without a line in the log and without our headers.
  if ((hostCount === 0 && req.httpVersion === '1.1') || (hostCount <= 1 && !hasOneMeaning(req))) {
    return { status: 400, headers: { Connection: 'close' }, body: [] };
  }
  if (hostCount > 1) {
    return createProblem('repeated-header', { detail: 'The header Host was sent more than once.', requestId });
  }
  return undefined;
}

export function refusePath(path: string, requestId: string): Answer {
  return createProblem('unknown-path', { detail: describeUnknownPath(path), requestId });
}

/** The answer to OPTIONS and the refusal of everything that is not a read (D2). */
export function answerOtherMethod({ method }: IncomingMessage, requestId: string): Answer | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method === 'OPTIONS') return { status: 204, headers: ALLOW, body: [] };
  const detail = `The method ${JSON.stringify(method)} is not GET, HEAD or OPTIONS.`;
  return createProblem('method-not-allowed', { detail, requestId, headers: ALLOW });
}

export type Admission =
  | { readonly kind: 'refused'; readonly answer: Answer }
  | { readonly kind: 'admitted'; readonly holder: KeyHolder };

/**
 * Looks at the key of a request (D16). A text that is no key is told its slip, which depends on the text alone. A key
 * that is not taken gets the same answer however near it comes to one that is. Only a key that was valid once is told
 * that it no longer is.
 */
export function checkKey(req: IncomingMessage, keyRing: KeyRing, now: Date, requestId: string): Admission {
  if (countHeader(req, 'x-api-key') > 1) {
    const detail = 'The header x-api-key was sent more than once.';
    return { kind: 'refused', answer: createProblem('repeated-header', { detail, requestId }) };
  }
  const refuse = (code: 'missing-key' | 'expired-key' | 'invalid-key', detail: string): Admission => ({
    kind: 'refused',
    answer: createProblem(code, { detail, requestId, headers: CHALLENGE }),
  });
  const key = req.headers['x-api-key'];
  if (typeof key !== 'string' || key === '') return refuse('missing-key', describeMissingKey(req));
  const check = keyRing.check(key, now);
  switch (check.kind) {
    case 'valid':
      return { kind: 'admitted', holder: check };
    case 'expired':
      return refuse('expired-key', 'The key in x-api-key is no longer valid.');
    case 'unknown':
      return refuse('invalid-key', `The key in x-api-key ${describeSlip(key) ?? 'is not known here'}.`);
  }
}

/** A parameter that most likely holds a key; its value is nobody's business. */
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

/** Refuses a request of a key that has used its share (D3). */
export function refuseOverLimit({ retryAfterSeconds }: Share, requestId: string): Answer {
  const seconds = `${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`;
  const detail = `The key in x-api-key has used its share of requests; the next one is free in ${seconds}.`;
  return createProblem('rate-limited', { detail, requestId, headers: { 'Retry-After': String(retryAfterSeconds) } });
}
