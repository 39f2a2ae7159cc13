import { ENDPOINTS, type EndpointName } from '../../data/query/endpoint.ts';
import { errorResponse, queryErrorResponse, type ApiResponse } from '../http/response.ts';
import { canonicalQuery } from '../query/canonical-query.ts';
import { createCursors, createPageLinks, cursorContent, cursorIssue, readCursor } from '../query/pagination.ts';
import { parseQuery } from '../query/parse-query.ts';
import { parseQueryString, type QueryPair } from '../query/query-string.ts';
import type { Query } from '../query/query.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';

/** A request of the interface. */
export interface ApiRequest {
  readonly route: ApiRoute;
  /** Path and query exactly as sent. */
  readonly path: string;
  readonly query: string;
  readonly requestId: string;
}

/** The snapshots that a request may be answered from. */
export interface SnapshotSource {
  readonly current: LoadedSnapshot | undefined;
  findContent(content: string): LoadedSnapshot | undefined;
  /** Whether a content is announced that may not be loaded yet. */
  isAnnounced(content: string): boolean;
}

/** A source of one snapshot. */
export function singleSnapshot(snapshot: LoadedSnapshot): SnapshotSource {
  return {
    current: snapshot,
    findContent: (content) => (content === cursorContent(snapshot.manifest.contentHash) ? snapshot : undefined),
    isAnnounced: () => false,
  };
}

export interface ResolvedRequest {
  readonly kind: 'resolved';
  readonly query: Query;
  readonly snapshot: LoadedSnapshot;
  /** How many products come before the page. */
  readonly offset: number;
  /** The same for every spelling of the query. */
  readonly cacheKey: string;
  /** The query string as sent, split. */
  readonly pairs: readonly QueryPair[];
  /** The cursor of a page, by how many products come before it. */
  readonly cursorAt: (offset: number) => string;
}

export type ResolveResult = ResolvedRequest | { readonly kind: 'refused'; readonly answer: ApiResponse };

/**
 * The query of a request, and its snapshot. Checks parameters, product and cursor, in that order (D3). A cursor selects
 * the snapshot it belongs to, while that is loaded; the cursor of an announced one waits for it (D15).
 */
export function resolveRequest(request: ApiRequest, snapshots: SnapshotSource): ResolveResult {
  const { requestId } = request;
  if (snapshots.current === undefined) {
    return refused(noSnapshotResponse(requestId));
  }
  const queryString = parseQueryString(request.query);
  const { pairs } = queryString;
  const sentCursor = pairs.find(({ name }) => name === 'cursor')?.value;
  const position = sentCursor === undefined ? undefined : readCursor(sentCursor);
  const held = position === undefined ? undefined : snapshots.findContent(position.content);
  const snapshot = held ?? snapshots.current;
  const headers = { 'X-Snapshot': snapshot.manifest.id };
  if (
    position !== undefined &&
    held === undefined &&
    takesCursor(request.route) &&
    snapshots.isAnnounced(position.content)
  ) {
    // Before the parameters: they may name what only the announced snapshot has.
    return refused(notYetResponse(requestId, headers));
  }
  const { query, cursor, issues } = parseQuery({ ...request.route, query: queryString }, snapshot.index);
  if (issues.length > 0) return refused(queryErrorResponse(issues, requestId, headers));

  const id = query.kind === 'products' ? query.id : undefined;
  if (id !== undefined && snapshot.index.rowsOfId(id).length === 0) {
    const detail = `No product has the id ${id.slice(0, 80)}.`;
    return refused(errorResponse('unknown-product', { detail, requestId, headers }));
  }
  const { cacheKey, cursorScope } = canonicalQuery(query);
  const cursorAt = createCursors(position?.content ?? cursorContent(snapshot.manifest.contentHash), cursorScope);
  const offset = position?.offset ?? 0;
  const resolved: ResolvedRequest = { kind: 'resolved', query, snapshot, offset, cacheKey, pairs, cursorAt };
  if (cursor === undefined) return resolved;
  if (cursorAt(offset) !== cursor) {
    return refused(queryErrorResponse([cursorIssue(cursor)], requestId, headers));
  }
  if (held === undefined) {
    const links = { Link: `<${createPageLinks(request.path, pairs).first()}>; rel="first"` };
    const detail = 'The snapshot of this page walk is no longer held; start again from the first page.';
    return refused(errorResponse('snapshot-expired', { detail, requestId, headers: { ...headers, ...links } }));
  }
  return resolved;
}

export function noSnapshotResponse(requestId: string): ApiResponse {
  return errorResponse('no-snapshot', { detail: 'No catalogue has been published yet.', requestId });
}

/** Another server has loaded the snapshot of the cursor, and this one is about to. */
function notYetResponse(requestId: string, headers: Readonly<Record<string, string>>): ApiResponse {
  const detail = 'The snapshot of this cursor is announced, and this server has not loaded it yet.';
  return errorResponse('snapshot-not-yet', { detail, requestId, headers: { ...headers, 'Retry-After': '10' } });
}

function takesCursor({ endpoint }: ApiRoute): boolean {
  return endpoint === 'products' || endpoint === 'product';
}

function refused(answer: ApiResponse): ResolveResult {
  return { kind: 'refused', answer };
}

export interface ApiRoute {
  readonly endpoint: EndpointName;
  /** The `<id>` of the path, as sent. */
  readonly id?: string;
}

/** The start of the paths of the interface. */
export const INTERFACE_PREFIX = '/deals/';
const PRODUCT_PREFIX = '/deals/v1/products/';

const FIXED_PATHS: ReadonlyMap<string, EndpointName> = new Map(
  ENDPOINTS.filter(({ name }) => name !== 'product').flatMap(({ name, path }) => [
    [path, name],
    [path.slice(0, -1), name],
  ]),
);

/** The endpoint of a path, compared as sent; the last slash may be missing (D1). */
export function findRoute(path: string): ApiRoute | undefined {
  const endpoint = FIXED_PATHS.get(path);
  if (endpoint !== undefined) return { endpoint };
  if (!path.startsWith(PRODUCT_PREFIX)) return undefined;
  const rest = path.slice(PRODUCT_PREFIX.length);
  const id = rest.endsWith('/') ? rest.slice(0, -1) : rest;
  return id === '' || id.includes('/') ? undefined : { endpoint: 'product', id };
}
