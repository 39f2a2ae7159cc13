import { join } from 'node:path';
import type { Manifest, PictureLine } from '../../data/snapshot/format.ts';
import { SnapshotError, type SnapshotIssue } from '../../data/snapshot/snapshot-error.ts';
import { checkPublished } from './check-published.ts';
import { checkSnapshotFiles } from './check-snapshot-files.ts';
import { hashContent } from './snapshot-id.ts';
import { readManifest } from './stored-snapshot.ts';
import { hashFile } from './written-file.ts';

/**
 * Everything that is wrong with a published snapshot: every hash, every schema, every reference, every picture. Empty
 * when it is as it was published.
 */
export function verifySnapshot(store: string, id: string): readonly SnapshotIssue[] {
  let manifest: Manifest;
  try {
    manifest = readManifest(store, id);
  } catch (error) {
    if (error instanceof SnapshotError) return [error.issue];
    throw error;
  }
  const { issues, counts, pictures } = checkSnapshotFiles(join(store, id), manifest.files);
  return [...findManifestIssues(manifest, id, counts), ...issues, ...findPictureIssues(store, pictures)];
}

/** The list of changes is for people: damaged, it bars no way back to what is served of the snapshot. */
export function isOfChanges(issue: SnapshotIssue): boolean {
  return 'file' in issue && issue.file === 'changes.json';
}

function findManifestIssues(manifest: Manifest, id: string, counts: Manifest['counts']): SnapshotIssue[] {
  const issues: SnapshotIssue[] = [];
  const expect = (field: string, expected: string | number, got: string | number) => {
    if (expected === got) return;
    issues.push({
      code: 'malformed-file',
      file: 'manifest.json',
      expected: `${field} ${expected}`,
      got: JSON.stringify(got),
    });
  };
  const check = checkPublished('manifest.json', manifest);
  if (check.kind === 'faulty') expect('published schema', 'met', check.fault);
  expect('id', id, manifest.id);
  expect('contentHash', hashContent(manifest.files, manifest.imagesBaseUrl), manifest.contentHash);
  for (const [name, count] of Object.entries(counts)) {
    expect(`counts.${name}`, count, manifest.counts[name as keyof Manifest['counts']]);
  }
  return issues;
}

function findPictureIssues(store: string, pictures: readonly PictureLine[]): SnapshotIssue[] {
  const issues: SnapshotIssue[] = [];
  for (const { path, sha256 } of pictures) {
    try {
      const found = hashFile(join(store, path));
      if (found.sha256 !== sha256) issues.push({ code: 'wrong-hash', file: path, expected: sha256, got: found.sha256 });
    } catch (error) {
      issues.push({ code: 'unreadable-file', file: path, cause: (error as Error).message });
    }
  }
  return issues;
}
