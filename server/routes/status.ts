import { findNearestWord } from '../../data/query/edit-distance.ts';
import { lastBuildPath, snapshotPath } from '../../data/store/layout.ts';
import { isErrorCode, readRegularText } from '../../data/store/regular-file.ts';
import { explain } from '../explain/explain.ts';
import type { TriedTarget } from '../explain/tried-target.ts';
import { errorResponse, queryErrorResponse, type ApiResponse } from '../http/response.ts';
import type { QueryIssue } from '../query/query-issue.ts';
import { parseQueryString } from '../query/query-string.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import { readStoreStatus } from '../status/store-status.ts';
import type { Route, RouteContext } from './context.ts';
import { noSnapshotResponse } from './resolve-request.ts';
import { TargetError, tryTarget } from './resolve-target.ts';

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

/** No record has a longer name. */
const MAX_WORDS_LENGTH = 200;

/** Searches that wait for another to end. */
const MAX_WAITING = 8;

type Values = ReadonlyMap<string, string>;
type PathHandler = readonly [parameters: readonly string[], respond: Respond];
type Respond = (values: Values, requestId: string, signal: AbortSignal) => Promise<ApiResponse>;

/** The data of the page `/status/`, for keys with the operator role (D19). */
export function statusRoute(context: RouteContext): Route {
  const paths = listPaths(context);
  return {
    path: '/status/*',
    has: (path) => paths.has(path),
    label: 'status',
    access: 'operator',
    handle: async ({ req, path, query, id, encoding }) => {
      // `has` has found it.
      const [parameters, respond] = paths.get(path) as PathHandler;
      const { values, issues } = parseParameters(query, parameters);
      if (issues.length > 0) return queryErrorResponse(issues, id, {});
      const gone = new AbortController();
      const abort = () => gone.abort();
      req.socket.once('close', abort);
      try {
        return { ...(await respond(values, id, gone.signal)), encoding };
      } catch (error) {
        // Nobody reads the response of a client that is gone.
        if (gone.signal.aborted) return undefined;
        throw error;
      } finally {
        req.socket.off('close', abort);
      }
    },
  };
}

/** By path: the parameters, and the response. */
function listPaths(context: RouteContext): ReadonlyMap<string, PathHandler> {
  const { store, snapshots, settings, now } = context;
  const respondStore: Respond = async () =>
    jsonResponse(JSON.stringify(readStoreStatus(store, snapshots, now(), settings.staleAfterHours)));
  const respondFile =
    (name: 'report.json' | 'changes.json'): Respond =>
    async () => {
      const id = snapshots.current?.manifest.id;
      return jsonResponse(id === undefined ? 'null' : await readFile(snapshotPath(store, id, name)));
    };
  return new Map([
    ['/status/store.json', [[], respondStore]],
    ['/status/report.json', [[], respondFile('report.json')]],
    ['/status/changes.json', [[], respondFile('changes.json')]],
    ['/status/last-build.json', [[], async () => jsonResponse(await readFile(lastBuildPath(store)))]],
    ['/status/explain.json', [['record', 'target'], createExplain(context)]],
  ] satisfies [string, PathHandler][]);
}

/** One search at a time goes through the files of a snapshot, so many cost no more than one. */
function createExplain({ store, snapshots }: RouteContext): Respond {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (values, requestId, signal) => {
    const snapshot = snapshots.current;
    if (snapshot === undefined) return noSnapshotResponse(requestId);
    const issues: QueryIssue[] = [];
    const record = values.get('record')?.trim() ?? '';
    if (record === '' || record.length > MAX_WORDS_LENGTH) {
      const expected = `a product by id, slug or name, a deal by key, or either by file:line, of at most ${MAX_WORDS_LENGTH} characters`;
      issues.push({ code: 'malformed-value', parameter: 'record', expected, value: record });
    }
    const target = parseTarget(values.get('target'), snapshot, issues);
    if (issues.length > 0) return queryErrorResponse(issues, requestId, {});
    if (waiting > MAX_WAITING) {
      const detail = 'Other requests already go through the files of the store.';
      return errorResponse('overloaded', { detail, requestId });
    }
    waiting++;
    const found = last.then(() => explain(store, snapshot, record, { target, signal })).finally(() => waiting--);
    last = found.catch(() => undefined);
    return jsonResponse(JSON.stringify(await found));
  };
}

function parseTarget(
  value: string | undefined,
  snapshot: LoadedSnapshot,
  issues: QueryIssue[],
): TriedTarget | undefined {
  if (value === undefined) return undefined;
  try {
    return tryTarget(value, snapshot);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    const expected = `a request for products (${error.message})`;
    issues.push({ code: 'malformed-value', parameter: 'target', expected, value });
    return undefined;
  }
}

/** An unknown, repeated or empty parameter is an error (D4). */
function parseParameters(query: string, allowed: readonly string[]) {
  const { pairs, issues: faults } = parseQueryString(query);
  const issues: QueryIssue[] = [...faults];
  const values = new Map<string, string>();
  for (const { name, value } of pairs) {
    if (!allowed.includes(name)) {
      const suggestion = findNearestWord(name, allowed);
      const expected = allowed.length === 0 ? 'no parameters' : allowed.join(', ');
      issues.push({ code: 'unknown-parameter', parameter: name, expected, value, allowed, suggestion });
    } else if (values.has(name)) {
      issues.push({ code: 'repeated-parameter', parameter: name, expected: 'it once', value });
    } else if (value === '') {
      issues.push({ code: 'malformed-value', parameter: name, expected: 'a value', value });
    }
    values.set(name, value);
  }
  return { values, issues };
}

/** A file of the store as it is; `null` where there is none. */
async function readFile(path: string): Promise<string> {
  try {
    return await readRegularText(path);
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return 'null';
    throw error;
  }
}

function jsonResponse(text: string): ApiResponse {
  return { status: 200, headers: HEADERS, body: [text] };
}
