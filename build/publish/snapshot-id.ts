import { createHash } from 'node:crypto';
import { SERVED_FILES, SNAPSHOT_FILES, type SnapshotFile } from '../../data/snapshot/format.ts';
import type { WrittenFile } from './written-file.ts';

type Files = Readonly<Record<SnapshotFile, WrittenFile>>;

/**
 * What is served, apart from when and how it was made: names ETags and cursors (D18). Where another host serves the
 * pictures, its address is in every answer, so it is part of the content.
 */
export function hashContent(files: Files, imagesBaseUrl: string | undefined): string {
  return hashNamesAndHashes(SERVED_FILES, files, imagesBaseUrl);
}

/** `<yyyymmddThhmmZ>-<8 hex>` of the time and of all files. */
export function createSnapshotId(now: Date, files: Files, imagesBaseUrl: string | undefined): string {
  const minute = now.toISOString().slice(0, 16).replaceAll(/[-:]/g, '');
  return `${minute}Z-${hashNamesAndHashes(SNAPSHOT_FILES, files, imagesBaseUrl).slice(0, 8)}`;
}

function hashNamesAndHashes(names: readonly SnapshotFile[], files: Files, imagesBaseUrl: string | undefined): string {
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name} ${files[name].sha256}\n`);
  if (imagesBaseUrl !== undefined) hash.update(`imagesBaseUrl ${imagesBaseUrl}\n`);
  return hash.digest('hex');
}
