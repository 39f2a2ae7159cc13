import { createProblem, createQueryProblem } from '../http/problem.ts';
import type { Answer } from '../http/answer.ts';
import type { Route } from '../http/route.ts';
import { isSealed, readCursor } from '../query/cursor.ts';
import { describeWalk } from '../query/meaning.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { Query } from '../query/query.ts';
import { parsePairs } from '../query/split-target.ts';
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

export type UnderstoodRequest =
  | { readonly kind: 'refused'; readonly answer: Answer }
  | {
      readonly kind: 'understood';
      readonly query: Query;
      readonly snapshot: OpenSnapshot;
      /** How many products come before the page. */
      readonly offset: number;
    };

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
  const position = readCursor(findCursor(request.query) ?? '');
  const held = position === undefined ? undefined : snapshots.findContent(position.content);
  const snapshot = held ?? snapshots.current;
  const headers = { 'X-Snapshot': snapshot.manifest.id };
  const { query, issues } = parseQuery(
    {
      endpoint: request.route.endpoint,
      query: request.query,
      ...(request.route.id === undefined ? {} : { id: request.route.id }),
    },
    snapshot.index,
    { defaultProducts: settings.defaultPageLimit, maxProducts: settings.maxPageLimit },
  );
  if (issues.length > 0) return refused(createQueryProblem(issues, requestId, headers));

  const id = query.kind === 'products' ? query.id : undefined;
  if (id !== undefined && snapshot.index.rowsOfId(id).length === 0) {
    const detail = `No product has the id ${id.slice(0, 80)}.`;
    return refused(createProblem('unknown-product', { detail, requestId, headers }));
  }
  if (query.kind !== 'products' || query.cursor === undefined) {
    return { kind: 'understood', query, snapshot, offset: 0 };
  }
  if (position === undefined || !isSealed(query.cursor, position, describeWalk(query, snapshot.index))) {
    return refused(refuseCursor(query.cursor, requestId, headers));
  }
  if (held === undefined) {
    const links = { Link: `<${createPageLinks(request).first()}>; rel="first"` };
    const detail = 'The snapshot of this page walk is no longer held; start again from the first page.';
    return refused(createProblem('snapshot-expired', { detail, requestId, headers: { ...headers, ...links } }));
  }
  return { kind: 'understood', query, snapshot, offset: position.offset };
}

function refused(answer: Answer): UnderstoodRequest {
  return { kind: 'refused', answer };
}

/** The decoded `cursor` of a query string, if it can be read at all. */
function findCursor(query: string): string | undefined {
  return parsePairs(query, []).find(({ name }) => name === 'cursor')?.value;
}

function refuseCursor(cursor: string, requestId: string, headers: Readonly<Record<string, string>>): Answer {
  const expected = 'a cursor of this query, as the Link header gave it';
  return createQueryProblem(
    [{ code: 'invalid-cursor', parameter: 'cursor', expected, value: cursor }],
    requestId,
    headers,
  );
}
