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

/** No record has a longer name. */
const MAX_WORDS_LENGTH = 200;

/** Searches that wait for another to end. */
const MAX_WAITING = 8;

const EXPLAIN_PATH = '/status/explain.json';

/** The data of the page `/status/`, for keys with the operator role (D19). */
export function statusRoute(context: RouteContext): Route {
  const { store, snapshots, settings, now } = context;
  const readOfSnapshot = (name: 'report.json' | 'changes.json') => async (): Promise<string> => {
    const id = snapshots.current?.manifest.id;
    return id === undefined ? 'null' : readFile(snapshotPath(store, id, name));
  };
  const texts = new Map<string, () => Promise<string>>([
    [
      '/status/store.json',
      async () => JSON.stringify(readStoreStatus(store, snapshots, now(), settings.staleAfterHours)),
    ],
    ['/status/report.json', readOfSnapshot('report.json')],
    ['/status/changes.json', readOfSnapshot('changes.json')],
    ['/status/last-build.json', async () => readFile(lastBuildPath(store))],
  ]);
  const respondExplain = createExplain(context);
  return {
    path: '/status/*',
    has: (path) => path === EXPLAIN_PATH || texts.has(path),
    label: 'status',
    access: 'operator',
    handle: async ({ req, path, query, id, encoding }) => {
      const read = texts.get(path);
      const { values, issues } = parseParameters(query, read === undefined ? ['record', 'target'] : []);
      if (issues.length > 0) return queryErrorResponse(issues, id, {});
      const response =
        read === undefined ? await respondExplain(values, id, () => !req.socket.destroyed) : textResponse(await read());
      return { ...response, encoding };
    },
  };
}

/** One search at a time goes through the files of a snapshot, so many cost no more than one. */
function createExplain({ store, snapshots }: RouteContext) {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (
    values: ReadonlyMap<string, string>,
    requestId: string,
    isWanted: () => boolean,
  ): Promise<ApiResponse> => {
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
    const found = last.then(() => explain(store, snapshot, record, { target, isWanted })).finally(() => waiting--);
    last = found.catch(() => undefined);
    return textResponse(JSON.stringify(await found));
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

function textResponse(text: string): ApiResponse {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: [text] };
}
