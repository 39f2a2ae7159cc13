import { createHash } from 'node:crypto';
import type { Middleware } from 'polka';
import { createCachedAnswer, type CachedAnswer } from '../http/answer-cache.ts';
import { answerOtherMethod } from '../http/check-request.ts';
import { variesByOrigin } from '../http/cors.ts';
import { encodeBody, negotiateEncoding, type Encoding } from '../http/encoding.ts';
import { createTag, matchesTag } from '../http/etag.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { sendReady } from '../http/send-ready.ts';
import { createOpenApi } from '../openapi/create-openapi.ts';
import type { SiteContext } from './site-context.ts';

const PATH = '/openapi.json';
const MAX_AGE_SECONDS = 300;

/** `/openapi.json` (D19): made and encoded once, since it depends on nothing that changes while the server runs. */
export function createOpenApiHandler({ settings, incomingOf }: SiteContext): Middleware {
  const text = Buffer.from(JSON.stringify(createOpenApi(settings)));
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const create = async (encoding: Encoding): Promise<CachedAnswer> => {
    const tag = createTag(digest, encoding);
    const headers = {
      'Content-Type': 'application/json',
      ETag: tag,
      'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      Vary: variesByOrigin(settings.corsOrigins) ? ['Origin', 'Accept-Encoding'] : 'Accept-Encoding',
    };
    return encoding === 'identity'
      ? createCachedAnswer(tag, headers, text)
      : createCachedAnswer(tag, { ...headers, 'Content-Encoding': encoding }, await encodeBody(text, encoding));
  };
  const answers = new Map<Encoding, Promise<CachedAnswer>>();
  return async (req, res, next) => {
    const request = incomingOf(req);
    if (request.path !== PATH) return next();
    request.label = 'openapi';
    const otherMethod = answerOtherMethod(req, request.id);
    if (otherMethod !== undefined) return sendAnswer(req, res, otherMethod);
    const encoding = negotiateEncoding(req);
    const making = answers.get(encoding) ?? create(encoding);
    answers.set(encoding, making);
    const { tag, whole, notModified } = await making;
    const isKnown = matchesTag(req.headers['if-none-match'], tag);
    sendReady(req, res, isKnown || whole === undefined ? notModified : whole, { requestId: request.id });
  };
}
