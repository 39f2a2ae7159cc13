import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Share } from '../key/rate-limiter.ts';
import type { ReadyAnswer } from './answer-cache.ts';

/** What an answer says to the one who asked for it. */
export interface PersonalFacts {
  readonly requestId: string;
  readonly corsHeaders?: Readonly<Record<string, string>> | undefined;
  /** What is left to the key; absent for a key without a limit. */
  readonly share?: Share | undefined;
}

/**
 * Sends an answer that was made before, with the headers of CORS and of the rate limit if there are any. HEAD gets no
 * body.
 *
 * The headers of all who get this answer are one object, in which the request id and the share change: they are written
 * before this returns. Copying it for each took 2 µs of the 25 that a request takes.
 */
export function sendReady(
  req: IncomingMessage,
  res: ServerResponse,
  answer: ReadyAnswer,
  { requestId, corsHeaders, share }: PersonalFacts,
): void {
  const { status, body } = answer;
  const headers = share === undefined ? answer.headers : headersUnderLimit(answer, share);
  headers['X-Request-Id'] = requestId;
  res.writeHead(status, corsHeaders === undefined ? headers : { ...headers, ...corsHeaders });
  res.end(req.method === 'HEAD' ? undefined : body);
}

function headersUnderLimit(answer: ReadyAnswer, { policy, state }: Share): Record<string, string | string[]> {
  answer.headersUnderLimit ??= { ...answer.headers, 'RateLimit-Policy': '', RateLimit: '' };
  answer.headersUnderLimit['RateLimit-Policy'] = policy;
  answer.headersUnderLimit['RateLimit'] = state;
  return answer.headersUnderLimit;
}
