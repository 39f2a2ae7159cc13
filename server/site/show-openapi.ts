import { createHash } from 'node:crypto';
import type { Middleware } from 'polka';
import { answerOtherMethod } from '../http/check-request.ts';
import { negotiateEncoding } from '../http/encoding.ts';
import { matchesTag } from '../http/etag.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { createOpenApi } from '../openapi/create-openapi.ts';
import type { SiteContext } from './site-context.ts';

const PATH = '/openapi.json';
const MAX_AGE_SECONDS = 300;

/** `/openapi.json` (D19): made once, since it depends on nothing that changes while the server runs. */
export function createOpenApiHandler({ settings, incomingOf }: SiteContext): Middleware {
  const text = JSON.stringify(createOpenApi(settings));
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return (req, res, next) => {
    const request = incomingOf(req);
    if (request.path !== PATH) return next();
    request.label = 'openapi';
    const otherMethod = answerOtherMethod(req, request.id);
    if (otherMethod !== undefined) return sendAnswer(req, res, otherMethod);
    const encoding = negotiateEncoding(req);
    const tag = `"${digest}${encoding === 'identity' ? '' : `-${encoding}`}"`;
    const headers = {
      ETag: tag,
      'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      Vary: 'Accept-Encoding',
    };
    const answer = matchesTag(req.headers['if-none-match'], tag)
      ? { status: 304, headers, body: [] }
      : { status: 200, headers: { ...headers, 'Content-Type': 'application/json' }, body: [text], encoding };
    return sendAnswer(req, res, answer);
  };
}
