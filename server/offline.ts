import { splitTarget } from './query/split-target.ts';
import { answerQuery } from './respond/answer-query.ts';
import type { Snapshots } from './respond/understand-request.ts';
import { readBody } from './http/answer.ts';
import { refusePath } from './http/check-request.ts';
import { findRoute } from './http/route.ts';
import { toOriginForm } from './http/raw-request.ts';
import { DEFAULT_SETTINGS, type ServerSettings } from './settings.ts';
import { loadSnapshot } from './snapshot/load-snapshot.ts';
import { readCurrentId } from './snapshot/read-manifest.ts';
import type { OpenSnapshot } from './snapshot/open-snapshot.ts';
import { cursorContent } from './query/cursor.ts';

export interface OfflineAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Offline {
  readonly snapshotId: string;
  /** The answer to one request target, as over HTTP with a valid key. */
  answer(target: string, ifNoneMatch?: string): OfflineAnswer;
}

export interface OfflineOptions {
  readonly store: string;
  /** Default: the current snapshot. */
  readonly snapshotId?: string;
  /** What goes before the paths of pictures. */
  readonly publicUrl: string;
  readonly settings?: Partial<ServerSettings>;
}

/**
 * Opens a snapshot for answering without a server; the same bytes as over HTTP.
 * @throws {SnapshotError} when the snapshot is not there or not sound
 */
export async function openOffline(options: OfflineOptions): Promise<Offline> {
  const id = options.snapshotId ?? (await readCurrentId(options.store));
  const snapshot = await loadSnapshot(options.store, id, { publicUrl: options.publicUrl });
  return createOffline(snapshot, { ...DEFAULT_SETTINGS, ...options.settings });
}

/** A server that has held one snapshot from the beginning. */
export function holdOnly(snapshot: OpenSnapshot): Snapshots {
  return {
    current: snapshot,
    findContent: (content) => (content === cursorContent(snapshot.manifest.contentHash) ? snapshot : undefined),
  };
}

/** Answers from a snapshot that is already open. */
export function createOffline(snapshot: OpenSnapshot, settings: ServerSettings): Offline {
  const snapshots = holdOnly(snapshot);
  return {
    snapshotId: snapshot.manifest.id,
    answer(target, ifNoneMatch) {
      const { path, query } = splitTarget(toOriginForm(target));
      const route = findRoute(path);
      const requestId = 'offline';
      const answer =
        route === undefined
          ? refusePath(path, requestId)
          : answerQuery({ route, path, query, ifNoneMatch, requestId }, snapshots, settings);
      return { status: answer.status, headers: answer.headers, body: readBody(answer) };
    },
  };
}
