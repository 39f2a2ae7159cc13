import { createHash } from 'node:crypto';
import { describeContent } from '../../data/snapshot/content-text.ts';
import { SERVED_FILES, SNAPSHOT_FILES, type SnapshotFile } from '../../data/snapshot/format.ts';
import { describeManifest } from '../../data/snapshot/manifest-text.ts';
import type { WrittenFile } from './written-file.ts';

/** Every file but the one that tells what differs from the snapshot before: the same sources give the same id. */
export type ContentFile = Exclude<SnapshotFile, 'changes.json'>;

export const CONTENT_FILES = SNAPSHOT_FILES.filter((file): file is ContentFile => file !== 'changes.json');

type Files = Readonly<Record<ContentFile, WrittenFile>>;

/**
 * What is served, apart from when and how it was made: names ETags and cursors (D18). Where another host serves the
 * pictures, its address is in every answer, so it is part of the content.
 */
export function hashContent(files: Files, imagesBaseUrl: string | undefined): string {
  return hashNamesAndHashes(SERVED_FILES, files, imagesBaseUrl);
}

/** What a manifest says of itself, so that damage to it is found. */
export function hashManifest(manifest: object): string {
  return createHash('sha256').update(describeManifest(manifest)).digest('hex');
}

/** `<yyyymmddThhmmZ>-<8 hex>` of the time and of all files but `changes.json`. */
export function createSnapshotId(now: Date, files: Files, imagesBaseUrl: string | undefined): string {
  const minute = now.toISOString().slice(0, 16).replaceAll(/[-:]/g, '');
  return `${minute}Z-${hashNamesAndHashes(CONTENT_FILES, files, imagesBaseUrl).slice(0, 8)}`;
}

function hashNamesAndHashes(names: readonly ContentFile[], files: Files, imagesBaseUrl: string | undefined): string {
  return createHash('sha256')
    .update(describeContent(names, files, imagesBaseUrl))
    .digest('hex');
}
