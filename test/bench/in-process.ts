import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './bench-data.ts';

type AnswerModule = typeof import('../../server/routes/catalogue.ts');
type OfflineModule = typeof import('../../server/offline.ts');
type LoadModule = typeof import('../../server/snapshot/load-snapshot.ts');
type ManifestModule = typeof import('../../data/store/read-store.ts');
type SettingsModule = typeof import('../../server/settings.ts');
type RouteModule = typeof import('../../server/routes/resolve-request.ts');
type LoadedSnapshot = Awaited<ReturnType<LoadModule['loadSnapshot']>>;

/** A snapshot in this process, queried without HTTP and without a response cache. */
export interface InProcess {
  readonly snapshot: LoadedSnapshot;
  /** Makes a whole response, chunk by chunk as a server sends it, and drops it; returns its length. */
  readonly drain: (target: string) => number;
  /** Makes a whole response. */
  readonly read: (target: string) => { readonly body: string; readonly headers: Readonly<Record<string, string>> };
}

/** Where the pictures of the snapshot are said to be. */
const PUBLIC_URL = 'http://127.0.0.1:8080';

/** Opens the current snapshot of a store. */
export async function openInProcess(store: string, publicUrl = PUBLIC_URL): Promise<InProcess> {
  const { respondToQuery } = await importCompiled<AnswerModule>('server/routes/catalogue.ts');
  const { createOffline, singleSnapshot } = await importCompiled<OfflineModule>('server/offline.ts');
  const { loadSnapshot } = await importCompiled<LoadModule>('server/snapshot/load-snapshot.ts');
  const { readCurrentId } = await importCompiled<ManifestModule>('data/store/read-store.ts');
  const { DEFAULT_SETTINGS } = await importCompiled<SettingsModule>('server/settings.ts');
  const { findRoute } = await importCompiled<RouteModule>('server/routes/resolve-request.ts');
  const snapshot = await loadSnapshot(store, await readCurrentId(store), { publicUrl });
  const snapshots = singleSnapshot(snapshot);
  const offline = createOffline(snapshot, DEFAULT_SETTINGS);
  return {
    snapshot,
    drain: (target) => {
      const at = target.indexOf('?');
      const path = at === -1 ? target : target.slice(0, at);
      const query = at === -1 ? '' : target.slice(at + 1);
      const route = findRoute(path);
      if (route === undefined) throw new Error(`${target}: expected a path of the interface`);
      const answer = respondToQuery({ route, path, query, requestId: 'bench' }, snapshots, DEFAULT_SETTINGS);
      if (answer.status !== 200) throw new Error(`${target}: expected 200, got ${answer.status}`);
      let byteLength = 0;
      for (const piece of answer.body) byteLength += piece.length;
      return byteLength;
    },
    read: (target) => {
      const { status, body, headers } = offline.answer(target);
      if (status !== 200) throw new Error(`${target}: expected 200, got ${status}: ${body.slice(0, 300)}`);
      return { body, headers };
    },
  };
}

/**
 * A module as `npm run compile` makes it. What is timed in a case is never what tsx makes of the source: it names every
 * function when it is made, which costs hot code a call for each.
 */
async function importCompiled<Module>(path: string): Promise<Module> {
  const file = join(ROOT, 'dist/js', path.replace(/\.ts$/, '.js'));
  return (await import(pathToFileURL(file).href)) as Module;
}
