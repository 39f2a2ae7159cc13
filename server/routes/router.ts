import type { IncomingMessage, ServerResponse } from 'node:http';
import polka, { type Middleware } from 'polka';
import { handleMethod, notFound, OPTIONS_RESPONSE } from '../http/checks.ts';
import { isPreflight, setRateLimitHeaders } from '../http/headers.ts';
import type { ApiResponse } from '../http/response.ts';
import { sendResponse } from '../http/send.ts';
import { createCatalogueHandler } from './catalogue.ts';
import { admit, type RequestContext, type Route, type RouteContext } from './context.ts';
import { findHealthResponse } from './health.ts';
import { findImage } from './images.ts';
import { findPage } from './pages.ts';
import { findOpenApi, findProblem } from './reference.ts';
import { findRoute, INTERFACE_PREFIX } from './resolve-request.ts';
import { findStatusHandler } from './status.ts';

export interface RouterOptions extends RouteContext {
  /** The folder of the pages: immutable while the server runs. */
  readonly pageFolder: string;
  /** Sets the headers of every response; those of the catalogue are written with the response. */
  readonly prepare: (req: IncomingMessage, res: ServerResponse, request: RequestContext) => void;
  /** Responds to a request whose handler failed. */
  readonly respondToFault: (req: IncomingMessage, res: ServerResponse, request: RequestContext, error: unknown) => void;
}

/** The routes outside the interface, in the order in which they are tried (D19). */
function listRoutes(context: RouterOptions): readonly Route[] {
  return [
    { path: '/health/*', label: 'health', access: 'open', find: findHealthResponse(context) },
    { path: '/images/*', label: 'image', access: 'open', find: findImage(context) },
    { path: '/problems/*', label: 'problem', access: 'open', find: findProblem() },
    { path: '/openapi.json', label: 'openapi', access: 'open', find: findOpenApi(context) },
    { path: '/status/*', label: 'status', access: 'operator', find: findStatusHandler(context) },
    { path: '/', label: 'page', access: 'open', find: findPage(context.pageFolder, context) },
  ];
}

export interface Router {
  /** Routes a request; the checks come in the order of D3. */
  readonly route: (req: IncomingMessage, res: ServerResponse, request: RequestContext) => unknown;
  /** Sends an error response. */
  readonly refuse: (
    req: IncomingMessage,
    res: ServerResponse,
    request: RequestContext,
    response: ApiResponse,
  ) => unknown;
}

/** The interface compares paths as sent. polka routes the other paths, and each route rejects what polka accepts. */
export function createRouter(options: RouterOptions): Router {
  const contexts = new WeakMap<IncomingMessage, RequestContext>();
  // polka passes on the request only.
  const contextOf = (req: IncomingMessage): RequestContext => contexts.get(req) as RequestContext;

  const refuse: Router['refuse'] = (req, res, request, response) => {
    options.prepare(req, res, request);
    if (request.rateLimit !== undefined) setRateLimitHeaders(res, request.rateLimit);
    return sendResponse(req, res, response);
  };

  /** A preflight gets its permission, so that the page of the browser can read the 404 that follows (D2). */
  const refuseUnknown = (req: IncomingMessage, res: ServerResponse, request: RequestContext): unknown =>
    refuse(req, res, request, isPreflight(req) ? OPTIONS_RESPONSE : notFound(request.path, request.id));

  /** Path, method, key and rate limit are checked in this order; then the handler responds (D3). */
  const serve = (
    req: IncomingMessage,
    res: ServerResponse,
    request: RequestContext,
    { label, access }: Pick<Route, 'label' | 'access'>,
    respond: () => unknown,
  ): unknown => {
    request.label = label;
    const refusal = handleMethod(req, request.id) ?? admit(req, request, access, options);
    if (refusal !== undefined) return refuse(req, res, request, refusal);
    return respond();
  };

  const app = polka({
    onNoMatch: async (req, res) => {
      await refuseUnknown(req, res, contextOf(req));
    },
    onError: (error, req, res) => options.respondToFault(req, res, contextOf(req), error),
  });
  for (const route of listRoutes(options)) {
    const handle: Middleware = async (req, res, next) => {
      const request = contextOf(req);
      const handler = await route.find(request);
      const respond = (): unknown => {
        if (request.rateLimit !== undefined) setRateLimitHeaders(res, request.rateLimit);
        return handler?.(req, res, next);
      };
      await (handler === undefined ? next() : serve(req, res, request, route, respond));
    };
    if (route.path === '/') app.use(handle);
    else app.all(route.path, handle);
  }

  const respondFromCatalogue = createCatalogueHandler(options);
  return {
    refuse,
    route(req, res, request) {
      if (request.path.startsWith(INTERFACE_PREFIX)) {
        const route = findRoute(request.path);
        if (route === undefined) return refuseUnknown(req, res, request);
        const guard = { label: route.endpoint, access: 'key' } as const;
        return serve(req, res, request, guard, () => respondFromCatalogue(req, res, request, route));
      }
      options.prepare(req, res, request);
      contexts.set(req, request);
      req.url = request.target;
      return app.handler(req as Parameters<typeof app.handler>[0], res, undefined as never);
    },
  };
}
