import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../http/answer.ts';
import { checkKey, refuseOverLimit } from '../http/check-request.ts';
import { setShare } from '../http/cors.ts';
import type { Incoming } from '../http/incoming.ts';
import { createProblem } from '../http/problem.ts';
import type { SiteContext } from '../site/site-context.ts';

/**
 * Lets through whoever has a key with the operator mark and requests left, in the order of D3; else the refusal. A key
 * without the mark takes its share too: nobody asks for nothing.
 */
export function refuseNonOperator(
  req: IncomingMessage,
  res: ServerResponse,
  request: Incoming,
  { keyRing, now, rateLimiter, counts }: Pick<SiteContext, 'keyRing' | 'now' | 'rateLimiter' | 'counts'>,
): Answer | undefined {
  const admission = checkKey(req, keyRing(), now(), request.id);
  if (admission.kind === 'refused') return admission.answer;
  const { holder } = admission;
  request.keyName = holder.name;
  const share = rateLimiter.take(holder.id);
  if (share !== undefined) setShare(res, share);
  if (share?.isOver === true) {
    if (counts !== undefined) counts.rateLimited++;
    return refuseOverLimit(share, request.id);
  }
  if (holder.isOperator === true) return undefined;
  const detail = 'The key in x-api-key has no operator mark.';
  return createProblem('operator-only', { detail, requestId: request.id });
}
