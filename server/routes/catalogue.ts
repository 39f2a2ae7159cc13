import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Encoding } from '../http/compression.ts';
import { createCorsHeaders, createTag, matchesTag, NO_SNIFF, variesByOrigin } from '../http/headers.ts';
import { createCacheEntry, sendCached, type CachedResponse, type HeaderValues } from '../http/response-cache.ts';
import { queryErrorResponse, type ApiResponse } from '../http/response.ts';
import { sendAndCapture, sendResponse } from '../http/send.ts';
import { writeGiftCategories, writeGifts, writeList } from '../json/write-lists.ts';
import { writeProducts } from '../json/write-products.ts';
import { digest } from '../query/canonical-query.ts';
import { executeProducts } from '../query/execute-products.ts';
import { createPageLinks } from '../query/pagination.ts';
import type { ProductsQuery } from '../query/query.ts';
import type { ServerSettings } from '../settings.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import type { RequestContext, RouteContext } from './context.ts';
import {
  resolveRequest,
  type ApiRequest,
  type ApiRoute,
  type ResolvedRequest,
  type SnapshotSource,
} from './resolve-request.ts';

type CatalogueHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  request: RequestContext,
  route: ApiRoute,
) => void | Promise<void>;

/** Responds to the requests of the interface: from the response cache, or from the snapshot. */
export function createCatalogueHandler(context: RouteContext): CatalogueHandler {
  const { snapshots, settings, encodings, counts } = context;
  const { corsOrigins } = settings;

  const sendFromCache = (
    req: IncomingMessage,
    res: ServerResponse,
    { id, headers, rateLimit }: RequestContext,
    cached: CachedResponse,
  ): void => {
    const corsHeaders = createCorsHeaders(headers.origin, corsOrigins, rateLimit !== undefined);
    sendCached(req, res, cached, { requestId: id, corsHeaders, rateLimit });
    if (counts !== undefined) counts.cacheHits++;
  };

  const sendFromSnapshot: CatalogueHandler = async (req, res, request, route) => {
    if (counts !== undefined) counts.cacheMisses++;
    const { target, path, query, id: requestId, headers } = request;
    const { ifNoneMatch } = headers;
    const encoding = encodings.negotiate(headers.acceptEncoding);
    const snapshot = snapshots.current;
    const made = respondToQuery({ route, path, query, ifNoneMatch, encoding, requestId }, snapshots, settings);
    const answer = { ...made, requestHeaders: createRequestHeaders(request, snapshot?.manifest.id) };
    if (snapshot?.responses.isOn !== true) return sendResponse(req, res, answer);
    const body = await sendAndCapture(req, res, answer);
    const tag = findCacheTag(made, body?.bytes, snapshot);
    if (tag === undefined) return;
    const cacheable = cacheableHeaders(made, body?.encoding, corsOrigins);
    const bytes = made.status === 304 ? undefined : body?.bytes;
    snapshot.responses.set(target, encoding, createCacheEntry(tag, cacheable, bytes));
  };

  /** In the order of `prepare` of the app. A response from another snapshot replaces the current one's id. */
  const createRequestHeaders = (
    { id, headers: { origin }, rateLimit }: RequestContext,
    snapshotId: string | undefined,
  ): Readonly<Record<string, string>> => {
    const own: Record<string, string> = { 'X-Request-Id': id, [NO_SNIFF.name]: NO_SNIFF.value };
    if (variesByOrigin(corsOrigins)) own['Vary'] = 'Origin';
    Object.assign(own, createCorsHeaders(origin, corsOrigins, rateLimit !== undefined));
    if (snapshotId !== undefined) own['X-Snapshot'] = snapshotId;
    if (rateLimit !== undefined) {
      own['RateLimit-Policy'] = rateLimit.policy;
      own['RateLimit'] = rateLimit.state;
    }
    return own;
  };

  return (req, res, request, route) =>
    request.cached === undefined
      ? sendFromSnapshot(req, res, request, route)
      : sendFromCache(req, res, request, request.cached);
}

/** The tag under which a response is cached; undefined for one that is not. */
function findCacheTag(made: ApiResponse, body: Buffer | undefined, snapshot: LoadedSnapshot): string | undefined {
  const { ETag: tag, 'X-Snapshot': snapshotId } = made.headers;
  // Few clients need responses of the previous snapshot, and not for long.
  if (snapshotId !== snapshot.manifest.id) return undefined;
  return made.status === 304 || (made.status === 200 && body !== undefined) ? tag : undefined;
}

