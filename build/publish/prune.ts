import { rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from '../../data/store/durable-file.ts';
import {
  storePath,
  KEPT_AFTER_CURRENT_SECONDS,
  KEPT_SNAPSHOTS,
  listNames,
  NEW_PREFIX,
  OLD_PREFIX,
  snapshotFolder,
  snapshotPath,
} from '../../data/store/layout.ts';
import { readLines } from '../../data/store/lines.ts';
import { listSnapshots, readCurrent } from '../../data/store/snapshots.ts';

/** `/images/<hash>/…` within a line of `pictures.ndjson`. */
const PICTURE_HASH = /"\/images\/([0-9a-f]{16,64})\//;

/**
 * Removes what a killed build or pull left behind. The caller holds the lock of the store, so no other process is writing it.
 */
export function removeLeftovers(store: string): void {
  for (const folder of [store, storePath(store, 'images')]) {
    for (const name of listNames(folder)) {
      if (!name.startsWith(NEW_PREFIX) && !name.startsWith(OLD_PREFIX)) continue;
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

/**
 * Deletes the snapshots that are no longer needed, then the pictures that no remaining snapshot shows. Kept are the newest,
 * the current one, those whose deals stand for held parts of it, and every one that was current within the last hour.
 */
export function pruneSnapshots(store: string): void {
  const current = readCurrent(store);
  const newestFirst = listSnapshots(store).toReversed();
  const sources = newestFirst.find(({ id }) => id === current)?.manifest?.sources ?? [];
  const needed = new Set([current, ...sources.flatMap(({ held = [] }) => held.map(({ snapshot }) => snapshot))]);
  const ids = newestFirst.map(({ id }) => id);
  const kept = ids.filter((id, i) => i < KEPT_SNAPSHOTS || needed.has(id) || isRecent(snapshotFolder(store, id)));
  for (const id of ids) if (!kept.includes(id)) removeFolder(store, id);
  const shown = findShownPictures(store, kept);
  const folder = storePath(store, 'images');
  for (const name of listNames(folder)) {
    if (shown?.has(name) === false && !isRecent(join(folder, name))) removeFolder(folder, name);
  }
}

/** The folders of the pictures that some snapshots show; undefined when a list cannot be read, so that every picture stays. */
function findShownPictures(store: string, ids: readonly string[]): ReadonlySet<string> | undefined {
  const shown = new Set<string>();
  try {
    for (const id of ids) {
      for (const line of readLines(snapshotPath(store, id, 'pictures.ndjson'))) {
        const hash = PICTURE_HASH.exec(line.toString('utf8'))?.[1];
        if (hash !== undefined) shown.add(hash);
      }
    }
    return shown;
  } catch {
    return undefined;
  }
}

/** By the time of the folder, which `switchCurrent` sets when the snapshot stops being current. */
function isRecent(path: string): boolean {
  const ageMs = Date.now() - statSync(path).mtimeMs;
  // A time in the future is of a clock that was ahead: the hour begins now.
  if (ageMs < 0) utimesSync(path, new Date(), new Date());
  return ageMs < KEPT_AFTER_CURRENT_SECONDS * 1_000;
}
