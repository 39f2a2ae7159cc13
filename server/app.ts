import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { handleMethod, notFound, validateRequest } from './http/checks.ts';
import { EncodingNegotiator } from './http/compression.ts';
import { createCorsHeaders, NO_SNIFF, readCorsRequest, setCorsHeaders, variesByOrigin } from './http/headers.ts';
import { LoadShedder, type CallerKind } from './http/load-shedding.ts';
import { readPlainHeaders, toOriginForm } from './http/request.ts';
import { createCacheEntry, sendCached, type CachedResponse, type HeaderValues } from './http/response-cache.ts';
import { errorResponse, type ApiResponse } from './http/response.ts';
import { sendAndCapture, sendResponse } from './http/send.ts';
import type { ApiClient, ApiKeyStore } from './keys/key-store.ts';
import type { RateLimiter } from './keys/rate-limit.ts';
import { describeError, redactKeys, type Log } from './log.ts';
import type { RequestCounts } from './metrics/counters.ts';
import { splitTarget } from './query/query-string.ts';
import { respondToQuery } from './routes/catalogue.ts';
import { admit, type RequestContext } from './routes/context.ts';
import { findRoute, type Route } from './routes/resolve-request.ts';
import { createRouter } from './routes/router.ts';
import type { ServerSettings } from './settings.ts';
import type { LoadedSnapshot } from './snapshot/load-snapshot.ts';
import type { SnapshotManager } from './snapshot/snapshot-manager.ts';

const INTERFACE_PREFIX = '/deals/';
/** Health checks are always answered. */
const HEALTH_PREFIX = '/health/';

export interface AppOptions {
  readonly store: string;
  readonly snapshots: SnapshotManager;
  /** The current keys: read for every request, so that a change needs no restart. */
  readonly apiKeys: () => ApiKeyStore;
  /** How long the key file cannot be read; absent where there is no file. */
  readonly keysUnreadableSeconds?: () => number;
  readonly rateLimiter: RateLimiter;
  /** The folder of the pages: immutable while the server runs. */
  readonly pageFolder: string;
  readonly settings: ServerSettings;
  readonly log: Log;
  /** Absent without an access log. */
  readonly accessLog?: Log;
  /** Absent without metrics. */
  readonly counts?: RequestCounts;
  readonly now: () => Date;
}

/**
 * The request listener of the service. Cached responses are sent first. The interface compares paths as sent; polka
 * routes the other paths, and each route rejects what polka accepts (case, double slashes, other methods). Checks come in
 * the order of D3.
 */