/** The headers of a response as sent, without the per-request headers. */
function cacheableHeaders(
  { headers }: ApiResponse,
  contentEncoding: Encoding | undefined,
  corsOrigins: readonly string[],
): HeaderValues {
  const cacheable: Record<string, string | readonly string[]> = { ...headers };
  if (contentEncoding !== undefined) cacheable['Content-Encoding'] = contentEncoding;
  if (headers['Vary'] !== undefined && variesByOrigin(corsOrigins)) cacheable['Vary'] = ['Origin', headers['Vary']];
  return cacheable;
}

/** A request of the interface, after routing and the key. */
export interface ConditionalApiRequest extends ApiRequest {
  readonly ifNoneMatch?: string | undefined;
  /** What the client takes; default as it is. */
  readonly encoding?: Encoding;
}

/** Answers a request from one snapshot: parameters, record, cursor, then 304 or 200, in that order (D3). */
export function respondToQuery(
  request: ConditionalApiRequest,
  snapshots: SnapshotSource,
  settings: ServerSettings,
): ApiResponse {
  const resolved = resolveRequest(request, snapshots, settings);
  if (resolved.kind === 'refused') return resolved.answer;
  return respondResolved(request, resolved, settings);
}

function respondResolved(
  request: ConditionalApiRequest,
  resolved: ResolvedRequest,
  settings: ServerSettings,
): ApiResponse {
  const { query, cacheKey, offset, snapshot } = resolved;
  const { manifest, index, fragments, pictureBaseUrl } = snapshot;
  const encoding = request.encoding ?? 'identity';
  const content = digest(manifest.contentHash, pictureBaseUrl, cacheKey, String(offset)).slice(0, 22);
  const tag = createTag(content, encoding);
  const headers = {
    'X-Snapshot': manifest.id,
    ETag: tag,
    'Cache-Control': cacheControl(settings),
    Vary: 'Accept-Encoding',
  };
  if (matchesTag(request.ifNoneMatch, tag)) return { status: 304, headers, body: [] };

  const ok = (
    totalCount: number,
    body: ApiResponse['body'],
    more: Readonly<Record<string, string>> = {},
  ): ApiResponse => ({
    status: 200,
    headers: { 'Content-Type': 'application/json', 'X-Total-Count': String(totalCount), ...headers, ...more },
    body,
    encoding,
  });
  switch (query.kind) {
    case 'products': {
      const selection = executeProducts(query, index, offset);
      if (settings.maxDealsPerAnswer !== undefined) {
        const dealCount = selection.deals?.count() ?? 0;
        if (dealCount > settings.maxDealsPerAnswer) {
          return tooManyDealsResponse(dealCount, settings.maxDealsPerAnswer, request.requestId, {
            'X-Snapshot': manifest.id,
          });
        }
      }
      const body = writeProducts(selection, query.projection, index, fragments);
      return ok(selection.totalCount, body, linkHeader(request.path, resolved, query, selection.totalCount));
    }
    case 'giftCategories':
      return ok(index.giftCategories.length, [writeGiftCategories(query, index)]);
    case 'gifts':
      return ok(index.gifts.length, [writeGifts(query, index)]);
    case 'networks':
    case 'retailers':
    case 'manufacturers':
      return ok(index[query.kind].length, [writeList(query, index)]);
  }
}

function cacheControl(settings: ServerSettings): string {
  const { maxAgeSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = settings;
  // A shared cache does not know that x-api-key authorises (RFC 9111 §3.5), hence private.
  return `private, max-age=${maxAgeSeconds}, stale-while-revalidate=${staleWhileRevalidateSeconds}, stale-if-error=${staleIfErrorSeconds}`;
}

function linkHeader(
  path: string,
  { pairs, cursorAt, offset }: ResolvedRequest,
  { pageLimit }: ProductsQuery,
  totalCount: number,
): Readonly<Record<string, string>> {
  if (totalCount <= pageLimit && offset === 0) return {};
  return { Link: createPageLinks(path, pairs, cursorAt).header(offset, pageLimit, totalCount) };
}

function tooManyDealsResponse(
  count: number,
  max: number,
  requestId: string,
  headers: Readonly<Record<string, string>>,
): ApiResponse {
  const expected = `at most ${max} deals in one answer; add limit=deals(n) or ask for fewer products`;
  return queryErrorResponse(
    [{ code: 'too-many-deals', parameter: 'expand', expected, value: `${count} deals`, suggestion: 'limit=deals(10)' }],
    requestId,
    headers,
  );
}
