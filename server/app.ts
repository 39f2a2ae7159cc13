import type { RequestListener, ServerResponse } from 'node:http';
import polka, { type Request } from 'polka';
import { LoadShedder } from './http/limits.ts';
import {
  admit,
  checkMethod,
  checkTarget,
  NOT_FOUND,
  OPTIONS_RESPONSE,
  createRequestContext,
  isPreflight,
  listCommonHeaders,
  logRequest,
  toOriginForm,
  type RequestContext,
} from './http/request.ts';
import { ResponseCache } from './http/response-cache.ts';
import { errorResponse, type ApiResponse, type FileResponse, type Refusal } from './http/response.ts';
import { makeBody, send, type Sendable } from './http/send.ts';
import { describeError, type Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { splitTarget } from './query/query-text.ts';
import { type Route, type RouteContext, listRoutes } from './routes/routes.ts';
import { INTERFACE_PREFIX } from './catalogue.ts';

export interface AppOptions extends RouteContext {
  /** Absent without an access log. */
  readonly accessLog?: Log | undefined;
  /** Absent without metrics. */
  readonly metrics?: Metrics | undefined;
  readonly shedder?: Pick<LoadShedder, 'isLate'> | undefined;
  /** Requests wait until it ends, except that for `/health/live`: 503 would be wrong, because there may be a snapshot. */
  readonly loading?: Promise<void>;
}

const OVERLOADED: Refusal = {
  code: 'overloaded',
  detail: 'More requests arrive than can be answered in time.',
  headers: { 'Retry-After': '2' },
};

/**
 * The request listener of the service: one path for all requests, with the checks in the order of D3. polka finds the
 * route.
 */
export function createApp(options: AppOptions): RequestListener {
  const { settings, snapshots, keys, loading, accessLog, metrics, log, shedder = new LoadShedder() } = options;
  const cache = new ResponseCache();

  /** Checks a request until a response is found, in the cache or by its route. */
  const findResponse = (route: Route | undefined, request: RequestContext): Sendable | Promise<Sendable> => {
    const refusal = checkTarget(request);
    if (refusal !== undefined) return write(refusal, request);
    if (route === undefined) {
      // A preflight gets its permission, so that the page of the browser can read the 404 that follows (D2).
      return write(isPreflight(request.req) ? OPTIONS_RESPONSE : NOT_FOUND, request);
    }
    request.label = route.label;
    const early = checkMethod(request) ?? admit(request, route.access, keys);
    if (early !== undefined) return write(early, request);

    // Nothing that is kept of an open route depends on its query.
    const cacheKey = `${request.encoding} ${route.access === 'open' ? request.path : request.target}`;
    const cached = cache.find(cacheKey, snapshots.current);
    if (route.access === 'key') metrics?.countCacheLookup(cached !== undefined);
    if (cached !== undefined) return cached;
    if (route.label !== 'health' && shedder.isLate()) {
      metrics?.countShed();
      return write(OVERLOADED, request);
    }
    return makeResponse(route, request, cacheKey);
  };

  const makeResponse = async (route: Route, request: RequestContext, cacheKey: string): Promise<Sendable> => {
    const made = await write((await route.handle(request)) ?? NOT_FOUND, request);
    cache.keep(cacheKey, made, snapshots.current);
    return made;
  };

  const sendResponse = (request: RequestContext, res: ServerResponse, response: Sendable): Promise<void> => {
    const common = listCommonHeaders(request, settings.corsOrigins);
    // On every response of the interface, errors included (D18).
    const snapshotId = response.snapshotId ?? snapshots.current?.manifest.id;
    if (snapshotId !== undefined && request.path.startsWith(INTERFACE_PREFIX)) common.push('X-Snapshot', snapshotId);
    return send(request, res, response, common);
  };

  /** Responds with 500; the cause goes to the log. A response that has begun can only be cut off (D17). */
  const respondToFault = async (request: RequestContext, res: ServerResponse, error: unknown): Promise<void> => {
    log({ event: 'request-failed', requestId: request.id, cause: describeError(error) });
    if (res.headersSent) {
      res.destroy();
      return;
    }
    await sendResponse(request, res, await write({ code: 'internal-error', detail: 'internal error' }, request));
  };

  const respond = async (route: Route | undefined, req: Request, res: ServerResponse): Promise<void> => {
    const request = createRequestContext(req, req.originalUrl);
    const bytesBefore = req.socket.bytesWritten;
    res.once('close', () => {
      metrics?.countRequest(request, res);
      if (accessLog !== undefined) logRequest(accessLog, request, res, req.socket.bytesWritten - bytesBefore);
    });
    try {
      if (!request.path.startsWith('/health/live')) await loading;
      // Awaited even for a cached response, so that Node first refuses a malformed rest of the packet.
      await sendResponse(request, res, await findResponse(route, request));
    } catch (error) {
      // An error of the error response must not end the process.
      await respondToFault(request, res, error).catch(() => res.destroy());
    }
  };

  const app = polka({
    onNoMatch: (req, res) => respond(undefined, req, res),
    // Only a request that could not even be begun comes here; polka would tell the client the cause.
    onError: (error, _req, res) => {
      log({ event: 'request-failed', cause: describeError(error) });
      res.destroy();
    },
  });
  for (const route of listRoutes(options)) {
    app.all(route.path, (req, res, next) => (route.has(req.url) ? respond(route, req, res) : next()));
  }
  return (req, res) => {
    const target = toOriginForm(req.url ?? '/');
    const { path } = splitTarget(target);
    // polka gets the path alone: it would parse the query, too, and cut off a fragment, which no path has.
    const routed = req as Request;
    routed.originalUrl = target;
    routed.url = path.includes('#') ? '' : path;
    void app.handler(routed, res, undefined as never);
  };
}

function write(response: ApiResponse | FileResponse | Refusal, { id }: RequestContext): Promise<Sendable> {
  return makeBody('code' in response ? errorResponse(response, id) : response);
}