export function createApp(options: AppOptions): RequestListener {
  const { settings, snapshots, accessLog, counts, rateLimiter } = options;
  const isWatched = accessLog !== undefined || counts !== undefined;
  const { corsOrigins } = settings;
  const encodings = new EncodingNegotiator();
  const cachedRequestOptions = { ...options, encodings };
  const bootId = randomBytes(4).toString('hex');
  let requestCount = 0;

  /** Responds with 500; the cause goes to the log. A response that has begun can only be cut off (D17). */
  const respondToFault = (req: IncomingMessage, res: ServerResponse, requestId: string, error: unknown): void => {
    options.log({ event: 'request-failed', requestId, cause: describeError(error) });
    if (res.headersSent) {
      res.destroy();
      return;
    }
    try {
      res.setHeader('X-Request-Id', requestId);
      // It belongs to the body that was not sent.
      res.removeHeader('Content-Encoding');
      const problem = errorResponse('internal-error', { detail: 'internal error', requestId });
      sendResponse(req, res, problem).catch(() => res.destroy());
    } catch {
      // The error response itself failed: an error thrown here would end the process.
      res.destroy();
    }
  };

  const router = createRouter({ ...options, respondToFault });
  const shedder = settings.shedsLoad ? new LoadShedder(options.log) : undefined;

  /** Logs a request when it is over: the name of its key may be known only then. */
  const logWhenClosed = (
    req: IncomingMessage,
    res: ServerResponse,
    request: Pick<RequestContext, 'id' | 'path' | 'keyName' | 'label'>,
    startedAt: number,
  ): void => {
    const { socket } = req;
    const bytesBefore = socket.bytesWritten;
    res.once('close', () => {
      accessLog?.({
        event: 'request',
        requestId: request.id,
        method: req.method,
        path: redactKeys(request.path).slice(0, 200),
        route: request.label,
        status: res.statusCode,
        bytes: socket.bytesWritten - bytesBefore,
        key: request.keyName,
        milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
        finished: res.writableFinished,
      });
    });
  };

  /** Counts a request when it is over: its route may be known only then. */
  const countWhenClosed = (res: ServerResponse, request: Pick<RequestContext, 'label'>, startedAt: number): void => {
    res.once('close', () => {
      counts?.count(request.label, res.headersSent ? res.statusCode : undefined, performance.now() - startedAt);
    });
  };

  const respondFromCache = (req: IncomingMessage, res: ServerResponse, id: string, startedAt: number): boolean => {
    const cached = findCachedRequest(req, cachedRequestOptions);
    if (cached === undefined) return false;
    const rateLimit = rateLimiter.take(cached.client.id);
    // The other path checks the limit again, which counts nothing once it is exceeded, and responds.
    if (rateLimit?.isExceeded === true) return false;
    const path = isWatched ? splitTarget(req.url ?? '/').path : '';
    if (accessLog !== undefined) {
      const label = findRoute(path)?.endpoint ?? 'other';
      logWhenClosed(req, res, { id, path, keyName: cached.client.name, label }, startedAt);
    }
    const corsHeaders = createCorsHeaders(cached.origin, corsOrigins, rateLimit !== undefined);
    sendCached(req, res, cached.answer, { requestId: id, corsHeaders, rateLimit });
    if (counts !== undefined) {
      counts.cacheHits++;
      // It is written whole; waiting for the system to send it would cost more than the rest.
      counts.count(findRoute(path)?.endpoint ?? 'other', cached.answer.status, performance.now() - startedAt);
    }
    return true;
  };

  const findCallerKind = (req: IncomingMessage): CallerKind => {
    const key = readPlainHeaders(req)?.apiKey;
    return key !== undefined && options.apiKeys().check(key, options.now()).kind === 'valid'
      ? 'with-key'
      : 'without-key';
  };

  /** Rejects a request that is not cached: a cached response would cost no more than this. */
  const refuseWork = (req: IncomingMessage, res: ServerResponse, id: string, shedding: LoadShedder): void => {
    setCorsHeaders(res, readCorsRequest(req), corsOrigins);
    shedding.refuse(req, res, id, { [NO_SNIFF.name]: NO_SNIFF.value });
    if (counts === undefined) return;
    counts.shed++;
    counts.count('other', res.statusCode, 0);
  };

  const accept = async (req: IncomingMessage, res: ServerResponse, id: string, startedAt: number): Promise<void> => {
    const target = toOriginForm(req.url ?? '/');
    const request: RequestContext = { id, target, ...splitTarget(target), label: 'other' };
    if (accessLog !== undefined) logWhenClosed(req, res, request, startedAt);
    if (counts !== undefined) countWhenClosed(res, request, startedAt);
    res.setHeader('X-Request-Id', id);
    res.setHeader(NO_SNIFF.name, NO_SNIFF.value);
    setCorsHeaders(res, readCorsRequest(req), corsOrigins);
    const isInterface = request.path.startsWith(INTERFACE_PREFIX);
    // On every response of the interface, errors included (D18); a response from another snapshot replaces it.
    const current = snapshots.current?.manifest.id;
    if (isInterface && current !== undefined) res.setHeader('X-Snapshot', current);
    const refusal = validateRequest(req, target, id);
    if (refusal !== undefined) return sendResponse(req, res, refusal);
    return isInterface ? acceptInterface(req, res, request) : router(req, res, request);
  };

  const acceptInterface = (req: IncomingMessage, res: ServerResponse, request: RequestContext): Promise<void> => {
    const route = findRoute(request.path);
    if (route === undefined) return sendResponse(req, res, notFound(request.path, request.id));
    request.label = route.endpoint;
    const otherMethod = handleMethod(req, request.id);
    if (otherMethod !== undefined) return sendResponse(req, res, otherMethod);
    const admission = admit(req, res, request, options);
    if (admission.kind === 'refused') return sendResponse(req, res, admission.response);
    return respond(req, res, request, route);
  };

  const respond = async (
    req: IncomingMessage,
    res: ServerResponse,
    request: RequestContext,
    route: Route,
  ): Promise<void> => {
    const { target, path, query, id: requestId } = request;
    const snapshot = snapshots.current;
    const encoding = encodings.negotiate(req);
    const ifNoneMatch = req.headers['if-none-match'];
    const cached = snapshot?.responses.find(target, encoding, ifNoneMatch);
    if (cached !== undefined) {
      if (counts !== undefined) counts.cacheHits++;
      sendCached(req, res, cached, { requestId });
      return;
    }
    if (counts !== undefined) counts.cacheMisses++;
    const made = respondToQuery({ route, path, query, ifNoneMatch, encoding, requestId }, snapshots, settings);
    if (snapshot?.responses.isOn !== true) return sendResponse(req, res, made);
    const body = await sendAndCapture(req, res, made);
    const tag = findCacheTag(made, body, snapshot);
    if (tag === undefined) return;
    const headers = cacheableHeaders(made, res.getHeader('Content-Encoding'), corsOrigins);
    snapshot.responses.set(target, encoding, createCacheEntry(tag, headers, made.status === 304 ? undefined : body));
  };

  return (req, res) => {
    const startedAt = isWatched ? performance.now() : 0;
    const id = `${bootId}-${(++requestCount).toString(36)}`;
    try {
      if (respondFromCache(req, res, id, startedAt)) return;
      if (shedder?.isOverloaded(findCallerKind(req)) === true && !(req.url ?? '').startsWith(HEALTH_PREFIX)) {
        refuseWork(req, res, id, shedder);
        return;
      }
    } catch {
      // The other path meets the same error, and responds.
    }
    accept(req, res, id, startedAt).catch((error: unknown) => respondToFault(req, res, id, error));
  };
}

