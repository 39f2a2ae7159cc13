import { createProblem, createQueryProblem } from '../http/problem.ts';
import type { Answer } from '../http/answer.ts';
import type { Route } from '../http/route.ts';
import { createCursors, cursorContent, cursorIssue, readCursor } from '../query/cursor.ts';
import { describeMeaning } from '../query/meaning.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { Query } from '../query/query.ts';
import { parseQueryString, type QueryPair } from '../query/split-target.ts';
import type { ServerSettings } from '../settings.ts';
import type { OpenSnapshot } from '../snapshot/open-snapshot.ts';
import { createPageLinks } from './page-links.ts';

/** The part of a request that decides what it means. */
export interface MeantRequest {
  readonly route: Route;
  /** Path and query exactly as sent. */
  readonly path: string;
  readonly query: string;
  readonly requestId: string;
}

/** The snapshots that a request may be answered from. */
export interface Snapshots {
  readonly current: OpenSnapshot | undefined;
  findContent(content: string): OpenSnapshot | undefined;
}

export interface Understood {
  readonly kind: 'understood';
  readonly query: Query;
  readonly snapshot: OpenSnapshot;
  /** How many products come before the page. */
  readonly offset: number;
  /** What the query means, whatever its spelling. */
  readonly meaning: string;
  /** The query string as sent, split. */
  readonly pairs: readonly QueryPair[];
  /** The cursor of a page of this walk, by how many products come before it. */
  readonly cursorAt: (offset: number) => string;
}

export type UnderstoodRequest = Understood | { readonly kind: 'refused'; readonly answer: Answer };

/**
 * What a request asks for and of which snapshot: parameters, record, cursor, in that order (D3). A cursor chooses the
 * snapshot it belongs to, as long as that is held (D15).
 */
export function understandRequest(
  request: MeantRequest,
  snapshots: Snapshots,
  settings: Pick<ServerSettings, 'defaultPageLimit' | 'maxPageLimit'>,
): UnderstoodRequest {
  const { requestId } = request;
  if (snapshots.current === undefined) {
    return refused(createProblem('no-snapshot', { detail: 'No catalogue has been published yet.', requestId }));
  }
  const queryString = parseQueryString(request.query);
  const { pairs } = queryString;
  const sentCursor = pairs.find(({ name }) => name === 'cursor')?.value;
  const position = sentCursor === undefined ? undefined : readCursor(sentCursor);
  const held = position === undefined ? undefined : snapshots.findContent(position.content);
  const snapshot = held ?? snapshots.current;
  const headers = { 'X-Snapshot': snapshot.manifest.id };
  const { query, issues } = parseQuery({ ...request.route, query: queryString }, snapshot.index, {
    defaultProducts: settings.defaultPageLimit,
    maxProducts: settings.maxPageLimit,
  });
  if (issues.length > 0) return refused(createQueryProblem(issues, requestId, headers));

  const id = query.kind === 'products' ? query.id : undefined;
  if (id !== undefined && snapshot.index.rowsOfId(id).length === 0) {
    const detail = `No product has the id ${id.slice(0, 80)}.`;
    return refused(createProblem('unknown-product', { detail, requestId, headers }));
  }
  const { text: meaning, walk } = describeMeaning(query, snapshot.index);
  const cursorAt = createCursors(position?.content ?? cursorContent(snapshot.manifest.contentHash), walk);
  const offset = position?.offset ?? 0;
  const understood: Understood = { kind: 'understood', query, snapshot, offset, meaning, pairs, cursorAt };
  if (query.kind !== 'products' || query.cursor === undefined) return understood;
  if (cursorAt(offset) !== query.cursor) {
    return refused(createQueryProblem([cursorIssue(query.cursor)], requestId, headers));
  }
  if (held === undefined) {
    const links = { Link: `<${createPageLinks(request.path, pairs).first()}>; rel="first"` };
    const detail = 'The snapshot of this page walk is no longer held; start again from the first page.';
    return refused(createProblem('snapshot-expired', { detail, requestId, headers: { ...headers, ...links } }));
  }
  return understood;
}

function refused(answer: Answer): UnderstoodRequest {
  return { kind: 'refused', answer };
}
