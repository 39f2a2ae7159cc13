import type { Middleware } from 'polka';
import { answerOtherMethod } from '../http/check-request.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { sendPicture } from './send-picture.ts';
import type { SiteContext } from './site-context.ts';

/** The pictures of the snapshots that are held (D19). */
export function createPictureHandler({ store, snapshots, log, incomingOf }: SiteContext): Middleware {
  return async (req, res, next) => {
    const request = incomingOf(req);
    const { path, id } = request;
    const picture = snapshots.held.map(({ index }) => index.pictures.get(path)).find((found) => found !== undefined);
    if (picture === undefined) return next();
    request.label = 'image';
    const otherMethod = answerOtherMethod(req, id);
    if (otherMethod !== undefined) return sendAnswer(req, res, otherMethod);
    const outcome = await sendPicture(req, res, store, picture);
    if (outcome === 'sent') return;
    log({ event: `picture-${outcome}`, path });
    return next();
  };
}
