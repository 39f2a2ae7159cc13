import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'polka';
import { NOTICES } from '../../data/report/notice.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { authenticate, handleMethod, rateLimitedResponse } from '../http/checks.ts';
import { negotiateEncoding } from '../http/compression.ts';
import { setRateLimitHeaders } from '../http/headers.ts';
import { errorResponse, queryErrorResponse, type ApiResponse } from '../http/response.ts';
import { sendResponse } from '../http/send.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import { LastBuildReports } from '../status/last-build.ts';
import {
  formatCursor,
  parseExplainParameters,
  parseNoParameters,
  parseRecordsParameters,
  recordsCursorIssue,
  type RecordsParameters,
} from '../status/parameters.ts';
import { readStatus, StoredSnapshots } from '../status/read-status.ts';
import { canBegin, readRecords } from '../status/records.ts';
import { searchRecords } from '../status/search-records.ts';
import { SnapshotReports } from '../status/snapshot-report.ts';
import type { RequestContext, RouteContext } from './context.ts';

/** Requests that go through files of the store; the page sends one at a time. */
const MAX_WAITING = 8;

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

/** What each path answers with, once the request may have it. */
type StatusHandler = (request: RequestContext, signal: AbortSignal) => Promise<ApiResponse>;

/** The data of the page `/status/`, for keys with the operator mark. */
export function createStatusHandler(context: RouteContext): Middleware {
  const paths = listPaths(context);
  return async (req, res, next) => {
    const request = context.contextOf(req);
    const show = paths.get(request.path);
    if (show === undefined) return next();
    request.label = 'status';
    const refusal = handleMethod(req, request.id) ?? requireOperator(req, res, request, context);
    if (refusal !== undefined) return sendResponse(req, res, refusal);
    const signal = signalOf(res);
    try {
      const answer = await show(request, signal);
      return await sendResponse(req, res, { ...answer, encoding: negotiateEncoding(req) });
    } catch (error) {
      // Nobody is there any more to be told.
      if (!signal.aborted) throw error;
    }
  };
}

function listPaths({ store, snapshots, settings, now }: RouteContext): ReadonlyMap<string, StatusHandler> {
  const reports = new SnapshotReports(store);
  const files = { reports, lastBuild: new LastBuildReports(store), stored: new StoredSnapshots(store) };
  const searches = new SerialQueue(MAX_WAITING);

  const showStatus: StatusHandler = async ({ query, id }) => {
    const parsed = parseNoParameters(query);
    if (parsed.kind === 'refused') return queryErrorResponse(parsed.issues, id, {});
    return jsonResponse(await readStatus(files, snapshots.current, now(), settings.staleAfterHours));
  };

  const showRecords: StatusHandler = async ({ query, id }, signal) => {
    const parsed = parseRecordsParameters(query);
    if (parsed.kind === 'refused') return queryErrorResponse(parsed.issues, id, {});
    const { cursor } = parsed.value;
    // A walk goes on over the snapshot it began with, as long as that is held.
    const snapshot =
      cursor === undefined
        ? snapshots.current
        : snapshots.loaded.find(({ manifest }) => manifest.id === cursor.snapshot);
    if (snapshot === undefined) return cursor === undefined ? noSnapshotResponse(id) : snapshotExpiredResponse(id);
    return search(id, () => readPage(store, snapshot.manifest, parsed.value, reports, id, signal));
  };

  const showExplanation: StatusHandler = async ({ query, id }, signal) => {
    const parsed = parseExplainParameters(query);
    if (parsed.kind === 'refused') return queryErrorResponse(parsed.issues, id, {});
    const snapshot: LoadedSnapshot | undefined = snapshots.current;
    if (snapshot === undefined) return noSnapshotResponse(id);
    return search(id, async () => {
      const report = await reports.read(snapshot.manifest);
      return jsonResponse(await searchRecords(store, snapshot, report, parsed.value, now(), signal));
    });
  };

  /** Files are gone through for one request at a time, so that many of them cost no more than one. */
  const search = async (requestId: string, work: () => Promise<ApiResponse>): Promise<ApiResponse> => {
    try {
      const done = searches.run(work);
      if (done !== undefined) return await done;
      const detail = 'Other requests already go through the files of the store.';
      return errorResponse('overloaded', { detail, requestId });
    } catch (error) {
      // It was retired while it was still being served, or while it was read.
      if (error instanceof SnapshotError && error.details.code === 'unknown-snapshot')
        return snapshotExpiredResponse(requestId);
      throw error;
    }
  };

  return new Map([
    ['/status/data.json', showStatus],
    ['/status/records.json', showRecords],
    ['/status/explain.json', showExplanation],
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

function noSnapshotResponse(requestId: string): ApiResponse {
  return errorResponse('no-snapshot', { detail: 'No catalogue has been published yet.', requestId });
}

function snapshotExpiredResponse(requestId: string): ApiResponse {
  const detail = 'The snapshot is no longer in the store; ask for /status/data.json again.';
  return errorResponse('snapshot-expired', { detail, requestId });
}

/** Ends with the connection of whoever asked. */
function signalOf(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}

/**
 * Lets through whoever has a key with the operator mark and requests left, in the order of D3; else the refusal. A key
 * without the mark takes its share too: nobody asks for nothing.
 */
function requireOperator(
  req: IncomingMessage,
  res: ServerResponse,
  request: RequestContext,
  { apiKeys, now, rateLimiter, counts }: Pick<RouteContext, 'apiKeys' | 'now' | 'rateLimiter' | 'counts'>,
): ApiResponse | undefined {
  const authentication = authenticate(req, apiKeys(), now(), request.id);
  if (authentication.kind === 'refused') return authentication.response;
  const { client } = authentication;
  request.keyName = client.name;
  const rateLimit = rateLimiter.take(client.id);
  if (rateLimit !== undefined) setRateLimitHeaders(res, rateLimit);
  if (rateLimit?.isExceeded === true) {
    if (counts !== undefined) counts.rateLimited++;
    return rateLimitedResponse(rateLimit, request.id);
  }
  if (client.isOperator === true) return undefined;
  const detail = 'The key in x-api-key has no operator mark.';
  return errorResponse('operator-only', { detail, requestId: request.id });
}

/** Works one after the other, as many as may wait. */
class SerialQueue {
  readonly #maxWaiting: number;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** Begins `work` when all before it are done; undefined when too many wait. */
  run<Result>(work: () => Promise<Result>): Promise<Result> | undefined {
    if (this.#waiting > this.#maxWaiting) return undefined;
    this.#waiting++;
    const done = this.#last.then(work).finally(() => this.#waiting--);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
