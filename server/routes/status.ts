import { NOTICES } from '../../data/report/notice.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { PullStateReader } from '../../data/store/pull-state.ts';
import type { RequestContext } from '../http/request.ts';
import { errorResponse, queryErrorResponse, type ApiResponse } from '../http/response.ts';
import { LastBuildReader } from '../status/last-build.ts';
import {
  formatCursor,
  parseExplainParameters,
  parseNoParameters,
  parseRecordsParameters,
  recordsCursorIssue,
  type ParsedParameters,
  type RecordsParameters,
} from '../status/parameters.ts';
import { readStatus, StoredSnapshots } from '../status/read-status.ts';
import { canBegin, readRecords } from '../status/records.ts';
import { searchRecords } from '../status/search-records.ts';
import { SnapshotReports } from '../status/snapshot-report.ts';
import type { Route, RouteContext } from './context.ts';
import { noSnapshotResponse } from './resolve-request.ts';

/** Waiting requests that read files of the store; the page sends one at a time. */
const MAX_WAITING = 8;

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

/** Responds to a request of an operator with the parameters of its query. */
type StatusHandler = (request: RequestContext, signal: AbortSignal) => Promise<ApiResponse>;

/** The data of the page `/status/`, for keys with the operator role. */
export function statusRoute(context: RouteContext): Route {
  const handlers = listPaths(context);
  return {
    path: '/status/*',
    has: (path) => handlers.has(path),
    label: 'status',
    access: 'operator',
    handle: async (request) => {
      const respond = handlers.get(request.path);
      if (respond === undefined) return undefined;
      return { ...(await respond(request, signalOf(request))), encoding: request.encoding };
    },
  };
}

/** Parses the query of a request before it is handled. */
function withParameters<Value>(
  parse: (query: string) => ParsedParameters<Value>,
  respond: (value: Value, requestId: string, signal: AbortSignal) => Promise<ApiResponse>,
): StatusHandler {
  return async ({ query, id }, signal) => {
    const parsed = parse(query);
    return parsed.kind === 'refused' ? queryErrorResponse(parsed.issues, id, {}) : respond(parsed.value, id, signal);
  };
}

function listPaths({ store, snapshots, settings, now }: RouteContext): ReadonlyMap<string, StatusHandler> {
  const reports = new SnapshotReports(store);
  const files = {
    reports,
    lastBuild: new LastBuildReader(store),
    pull: new PullStateReader(store),
    stored: new StoredSnapshots(store),
  };
  const searches = new SerialQueue(MAX_WAITING);

  const respondStatus = withParameters(parseNoParameters, async () =>
    jsonResponse(await readStatus(files, snapshots.current, now(), settings.staleAfterHours)),
  );

  const respondRecords = withParameters(parseRecordsParameters, async (parameters, id, signal) => {
    const { cursor } = parameters;
    // Pagination continues on the snapshot it began with, while that is loaded.
    const snapshot =
      cursor === undefined
        ? snapshots.current
        : snapshots.loaded.find(({ manifest }) => manifest.id === cursor.snapshot);
    if (snapshot === undefined) return cursor === undefined ? noSnapshotResponse(id) : snapshotExpiredResponse(id);
    return search(id, () => readPage(store, snapshot.manifest, parameters, reports, id, signal));
  });

  const respondExplain = withParameters(parseExplainParameters, async (word, id, signal) => {
    const snapshot = snapshots.current;
    if (snapshot === undefined) return noSnapshotResponse(id);
    return search(id, async () => {
      const report = await reports.read(snapshot.manifest);
      return jsonResponse(await searchRecords(store, snapshot, report, word, now(), signal));
    });
  });

  /** Searches files for one request at a time, so that many requests cost no more than one. */
  const search = async (requestId: string, work: () => Promise<ApiResponse>): Promise<ApiResponse> => {
    try {
      const done = searches.run(work);
      if (done !== undefined) return await done;
      const detail = 'Other requests already go through the files of the store.';
      return errorResponse('overloaded', { detail, requestId });
    } catch (error) {
      // The store removed it while it was served or read.
      if (error instanceof SnapshotError && error.details.code === 'unknown-snapshot')
        return snapshotExpiredResponse(requestId);
      throw error;
    }
  };

  return new Map([
    ['/status/data.json', respondStatus],
    ['/status/records.json', respondRecords],
    ['/status/explain.json', respondExplain],
  ]);
}

async function readPage(
  store: string,
  manifest: Manifest,
  { code, source, limit, cursor }: RecordsParameters,
  reports: SnapshotReports,
  requestId: string,
  signal: AbortSignal,
): Promise<ApiResponse> {
  const wanted = { code, ...(source === undefined ? {} : { source }), limit, from: cursor?.from ?? 0 };
  if (cursor !== undefined && !(await canBegin(store, manifest, wanted))) {
    return queryErrorResponse([recordsCursorIssue(formatCursor(cursor))], requestId, {});
  }
  const { records, next } = await readRecords(store, manifest, wanted, signal);
  const { notices } = await reports.read(manifest);
  const counted = notices.filter((each) => each.code === code && (source === undefined || each.source === source));
  const { outcome, meaning, remedy } = NOTICES[code];
  return jsonResponse({
    snapshot: manifest.id,
    code,
    ...(source === undefined ? {} : { source }),
    outcome,
    meaning,
    remedy,
    count: counted.reduce((sum, { count }) => sum + count, 0),
    records,
    ...(next === undefined ? {} : { next: linkTo(manifest.id, wanted, next) }),
  });
}

function linkTo(snapshot: string, { code, source, limit }: Omit<RecordsParameters, 'cursor'>, from: number): string {
  const parameters = new URLSearchParams({
    code,
    ...(source === undefined ? {} : { source }),
    limit: String(limit),
    cursor: formatCursor({ snapshot, from }),
  });
  return `/status/records.json?${parameters.toString()}`;
}

function jsonResponse(body: object): ApiResponse {
  return { status: 200, headers: HEADERS, body: [JSON.stringify(body)] };
}

function snapshotExpiredResponse(requestId: string): ApiResponse {
  const detail = 'The snapshot is no longer in the store; ask for /status/data.json again.';
  return errorResponse('snapshot-expired', { detail, requestId });
}

/** Aborts when the connection closes. */
function signalOf({ req }: RequestContext): AbortSignal {
  const controller = new AbortController();
  req.socket.once('close', () => controller.abort());
  return controller.signal;
}

/** Runs one asynchronous job at a time, with a limited number of waiting jobs. */
class SerialQueue {
  readonly #maxWaiting: number;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** Starts `work` after all earlier jobs; undefined when too many wait. */
  run<Result>(work: () => Promise<Result>): Promise<Result> | undefined {
    if (this.#waiting > this.#maxWaiting) return undefined;
    this.#waiting++;
    const done = this.#last.then(work).finally(() => this.#waiting--);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
