import type { IncomingMessage, ServerResponse } from 'node:http';
import polka from 'polka';
import { refusePath } from '../http/check-request.ts';
import type { Incoming } from '../http/incoming.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { createHealthHandler } from './show-health.ts';
import { createOpenApiHandler } from './show-openapi.ts';
import { createPageHandler } from './show-page.ts';
import { createPictureHandler } from './show-picture.ts';
import { createProblemHandler } from './show-problem.ts';
import { createStatusHandler } from './show-status.ts';
import type { SiteContext } from './site-context.ts';

export interface SiteOptions extends Omit<SiteContext, 'incomingOf'> {
  /** The folder of the pages: immutable while the server runs. */
  readonly pageFolder: string;
  /** Answers a request whose handler failed. */
  readonly answerFault: (req: IncomingMessage, res: ServerResponse, requestId: string, error: unknown) => void;
}

/** Routes what is beside the interface: health, pictures, explanations of problems, pages (D19). */
export function createSite(
  options: SiteOptions,
): (req: IncomingMessage, res: ServerResponse, request: Incoming) => void {
  const incoming = new WeakMap<IncomingMessage, Incoming>();
  const incomingOf = (req: IncomingMessage): Incoming => incoming.get(req) as Incoming;
  const context: SiteContext = { ...options, incomingOf };
  const app = polka({
    onNoMatch: (req, res) => sendAnswer(req, res, refusePath(incomingOf(req).path, incomingOf(req).id)),
    onError: (error, req, res) => options.answerFault(req, res, incomingOf(req).id, error),
  })
    .all('/health/*', createHealthHandler(context))
    .all('/images/*', createPictureHandler(context))
    .all('/problems/*', createProblemHandler(context))
    .all('/openapi.json', createOpenApiHandler(context))
    .all('/status/*', createStatusHandler(context))
    .use(createPageHandler(options.pageFolder, context));

  return (req, res, request) => {
    incoming.set(req, request);
    req.url = request.target;
    void app.handler(req as Parameters<typeof app.handler>[0], res, undefined as never);
  };
}
