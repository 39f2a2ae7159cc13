import type { Middleware } from 'polka';
import { answerOtherMethod } from '../http/check-request.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { describeHealth } from './health.ts';
import type { SiteContext } from './site-context.ts';

/** `/health/live` and `/health/ready` (D19). */
export function createHealthHandler({ snapshots, settings, now, incomingOf }: SiteContext): Middleware {
  return (req, res, next) => {
    const request = incomingOf(req);
    const { path, id } = request;
    const health = describeHealth(path, snapshots.current?.manifest, now(), settings.staleAfterHours);
    if (health === undefined) return next();
    request.label = 'health';
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...health.headers };
    const answer = { status: health.status, headers, body: [JSON.stringify(health.body)] };
    return sendAnswer(req, res, answerOtherMethod(req, id) ?? answer);
  };
}
