import { createTag, matchesTag } from '../http/headers.ts';
import { queryErrorResponse, type ApiResponse } from '../http/response.ts';
import type { Encoding } from '../http/compression.ts';
import { writeGiftCategories, writeGifts, writeList } from '../json/write-lists.ts';
import { writeProducts } from '../json/write-products.ts';
import { digest } from '../query/canonical-query.ts';
import { executeProducts } from '../query/execute-products.ts';
import { createPageLinks } from '../query/pagination.ts';
import type { ProductsQuery } from '../query/query.ts';
import type { ServerSettings } from '../settings.ts';
import { resolveRequest, type ApiRequest, type ResolvedRequest, type SnapshotSource } from './resolve-request.ts';

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
  const resolved = resolveRequest(request, snapshots);
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
        const dealCount = selection.deals?.length ?? 0;
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

function cacheControl({ maxAgeSeconds }: ServerSettings): string {
  // A shared cache does not know that x-api-key authorises (RFC 9111 §3.5), hence private.
  return `private, max-age=${maxAgeSeconds}, stale-while-revalidate=600, stale-if-error=86400`;
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
