import { readCurrent } from '../../data/store/snapshots.ts';
import { answerOffline, type OfflineResponse } from '../../server/catalogue.ts';
import { loadSnapshot } from '../../server/snapshot/load-snapshot.ts';

/** Opens a snapshot of a store, the current one without an id, to answer from. */
export async function openOffline(options: {
  readonly store: string;
  readonly snapshotId?: string;
  readonly publicUrl: string;
}) {
  const { store, publicUrl, snapshotId = readCurrent(store) ?? '' } = options;
  const snapshot = await loadSnapshot(store, snapshotId, { publicUrl });
  return {
    answer: (...request: [target: string, ifNoneMatch?: string]): OfflineResponse =>
      answerOffline(snapshot, ...request),
  };
}
