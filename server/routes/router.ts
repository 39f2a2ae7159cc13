import type { IncomingMessage, ServerResponse } from 'node:http';
import polka from 'polka';
import { notFound } from '../http/checks.ts';
import { sendResponse } from '../http/send.ts';
import type { RequestContext, RouteContext } from './context.ts';
import { createHealthHandler } from './health.ts';
import { createImageHandler } from './images.ts';
import { createPageHandler } from './pages.ts';
import { createOpenApiHandler, createProblemHandler } from './reference.ts';
import { createStatusHandler } from './status.ts';

export interface RouterOptions extends Omit<RouteContext, 'contextOf'> {
  /** The folder of the pages: immutable while the server runs. */
  readonly pageFolder: string;
  /** Responds to a request whose handler failed. */
  readonly respondToFault: (req: IncomingMessage, res: ServerResponse, requestId: string, error: unknown) => void;
}

/** Routes the paths outside the interface: health, pictures, error pages, status, pages (D19). */
export function createRouter(
  options: RouterOptions,
): (req: IncomingMessage, res: ServerResponse, request: RequestContext) => void {
  const contexts = new WeakMap<IncomingMessage, RequestContext>();
  const contextOf = (req: IncomingMessage): RequestContext => contexts.get(req) as RequestContext;
  const context: RouteContext = { ...options, contextOf };
  const app = polka({
    onNoMatch: (req, res) => sendResponse(req, res, notFound(contextOf(req).path, contextOf(req).id)),
    onError: (error, req, res) => options.respondToFault(req, res, contextOf(req).id, error),
  })
    .all('/health/*', createHealthHandler(context))
    .all('/images/*', createImageHandler(context))
    .all('/problems/*', createProblemHandler(context))
    .all('/openapi.json', createOpenApiHandler(context))
    .all('/status/*', createStatusHandler(context))
    .use(createPageHandler(options.pageFolder, context));

  return (req, res, request) => {
    contexts.set(req, request);
    req.url = request.target;
    void app.handler(req as Parameters<typeof app.handler>[0], res, undefined as never);
  };
}
