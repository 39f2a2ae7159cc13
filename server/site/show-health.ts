import type { Middleware } from 'polka';
import { answerOtherMethod } from '../http/check-request.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { describeHealth } from './health.ts';
import { LastConfirmation } from './last-confirmation.ts';
import type { SiteContext } from './site-context.ts';

/** `/health/live` and `/health/ready` (D19). */
export function createHealthHandler(context: SiteContext): Middleware {
  const { store, snapshots, settings, now, incomingOf, keysUnreadableSeconds } = context;
  const { staleAfterHours } = settings;
  const confirmation = new LastConfirmation(store);
  return async (req, res, next) => {
    const request = incomingOf(req);
    const { path, id } = request;
    const manifest = snapshots.current?.manifest;
    const asked = now();
    // Whether the process is alive is no question for the disk.
    const lastBuild =
      manifest === undefined || !path.startsWith('/health/ready')
        ? undefined
        : await confirmation.find(manifest, asked, staleAfterHours);
    const health = describeHealth(path, manifest, asked, staleAfterHours, lastBuild, keysUnreadableSeconds?.());
    if (health === undefined) return next();
    request.label = 'health';
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...health.headers };
    const answer = { status: health.status, headers, body: [JSON.stringify(health.body)] };
    return sendAnswer(req, res, answerOtherMethod(req, id) ?? answer);
  };
}
