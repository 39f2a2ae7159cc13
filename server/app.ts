import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { validateRequest } from './http/checks.ts';
import { EncodingNegotiator } from './http/compression.ts';
import { NO_SNIFF, setCorsHeaders, setRateLimitHeaders } from './http/headers.ts';
import { LoadShedder } from './http/load-shedding.ts';
import { readHeaders, toOriginForm } from './http/request.ts';
import type { CachedResponse } from './http/response-cache.ts';
import { errorResponse } from './http/response.ts';
import { TickQueue } from './http/scheduler.ts';
import { sendResponse } from './http/send.ts';
import { describeError, redactKeys, type Log } from './log.ts';
import { splitTarget } from './query/query-string.ts';
import { checkKey, type RequestContext, type RouteContext } from './routes/context.ts';
import { INTERFACE_PREFIX } from './routes/resolve-request.ts';
import { createRouter } from './routes/router.ts';

/** Health checks are always answered. */
const HEALTH_PREFIX = '/health/';

export interface AppOptions extends Omit<RouteContext, 'encodings'> {
  /** The folder of the pages: immutable while the server runs. */
  readonly pageFolder: string;
  /** Absent without an access log. */
  readonly accessLog?: Log;
}

/** What is known of a request that could not be read. */
const UNREAD: Omit<RequestContext, 'id' | 'startedAt'> = {
  target: '',
  path: '',
  query: '',
  headers: {
    isPlain: false,
    apiKey: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    origin: undefined,
  },
  key: undefined,
  cached: undefined,
  isShed: false,
  rateLimit: undefined,
  keyName: undefined,
  label: 'other',
};

/**
 * The request listener of the service: one path for all requests. It looks up the key and the cached response, sheds
 * load, and routes; the checks of the request come in the order of D3.
 *
 * A cached response belongs to the current snapshot, and only targets that passed all checks have one. So what follows
 * the route (parameters, cursor, rows) is skipped for them, and what precedes it is cheap enough to run again.
 */
