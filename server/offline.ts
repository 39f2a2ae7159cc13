import { toOriginForm } from './http/request.ts';
import { readBody } from './http/response.ts';
import { splitTarget } from './query/query-string.ts';
import { respondToQuery } from './routes/catalogue.ts';
import { singleSnapshot } from './routes/resolve-request.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from './settings.ts';
import { loadSnapshot, type LoadedSnapshot } from './snapshot/load-snapshot.ts';
import { readCurrentId } from '../data/store/read-store.ts';

export interface OfflineResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Offline {
  readonly snapshotId: string;
  /** The response to one request target, as over HTTP with a valid key. */
  answer(target: string, ifNoneMatch?: string): OfflineResponse;
}

export interface OfflineOptions {
  readonly store: string;
  /** Default: the current snapshot. */
  readonly snapshotId?: string;
  /** The start of picture URLs. */
  readonly publicUrl: string;
  readonly settings?: Partial<ServerSettings>;
}

/**
 * Opens a snapshot to answer requests without a server, with the same bytes as over HTTP.
 * @throws {SnapshotError} when the snapshot is missing or damaged
 */
export async function openOffline(options: OfflineOptions): Promise<Offline> {
  const id = options.snapshotId ?? (await readCurrentId(options.store));
  const snapshot = await loadSnapshot(options.store, id, { publicUrl: options.publicUrl });
  return createOffline(snapshot, { ...DEFAULT_SETTINGS, ...options.settings });
}

/** Answers from a snapshot that is already open. */
export function createOffline(snapshot: LoadedSnapshot, settings: ServerSettings): Offline {
  const snapshots = singleSnapshot(snapshot);
  return {
    snapshotId: snapshot.manifest.id,
    answer(target, ifNoneMatch) {
      const request = { ...splitTarget(toOriginForm(target)), ifNoneMatch, id: 'offline' };
      const answer = respondToQuery(request, snapshots, settings);
      return { status: answer.status, headers: answer.headers, body: readBody(answer) };
    },
  };
}