/** The tag under which a response is cached; undefined for one that is not. */
function findCacheTag(
  made: ApiResponse,
  body: Buffer | undefined,
  snapshot: LoadedSnapshot | undefined,
): string | undefined {
  const { ETag: tag, 'X-Snapshot': snapshotId } = made.headers;
  // Few clients need responses of the previous snapshot, and not for long.
  if (snapshot === undefined || snapshotId !== snapshot.manifest.id) return undefined;
  return made.status === 304 || (made.status === 200 && body !== undefined) ? tag : undefined;
}

/** The headers of a response as sent, without the per-request headers. */
function cacheableHeaders(
  { headers }: ApiResponse,
  contentEncoding: unknown,
  corsOrigins: readonly string[],
): HeaderValues {
  const cacheable: Record<string, string | readonly string[]> = { ...headers };
  if (typeof contentEncoding === 'string') cacheable['Content-Encoding'] = contentEncoding;
  if (headers['Vary'] !== undefined && variesByOrigin(corsOrigins)) cacheable['Vary'] = ['Origin', headers['Vary']];
  return cacheable;
}

interface CachedRequestOptions {
  readonly snapshots: Pick<SnapshotManager, 'current'>;
  readonly apiKeys: () => ApiKeyStore;
  readonly encodings: EncodingNegotiator;
  readonly now: () => Date;
}

/** A request with a cached response. */
interface CachedRequest {
  readonly answer: CachedResponse;
  readonly client: ApiClient;
  readonly origin: string | undefined;
}

/**
 * Finds the cached response to a request without parsing or routing it. What this skips, and why that is safe:
 *
 * - The checks of the target and its route (D3): the cache has only targets that passed them, exactly as sent. Targets are
 *   in origin form, so one in absolute form is not found. A request that `validateRequest` rejects has no plain headers.
 * - The parameters, the cursor, the rows: the cache belongs to the current snapshot.
 * - The comparison of the key with all others: the key store remembers the digests it has found, is replaced with the key
 *   file, and checks the clock each time.
 * - Negotiation: the text of `Accept-Encoding` was negotiated before.
 *
 * Returns undefined for every other request (another method, a header sent twice, a key that is not valid), which then
 * takes the path that reports the error.
 */
function findCachedRequest(req: IncomingMessage, options: CachedRequestOptions): CachedRequest | undefined {
  const { method, url } = req;
  const snapshot = options.snapshots.current;
  if ((method !== 'GET' && method !== 'HEAD') || url === undefined || snapshot === undefined) return undefined;
  const headers = readPlainHeaders(req);
  if (headers?.apiKey === undefined) return undefined;
  const encoding = options.encodings.findKnown(headers.acceptEncoding);
  if (encoding === undefined) return undefined;
  const answer = snapshot.responses.find(url, encoding, headers.ifNoneMatch);
  if (answer === undefined) return undefined;
  const check = options.apiKeys().check(headers.apiKey, options.now());
  return check.kind === 'valid' ? { answer, client: check, origin: headers.origin } : undefined;
}
