import { ENDPOINTS, type Endpoint } from '../data/query/endpoint.ts';
import { createTag, matchesTag } from './http/send.ts';
import { NOT_FOUND, type RequestContext, toOriginForm } from './http/request.ts';
import { refuseQuery, type ApiResponse, type Refusal, errorResponse, readBody } from './http/response.ts';
import { toUtf8, writeList, writePage } from './json/write-body.ts';
import { execute } from './query/execute.ts';
import {
  createCursors,
  cursorContent,
  cursorIssue,
  digest,
  firstPage,
  readCursor,
  writePageLinks,
} from './query/pagination.ts';
import { parseQuery } from './query/parse-query.ts';
import { parseQueryString, type QueryPair, splitTarget } from './query/query-text.ts';
import type { Query } from './query/query.ts';
import { type ServerSettings, DEFAULT_SETTINGS } from './settings.ts';
import type { LoadedSnapshot } from './snapshot/load-snapshot.ts';
import type { SnapshotManager } from './snapshot/snapshot-manager.ts';

/** The routes of the interface (spec §4). */
export function catalogueRoutes(snapshots: SnapshotSource, settings: ServerSettings) {
  return PATTERNS.map(({ endpoint, pattern }) => ({
    path: endpoint.path.replace('<id>', ':id'),
    has: (path: string) => pattern.test(path),
    label: endpoint.name,
    access: 'key' as const,
    handle: (request: ApiRequest) => respondToQuery(request, snapshots, settings),
  }));
}

/** Answers a request from one snapshot: parameters, record, cursor, then 304 or 200, in that order (D3). */
function respondToQuery(
  request: ApiRequest,
  snapshots: SnapshotSource,
  settings: ServerSettings,
): ApiResponse | Refusal {
  const resolved = resolveRequest(request, snapshots);
  if ('code' in resolved) return resolved;
  const { query, offset, snapshot, pairs, cursorAt } = resolved;
  const { manifest, index, pictureBaseUrl } = snapshot;
  const { path, ifNoneMatch, encoding = 'identity' } = request;
  const { id: snapshotId } = manifest;
  // The JSON of a query is the same for every spelling of it, another for every other query.
  const content = digest(manifest.contentHash, pictureBaseUrl, JSON.stringify(query), String(offset)).slice(0, 22);
  const tag = createTag(content, encoding);
  const headers = {
    ETag: tag,
    'Cache-Control': cacheControl(settings),
    Vary: 'Accept-Encoding',
  };
  if (matchesTag(ifNoneMatch, tag)) return { status: 304, headers, snapshotId, body: [] };

  const ok = (totalCount: number, body: Iterable<string>, more: Readonly<Record<string, string>> = {}) => ({
    status: 200,
    headers: { 'Content-Type': 'application/json', 'X-Total-Count': String(totalCount), ...headers, ...more },
    snapshotId,
    body,
    encoding,
  });
  if (query.kind !== 'products' && query.kind !== 'deals') {
    return ok(index[query.kind].length, [toUtf8(writeList(query, index))]);
  }
  const selection = execute(query, index, offset);
  const { totalCount, deals = [] } = selection;
  const { maxDealsPerAnswer = Infinity } = settings;
  // A page of the list of deals is never longer.
  if (deals.length > maxDealsPerAnswer) {
    const suggestion = 'limit=deals(10)';
    const expected = `at most ${maxDealsPerAnswer} deals in one answer (add ${suggestion}, or ask for fewer products)`;
    const value = `${deals.length} deals`;
    const issue = { code: 'too-many-deals', parameter: 'expand', expected, value, suggestion } as const;
    return refuseQuery([issue], snapshotId);
  }
  const hasPages = totalCount > query.pageLimit || offset > 0;
  const links: Record<string, string> = hasPages
    ? { Link: writePageLinks(firstPage(path, pairs), cursorAt, offset, query.pageLimit, totalCount) }
    : {};
  return ok(totalCount, writePage(selection, query, snapshot), links);
}

function cacheControl({ maxAgeSeconds }: ServerSettings): string {
  // A shared cache does not know that x-api-key authorises (RFC 9111 §3.5), hence private.
  return `private, max-age=${maxAgeSeconds}, stale-while-revalidate=600, stale-if-error=86400`;
}

/** What an answer depends on of a request; without an encoding the body is sent as it is. */
type ApiRequest = Pick<RequestContext, 'path' | 'query'> & Partial<Pick<RequestContext, 'ifNoneMatch' | 'encoding'>>;

/** The snapshots that a request may be answered from. */
type SnapshotSource = Pick<SnapshotManager, 'current' | 'findContent' | 'isAhead'>;

