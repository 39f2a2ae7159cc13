import { statSync } from 'node:fs';
import { recordKey } from '../../data/record/product.ts';
import { NOTICES } from '../../data/report/notice.ts';
import { storePath, snapshotPath } from '../../data/store/layout.ts';
import { describePull } from '../../data/store/pull-state.ts';
import { readIfPresent } from '../../data/store/regular-file.ts';
import { describeAge, describeSnapshots } from '../../data/store/snapshots.ts';
import { NO_SNAPSHOT } from '../catalogue.ts';
import { explain } from '../explain/explain.ts';
import { TargetError, TriedTarget } from '../explain/tried-target.ts';
import { jsonResponse, refuseQuery, type ApiResponse, type Refusal } from '../http/response.ts';
import { takeParameters } from '../query/parse-query.ts';
import { QueryIssues, type QueryIssue, parseQueryString } from '../query/query-text.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import type { Route, RouteContext } from './routes.ts';

/** No record has a longer name. */
const MAX_WORDS_LENGTH = 200;

const EXPLAIN_PATH = '/status/explain.json';

/** The data of the page `/status/`, for keys with the operator role (D19). */
export function statusRoute(context: RouteContext): Route {
  const { store, snapshots } = context;
  const readOfSnapshot = (name: 'report.json' | 'changes.json') => (): string | undefined => {
    const id = snapshots.current?.manifest.id;
    return id && readIfPresent(snapshotPath(store, id, name));
  };
  const texts = new Map<string, () => string | undefined>([
    ['/status/store.json', () => JSON.stringify(describeStore(context))],
    ['/status/report.json', readOfSnapshot('report.json')],
    ['/status/changes.json', readOfSnapshot('changes.json')],
    ['/status/last-build.json', () => readIfPresent(storePath(store, 'last-build.json'))],
  ]);
  return {
    path: '/status/*',
    has: (path) => path === EXPLAIN_PATH || texts.has(path),
    label: 'status',
    access: 'operator',
    handle: async ({ req, path, query, encoding }) => {
      const read = texts.get(path);
      const { values, issues } = parseParameters(query, read === undefined ? ['record', 'target'] : []);
      if (issues.length > 0) return refuseQuery(issues);
      if (read !== undefined) return { ...jsonResponse(200, read() ?? 'null'), encoding };
      const response = await respondExplain(context, values, () => !req.socket.destroyed);
      return 'code' in response ? response : { ...response, encoding };
    },
  };
}

export type StoreStatus = ReturnType<typeof describeStore>;

/** `/status/store.json`: what the server knows beside the files of the builds. */
function describeStore({ store, snapshots, settings: { staleAfterHours }, now: readClock }: RouteContext) {
  const { current, lastBuild, pull } = snapshots;
  const now = readClock();
  const manifest = current?.manifest;
  const products = current?.index.products ?? [];
  return {
    /** By the clock of the server, which ages refer to. */
    now: now.toISOString(),
    staleAfterHours,
    /** The manifest of the snapshot being served, and its age. Absent when nothing is served. */
    served: manifest && { ...manifest, ...describeAge(manifest, lastBuild, now, staleAfterHours) },
    /** The names of its products: `101/new`. */
    productNames: Object.fromEntries(products.map((product) => [recordKey(product), product.name])),
    /** The meaning of every code of a notice. */
    codes: NOTICES,
    snapshots: describeSnapshots(store),
    /** When the current snapshot became that. A server loads it within seconds, or refuses it. */
    currentSince: statSync(storePath(store, 'current.json'), { throwIfNoEntry: false })?.mtime.toISOString(),
    /** What came from an object store. Absent where snapshots are built here. */
    pull: pull.state && describePull(pull.state, now),
    /** Why `pull.json` cannot be read. */
    pullFault: pull.fault,
  };
}

/**
 * One search at a time goes through the files of a snapshot, so many stall others no more than one. None is begun for a
 * client that is gone.
 */
let lastSearch: Promise<unknown> = Promise.resolve();

/** @param isWanted whether the client still waits */
async function respondExplain(
  { store, snapshots }: RouteContext,
  values: ReadonlyMap<string, string>,
  isWanted: () => boolean,
): Promise<ApiResponse | Refusal> {
  const snapshot = snapshots.current;
  if (snapshot === undefined) return NO_SNAPSHOT;
  const issues: QueryIssue[] = [];
  const record = values.get('record')?.trim() ?? '';
  if (record === '' || record.length > MAX_WORDS_LENGTH) {
    const expected = `a product by id, slug or name, a deal by key, or either by file:line, of at most ${MAX_WORDS_LENGTH} characters`;
    issues.push({ code: 'malformed-value', parameter: 'record', expected, value: record });
  }
  const target = parseTarget(values.get('target'), snapshot, issues);
  if (issues.length > 0) return refuseQuery(issues);
  const search = lastSearch.then(() => (isWanted() ? explain(store, snapshot, record, { target }) : null));
  lastSearch = search.catch(() => undefined);
  return jsonResponse(200, JSON.stringify(await search));
}

function parseTarget(
  value: string | undefined,
  snapshot: LoadedSnapshot,
  issues: QueryIssue[],
): TriedTarget | undefined {
  if (value === undefined) return undefined;
  try {
    return new TriedTarget(value, snapshot);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    const expected = `a request for products (${error.message})`;
    issues.push({ code: 'malformed-value', parameter: 'target', expected, value });
    return undefined;
  }
}

/** An unknown, repeated or empty parameter is an error (D4). */
function parseParameters(query: string, names: readonly string[]) {
  const { pairs, issues: faults } = parseQueryString(query);
  const issues = new QueryIssues();
  issues.list.push(...faults);
  const { values } = takeParameters(names, pairs, issues);
  for (const [name, value] of values) if (value === '') issues.add('malformed-value', name, 'a value', value);
  return { values, issues: issues.list };
}
