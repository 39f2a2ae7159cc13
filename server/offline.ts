import { readCurrentId } from '../data/store/read-store.ts';
import { toOriginForm } from './http/request.ts';
import { readBody, type ApiResponse } from './http/response.ts';
import { splitTarget } from './query/query-string.ts';
import { respondToQuery } from './catalogue.ts';
import { singleSnapshot } from './catalogue.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { loadSnapshot, type LoadedSnapshot } from './snapshot/load-snapshot.ts';

export interface OfflineResponse extends Omit<ApiResponse, 'body'> {
  readonly body: string;
}

/** Answers requests from a snapshot without a server, with the same bytes as over HTTP with a valid key. */
export function createOffline(snapshot: LoadedSnapshot) {
  return {
    snapshotId: snapshot.manifest.id,
    answer(target: string, ifNoneMatch?: string): OfflineResponse {
      const request = { ...splitTarget(toOriginForm(target)), ifNoneMatch, id: 'offline' };
      const response = respondToQuery(request, singleSnapshot(snapshot), DEFAULT_SETTINGS);
      return { ...response, body: readBody(response) };
    },
  };
}

/**
 * Opens a snapshot to answer from.
 * @param options without an id, the current snapshot; and the start of the URLs of pictures
 * @throws {SnapshotError} when the snapshot is missing or damaged
 */
export async function openOffline({
  store,
  snapshotId,
  publicUrl,
}: {
  readonly store: string;
  readonly snapshotId?: string;
  readonly publicUrl: string;
}): Promise<ReturnType<typeof createOffline>> {
  return createOffline(await loadSnapshot(store, snapshotId ?? (await readCurrentId(store)), { publicUrl }));
}
