import { rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from '../../data/store/durable-file.ts';
import {
  imagesFolder,
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

/** `.lock-` is of a program before this one. */
const LEFTOVERS = [NEW_PREFIX, OLD_PREFIX, '.lock-'];

/**
 * Removes what a killed build or pull left behind. The caller holds the lock of the store, so no other process is writing it.
 */
export function removeLeftovers(store: string): void {
  for (const folder of [store, imagesFolder(store)]) {
    for (const name of listNames(folder)) {
      if (!LEFTOVERS.some((prefix) => name.startsWith(prefix))) continue;
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

/**
 * Deletes the snapshots that are no longer needed, then the pictures that no remaining snapshot shows. Kept are the newest,
 * the current one, and every one that was current within the last hour.
 */
export function pruneSnapshots(store: string): { readonly snapshots: readonly string[] } {
  const current = readCurrent(store);
  const newestFirst = listSnapshots(store).toReversed();
  const isKept = (id: string, position: number) =>
    position < KEPT_SNAPSHOTS || id === current || isRecent(snapshotFolder(store, id));
  const retired = newestFirst.filter(({ id }, position) => !isKept(id, position)).map(({ id }) => id);
  for (const id of retired) removeFolder(store, id);
  pruneImages(
    store,
    newestFirst.map(({ id }) => id).filter((id) => !retired.includes(id)),
  );
  return { snapshots: retired };
}

function pruneImages(store: string, keptSnapshots: readonly string[]): void {
  const folder = imagesFolder(store);
  const shown = new Set<string>();
  for (const id of keptSnapshots) {
    // Without its list, what a snapshot shows is not known, so every picture stays.
    if (!addShownPictures(snapshotPath(store, id, 'pictures.ndjson'), shown)) return;
  }
  for (const name of listNames(folder)) {
    if (!shown.has(name) && !isRecent(join(folder, name))) removeFolder(folder, name);
  }
}

function addShownPictures(path: string, shown: Set<string>): boolean {
  try {
    for (const line of readLines(path)) {
      const hash = PICTURE_HASH.exec(line.toString('utf8'))?.[1];
      if (hash !== undefined) shown.add(hash);
    }
    return true;
  } catch {
    return false;
  }
}

/** By the time of the folder, which `switchCurrent` sets when the snapshot stops being current. */
function isRecent(path: string): boolean {
  const ageMs = Date.now() - statSync(path).mtimeMs;
  // A time in the future is of a clock that was ahead: the hour begins now.
  if (ageMs < 0) utimesSync(path, new Date(), new Date());
  return ageMs < KEPT_AFTER_CURRENT_SECONDS * 1_000;
}