/** A source of one snapshot. */
export function singleSnapshot(snapshot: LoadedSnapshot): SnapshotSource {
  return {
    current: snapshot,
    findContent: (content) => (content === cursorContent(snapshot.manifest.contentHash) ? snapshot : undefined),
    isAhead: () => false,
  };
}

interface ResolvedRequest {
  readonly query: Query;
  readonly snapshot: LoadedSnapshot;
  /** How many products or deals come before the page. */
  readonly offset: number;
  /** The query string as sent, split. */
  readonly pairs: readonly QueryPair[];
  /** The cursor of a page, by how many items come before it. */
  readonly cursorAt: (offset: number) => string;
}

/**
 * The query of a request, and its snapshot; or the refusal. Checks path, snapshot, parameters, product and cursor, in
 * that order (D3): what words a parameter takes depends on the snapshot.
 * A cursor selects the snapshot it belongs to, while that is loaded; the cursor of a newer one waits for it (D15).
 */
export function resolveRequest(request: ApiRequest, snapshots: SnapshotSource): ResolvedRequest | Refusal {
  const { path } = request;
  const route = findEndpoint(path);
  if (route === undefined) return NOT_FOUND;
  if (snapshots.current === undefined) return NO_SNAPSHOT;
  const queryString = parseQueryString(request.query);
  const { pairs } = queryString;
  const sentCursor = pairs.find(({ name }) => name === 'cursor')?.value;
  const position = sentCursor === undefined ? undefined : readCursor(sentCursor);
  const held = position === undefined ? undefined : snapshots.findContent(position.content);
  const snapshot = held ?? snapshots.current;
  const { id: snapshotId, contentHash, sequence } = snapshot.manifest;
  const takesCursor = route.endpoint.parameters.includes('cursor');
  if (position !== undefined && held === undefined && takesCursor && snapshots.isAhead(position.sequence)) {
    // Another server has loaded it. Parameters may name what only the newer snapshot has.
    const detail = 'The snapshot of this cursor is newer than what this server has loaded.';
    return { code: 'snapshot-not-yet', detail, snapshotId, headers: { 'Retry-After': '10' } };
  }
  const { query, cursor, issues } = parseQuery({ ...route, query: queryString }, snapshot.index);
  if (issues.length > 0) return refuseQuery(issues, snapshotId);
  if (route.id !== undefined && snapshot.index.rowsOfId(route.id).length === 0) {
    const detail = `No product has the id ${route.id.slice(0, 80)}.`;
    return { code: 'unknown-product', detail, snapshotId };
  }
  // The numbers of `limit` may change from page to page (D15).
  const cursorScope = JSON.stringify({ ...query, pageLimit: undefined, dealsPerProduct: undefined });
  const cursorAt = createCursors(position ?? { content: cursorContent(contentHash), sequence }, cursorScope);
  const offset = position?.offset ?? 0;
  if (cursor !== undefined && cursorAt(offset) !== cursor) {
    return refuseQuery([cursorIssue(cursor)], snapshotId);
  }
  if (cursor !== undefined && held === undefined) {
    const headers = { Link: `<${firstPage(path, pairs)}>; rel="first"` };
    const detail = 'The snapshot of these pages is no longer held; start again from the first page.';
    return { code: 'snapshot-expired', detail, snapshotId, headers };
  }
  return { query, snapshot, offset, pairs, cursorAt };
}

export const NO_SNAPSHOT: Refusal = { code: 'no-snapshot', detail: 'No catalogue has been published yet.' };

/** The start of the paths of the interface. */
export const INTERFACE_PREFIX = '/deals/';

const PATTERNS = ENDPOINTS.map((endpoint) => ({
  endpoint,
  // The last slash may be missing (D1).
  pattern: new RegExp(`^${endpoint.path.replace('<id>', '([^/]+)')}?$`),
}));

/** The endpoint of a path, compared as sent, and the `<id>` in it. */
function findEndpoint(path: string): { readonly endpoint: Endpoint; readonly id?: string | undefined } | undefined {
  for (const { endpoint, pattern } of PATTERNS) {
    const match = pattern.exec(path);
    if (match !== null) return { endpoint, id: match[1] };
  }
  return undefined;
}

export interface OfflineResponse extends Pick<ApiResponse, 'status' | 'headers'> {
  readonly body: string;
}

/** Answers a request from a snapshot without a server: what a server without settings answers to a valid key, not encoded. */
export function answerOffline(snapshot: LoadedSnapshot, target: string, ifNoneMatch?: string): OfflineResponse {
  const request = { ...splitTarget(toOriginForm(target)), ifNoneMatch };
  const found = respondToQuery(request, singleSnapshot(snapshot), DEFAULT_SETTINGS);
  const { status, headers, body } = 'code' in found ? errorResponse(found, 'offline') : found;
  return { status, headers: { ...headers, 'X-Snapshot': snapshot.manifest.id }, body: readBody({ body }) };
}