export function createApp(options: AppOptions): RequestListener {
  const { settings, snapshots, accessLog, counts, log } = options;
  const { corsOrigins } = settings;
  const isWatched = accessLog !== undefined || counts !== undefined;
  const encodings = new EncodingNegotiator();
  const shedder = settings.shedsLoad ? new LoadShedder(log) : undefined;
  /** Requests without a valid key, which anyone can send. */
  const keyless = new TickQueue();
  const bootId = randomBytes(4).toString('hex');
  let requestCount = 0;

  const createContext = (req: IncomingMessage, id: string): RequestContext => {
    const startedAt = isWatched ? performance.now() : 0;
    const target = toOriginForm(req.url ?? '/');
    const { path, query } = splitTarget(target);
    return {
      id,
      target,
      path,
      query,
      headers: readHeaders(req),
      startedAt,
      key: undefined,
      cached: undefined,
      isShed: false,
      rateLimit: undefined,
      keyName: undefined,
      label: 'other',
    };
  };

  const isOverloaded = (request: RequestContext): boolean => {
    if (shedder === undefined || request.cached !== undefined) return false;
    const caller = checkKey(request, options).kind === 'valid' ? 'with-key' : 'without-key';
    return shedder.isOverloaded(caller) && !request.path.startsWith(HEALTH_PREFIX);
  };

  /** Rejects a request under overload, without a log line for each. */
  const shed = (req: IncomingMessage, res: ServerResponse, request: RequestContext): void => {
    request.isShed = true;
    setCorsHeaders(req, res, request.headers.origin, corsOrigins);
    shedder?.refuse(req, res, request.id, { [NO_SNIFF.name]: NO_SNIFF.value });
    if (counts !== undefined) counts.shed++;
  };

  /**
   * Counts a request when it is over: its route may be known only then. A cached response and a rejection under overload
   * are written whole by now; waiting for the system to send them would cost more than the rest.
   */
  const countWhenOver = (res: ServerResponse, request: RequestContext | undefined): void => {
    if (counts === undefined || request === undefined) return;
    const count = (): void => {
      const status = res.headersSent ? res.statusCode : undefined;
      counts.count(request.label, status, performance.now() - request.startedAt);
    };
    if (request.isShed || request.cached !== undefined) count();
    else res.once('close', count);
  };

  /** Logs a request when it is over: the name of its key may be known only then. */
  const logWhenClosed = (req: IncomingMessage, res: ServerResponse, request: RequestContext, write: Log): void => {
    const { socket } = req;
    const bytesBefore = socket.bytesWritten;
    res.once('close', () => {
      write({
        event: 'request',
        requestId: request.id,
        method: req.method,
        path: redactKeys(request.path).slice(0, 200),
        route: request.label,
        status: res.statusCode,
        bytes: socket.bytesWritten - bytesBefore,
        key: request.keyName,
        milliseconds: Math.round((performance.now() - request.startedAt) * 10) / 10,
        finished: res.writableFinished,
      });
    });
  };

  /**
   * Sets the headers of every response but those of the catalogue, which are written at once: `setHeader` before
   * `writeHead` made Node write all headers one by one, 1.18 times the processor time of a cache hit.
   */
  const prepare = (req: IncomingMessage, res: ServerResponse, request: RequestContext): void => {
    if (res.hasHeader('X-Request-Id')) return;
    res.setHeader('X-Request-Id', request.id);
    res.setHeader(NO_SNIFF.name, NO_SNIFF.value);
    setCorsHeaders(req, res, request.headers.origin, corsOrigins);
    // On every response of the interface, errors included (D18); a response from another snapshot replaces it.
    const current = snapshots.current?.manifest.id;
    if (current !== undefined && request.path.startsWith(INTERFACE_PREFIX)) res.setHeader('X-Snapshot', current);
  };

  /** Responds with 500; the cause goes to the log. A response that has begun can only be cut off (D17). */
  const respondToFault = (req: IncomingMessage, res: ServerResponse, request: RequestContext, error: unknown): void => {
    const { id: requestId } = request;
    log({ event: 'request-failed', requestId, cause: describeError(error) });
    if (res.headersSent) {
      res.destroy();
      return;
    }
    try {
      prepare(req, res, request);
      if (request.rateLimit !== undefined) setRateLimitHeaders(res, request.rateLimit);
      // It belongs to the body that was not sent.
      res.removeHeader('Content-Encoding');
      const problem = errorResponse('internal-error', { detail: 'internal error', requestId });
      sendResponse(req, res, problem).catch(() => res.destroy());
    } catch {
      // The error response itself failed: an error thrown here would end the process.
      res.destroy();
    }
  };

  const router = createRouter({ ...options, encodings, prepare, respondToFault });

  const respond = (req: IncomingMessage, res: ServerResponse, request: RequestContext): unknown => {
    try {
      request.cached = findCached(req, request, options, encodings);
      if (isOverloaded(request)) return shed(req, res, request);
    } catch {
      // The checks of the route meet the same error, in the order of D3.
    }
    if (accessLog !== undefined) logWhenClosed(req, res, request, accessLog);
    const refusal = validateRequest(req, request.target, request.headers, request.id);
    return refusal === undefined ? router.route(req, res, request) : router.refuse(req, res, request, refusal);
  };

  return (req, res) => {
    const id = `${bootId}-${(++requestCount).toString(36)}`;
    let request: RequestContext | undefined;
    const fail = (error: unknown): void => {
      request ??= { ...UNREAD, id, startedAt: performance.now() };
      respondToFault(req, res, request, error);
    };
    const start = (context: RequestContext): void => {
      try {
        const done = respond(req, res, context);
        if (done instanceof Promise) done.catch(fail);
      } catch (error) {
        fail(error);
      }
      countWhenOver(res, context);
    };
    try {
      const context = (request = createContext(req, id));
      if (hasValidKey(context, options)) start(context);
      else keyless.run(() => (req.socket.destroyed ? undefined : start(context)));
    } catch (error) {
      fail(error);
      countWhenOver(res, request);
    }
  };
}

function hasValidKey(request: RequestContext, options: AppOptions): boolean {
  try {
    return checkKey(request, options).kind === 'valid';
  } catch {
    // The checks of the route meet the same error.
    return false;
  }
}

/** The cached response to a request with a valid key. */
function findCached(
  req: IncomingMessage,
  request: RequestContext,
  options: AppOptions,
  encodings: EncodingNegotiator,
): CachedResponse | undefined {
  const { target, headers } = request;
  const responses = options.snapshots.current?.responses;
  if (responses?.isOn !== true || (req.method !== 'GET' && req.method !== 'HEAD')) return undefined;
  if (checkKey(request, options).kind !== 'valid') return undefined;
  return responses.find(target, encodings.negotiate(headers.acceptEncoding), headers.ifNoneMatch);
}
