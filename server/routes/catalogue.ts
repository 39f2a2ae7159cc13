import { createTag, matchesTag } from '../http/headers.ts';
import { queryErrorResponse, type ApiResponse } from '../http/response.ts';
import { writeList } from '../json/write-lists.ts';
import { writeProducts } from '../json/write-products.ts';
import { executeProducts } from '../query/execute-products.ts';
import { createPageLinks, digest } from '../query/pagination.ts';
import type { ServerSettings } from '../settings.ts';
import { resolveRequest, type ApiRequest, type SnapshotSource } from './resolve-request.ts';

/** Answers a request from one snapshot: parameters, record, cursor, then 304 or 200, in that order (D3). */
export function respondToQuery(request: ApiRequest, snapshots: SnapshotSource, settings: ServerSettings): ApiResponse {
  const resolved = resolveRequest(request, snapshots);
  if ('status' in resolved) return resolved;
  const { query, offset, snapshot, pairs, cursorAt } = resolved;
  const { manifest, index, fragments, pictureBaseUrl } = snapshot;
  const { path, id, ifNoneMatch, encoding = 'identity' } = request;
  // The JSON of a query is the same for every spelling of it, another for every other query.
  const content = digest(manifest.contentHash, pictureBaseUrl, JSON.stringify(query), String(offset)).slice(0, 22);
  const tag = createTag(content, encoding);
  const headers = {
    'X-Snapshot': manifest.id,
    ETag: tag,
    'Cache-Control': cacheControl(settings),
    Vary: 'Accept-Encoding',
  };
  if (matchesTag(ifNoneMatch, tag)) return { status: 304, headers, body: [] };

  const ok = (totalCount: number, body: Iterable<string>, more: Readonly<Record<string, string>> = {}) => ({
    status: 200,
    headers: { 'Content-Type': 'application/json', 'X-Total-Count': String(totalCount), ...headers, ...more },
    body,
    encoding,
  });
  if (query.kind !== 'products') return ok(index[query.kind].length, [writeList(query, index)]);
  const selection = executeProducts(query, index, offset);
  const { totalCount, deals = [] } = selection;
  const { maxDealsPerAnswer = Infinity } = settings;
  if (deals.length > maxDealsPerAnswer) {
    const expected = `at most ${maxDealsPerAnswer} deals in one answer; add limit=deals(n) or ask for fewer products`;
    const [value, suggestion] = [`${deals.length} deals`, 'limit=deals(10)'];
    const issue = { code: 'too-many-deals', parameter: 'expand', expected, value, suggestion } as const;
    return queryErrorResponse([issue], id, { 'X-Snapshot': manifest.id });
  }
  const hasPages = totalCount > query.pageLimit || offset > 0;
  const links = hasPages
    ? { Link: createPageLinks(path, pairs, cursorAt).header(offset, query.pageLimit, totalCount) }
    : {};
  return ok(totalCount, writeProducts(selection, query, index, fragments), links);
}

function cacheControl({ maxAgeSeconds }: ServerSettings): string {
  // A shared cache does not know that x-api-key authorises (RFC 9111 §3.5), hence private.
  return `private, max-age=${maxAgeSeconds}, stale-while-revalidate=600, stale-if-error=86400`;
}
