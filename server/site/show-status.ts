import type { ServerResponse } from 'node:http';
import type { Middleware } from 'polka';
import { NOTICES } from '../../data/report/notice.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import type { Answer } from '../http/answer.ts';
import { answerOtherMethod } from '../http/check-request.ts';
import { negotiateEncoding } from '../http/encoding.ts';
import type { Incoming } from '../http/incoming.ts';
import { createProblem, createQueryProblem } from '../http/problem.ts';
import { sendAnswer } from '../http/send-answer.ts';
import type { OpenSnapshot } from '../snapshot/open-snapshot.ts';
import { refuseNonOperator } from '../status/admit-operator.ts';
import { LastBuildReports } from '../status/last-build-report.ts';
import { OneAtATime } from '../status/one-at-a-time.ts';
import {
  formatCursor,
  parseExplainParameters,
  parseNoParameters,
  parseRecordsParameters,
  refuseCursor,
  type RecordsParameters,
} from '../status/parse-parameters.ts';
import { canBegin, readRecords } from '../status/read-records.ts';
import { readStatus } from '../status/read-status.ts';
import { searchRecords } from '../status/search-records.ts';
import { SnapshotReports } from '../status/snapshot-report.ts';
import { StoredSnapshots } from '../status/stored-snapshots.ts';
import type { SiteContext } from './site-context.ts';

/** Requests that go through files of the store; the page sends one at a time. */
const MAX_WAITING = 8;

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

/** What each path answers with, once the request may have it. */
type Show = (request: Incoming, signal: AbortSignal) => Promise<Answer>;

/** The data of the page `/status/`, for keys with the operator mark. */
export function createStatusHandler(context: SiteContext): Middleware {
  const paths = listPaths(context);
  return async (req, res, next) => {
    const request = context.incomingOf(req);
    const show = paths.get(request.path);
    if (show === undefined) return next();
    request.label = 'status';
    const refusal = answerOtherMethod(req, request.id) ?? refuseNonOperator(req, res, request, context);
    if (refusal !== undefined) return sendAnswer(req, res, refusal);
    const signal = signalOf(res);
    try {
      const answer = await show(request, signal);
      return await sendAnswer(req, res, { ...answer, encoding: negotiateEncoding(req) });
    } catch (error) {
      // Nobody is there any more to be told.
      if (!signal.aborted) throw error;
    }
  };
}

function listPaths({ store, snapshots, settings, now }: SiteContext): ReadonlyMap<string, Show> {
  const reports = new SnapshotReports(store);
  const files = { reports, lastBuild: new LastBuildReports(store), stored: new StoredSnapshots(store) };
  const searches = new OneAtATime(MAX_WAITING);

  const showStatus: Show = async ({ query, id }) => {
    const parsed = parseNoParameters(query);
    if (parsed.kind === 'refused') return createQueryProblem(parsed.issues, id, {});
    return answerJson(await readStatus(files, snapshots.current, now(), settings.staleAfterHours));
  };

  const showRecords: Show = async ({ query, id }, signal) => {
    const parsed = parseRecordsParameters(query);
    if (parsed.kind === 'refused') return createQueryProblem(parsed.issues, id, {});
    const { cursor } = parsed.value;
    // A walk goes on over the snapshot it began with, as long as that is held.
    const snapshot =
      cursor === undefined ? snapshots.current : snapshots.held.find(({ manifest }) => manifest.id === cursor.snapshot);
    if (snapshot === undefined) return cursor === undefined ? refuseNoSnapshot(id) : refuseExpired(id);
    return search(id, () => readPage(store, snapshot.manifest, parsed.value, reports, id, signal));
  };

  const showExplanation: Show = async ({ query, id }, signal) => {
    const parsed = parseExplainParameters(query);
    if (parsed.kind === 'refused') return createQueryProblem(parsed.issues, id, {});
    const snapshot: OpenSnapshot | undefined = snapshots.current;
    if (snapshot === undefined) return refuseNoSnapshot(id);
    return search(id, async () => {
      const report = await reports.read(snapshot.manifest);
      return answerJson(await searchRecords(store, snapshot, report, parsed.value, now(), signal));
    });
  };

  /** Files are gone through for one request at a time, so that many of them cost no more than one. */
  const search = async (requestId: string, work: () => Promise<Answer>): Promise<Answer> => {
    try {
      const done = searches.run(work);
      if (done !== undefined) return await done;
      const detail = 'Other requests already go through the files of the store.';
      return createProblem('overloaded', { detail, requestId });
    } catch (error) {
      // It was retired while it was still being served, or while it was read.
      if (error instanceof SnapshotError && error.issue.code === 'unknown-snapshot') return refuseExpired(requestId);
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
): Promise<Answer> {
  const wanted = { code, ...(source === undefined ? {} : { source }), limit, from: cursor?.from ?? 0 };
  if (cursor !== undefined && !(await canBegin(store, manifest, wanted))) {
    return createQueryProblem([refuseCursor(formatCursor(cursor))], requestId, {});
  }
  const { records, next } = await readRecords(store, manifest, wanted, signal);
  const { notices } = await reports.read(manifest);
  const counted = notices.filter((each) => each.code === code && (source === undefined || each.source === source));
  const { outcome, meaning, remedy } = NOTICES[code];
  return answerJson({
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

function answerJson(body: object): Answer {
  return { status: 200, headers: HEADERS, body: [JSON.stringify(body)] };
}

function refuseNoSnapshot(requestId: string): Answer {
  return createProblem('no-snapshot', { detail: 'No catalogue has been published yet.', requestId });
}

function refuseExpired(requestId: string): Answer {
  const detail = 'The snapshot is no longer in the store; ask for /status/data.json again.';
  return createProblem('snapshot-expired', { detail, requestId });
}

/** Ends with the connection of whoever asked. */
function signalOf(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}
