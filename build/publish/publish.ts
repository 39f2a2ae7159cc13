import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GateResult, ManifestSource } from '../../data/report/report.ts';
import { FORMAT_VERSION, type Manifest, SNAPSHOT_FILES, type SnapshotFile } from '../../data/snapshot/format.ts';
import { malformed } from '../../data/snapshot/snapshot-error.ts';
import { compareWithCurrent } from '../changes/compare-snapshots.ts';
import { createDurably, moveIntoPlace, removeBestEffort, syncFolder } from '../../data/store/durable-file.ts';
import { newPath, snapshotPath } from '../../data/store/layout.ts';
import { findFileFault, hashLines, writeLines } from '../../data/store/lines.ts';
import {
  CONTENT_FILES,
  type ContentFile,
  createSnapshotId,
  hashContent,
  hashManifest,
  type WrittenFile,
} from '../../data/store/manifest.ts';
import { listSnapshots, readCurrent } from '../../data/store/snapshots.ts';
import { switchCurrent } from './switch-current.ts';
import { checkSnapshot, findSchemaFault } from './verify.ts';

/** The lines of every file of a snapshot except its manifest and its changes, made while they are written. */
export type SnapshotContent = { readonly [File in ContentFile]: () => Iterable<string> };

/** The facts of the manifest that the files do not have. */
export interface SnapshotFacts {
  readonly now: Date;
  readonly imagesBaseUrl?: string | undefined;
  readonly sources: readonly ManifestSource[];
  readonly gates: readonly GateResult[];
  /** The current snapshot when the build started; absent when the build starts with publishing. */
  readonly builtOn?: { readonly id: string | undefined };
}

type Files = Manifest['files'];
type ContentFiles = Omit<Files, 'changes.json'>;

/** The snapshot that was published, or the current one with the same content. */
export interface PublishResult {
  readonly outcome: 'published' | 'unchanged';
  readonly id: string;
  readonly files: Files;
}

/**
 * Publishes a snapshot, all or nothing: writes it to a folder that no reader looks at, reads it back and checks it,
 * gives it a manifest and its name, and only then makes it current. A crash at any point leaves the snapshot before
 * it current. The caller holds the lock of the store.
 *
 * @throws {StoreBusyError} when another snapshot than `builtOn` is current by now; nothing is published
 * @throws {Error} when what was written is not what was meant, or does not follow its own schemas; nothing is published
 */
export function publishSnapshot(store: string, content: SnapshotContent, facts: SnapshotFacts): PublishResult {
  const builtOn = facts.builtOn ?? { id: readCurrent(store) };
  const folder = newPath(store);
  mkdirSync(folder);
  try {
    const result = writeFiles(store, content, facts, (file, lines) => writeLines(join(folder, file), lines));
    // Completes a build that was stopped between the switch and its sync.
    if (result.outcome === 'unchanged') syncFolder(store);
    else {
      writeManifest(folder, createManifest(store, result, facts, checkWritten(folder, result.files)));
      moveIntoPlace(store, folder, result.id);
      switchCurrent(store, result.id, builtOn.id);
    }
    return result;
  } finally {
    // It is gone already when it was moved into place.
    removeBestEffort(folder);
  }
}

/** The result that `publishSnapshot` would have; writes nothing. */
export function dryRunPublication(store: string, content: SnapshotContent, facts: SnapshotFacts): PublishResult {
  return writeFiles(store, content, facts, (_, lines) => hashLines(lines));
}

/** Writes every file but the manifest; without the changes when the content is that of the current snapshot. */
function writeFiles(
  store: string,
  content: SnapshotContent,
  facts: SnapshotFacts,
  write: (file: SnapshotFile, lines: Iterable<string>) => WrittenFile,
): PublishResult {
  const written = Object.fromEntries(CONTENT_FILES.map((file) => [file, write(file, content[file]())])) as ContentFiles;
  const current = findUnchanged(store, written, facts);
  if (current !== undefined) return { outcome: 'unchanged', id: current.id, files: current.files };
  const changes = compareWithCurrent(store, (file) => content[file]());
  const files = { ...written, 'changes.json': write('changes.json', [JSON.stringify(changes)]) };
  return { outcome: 'published', id: createSnapshotId(facts.now, files, facts.imagesBaseUrl), files };
}

/**
 * The manifest of the current snapshot, if it has exactly these files and they are sound on the disk. `changes.json`
 * may differ: compared with itself, a snapshot has no changes.
 */
function findUnchanged(store: string, files: ContentFiles, facts: SnapshotFacts): Manifest | undefined {
  const id = readCurrent(store);
  // A current snapshot that is damaged, or of another format version, is replaced.
  const { manifest } = listSnapshots(store).find((snapshot) => snapshot.id === id) ?? {};
  if (manifest === undefined || manifest.imagesBaseUrl !== facts.imagesBaseUrl) return undefined;
  // It was made under a clock that was ahead: its time is wrong, and so is every age.
  if (Date.parse(manifest.createdAt) > facts.now.getTime()) return undefined;
  if (!CONTENT_FILES.every((file) => manifest.files[file].sha256 === files[file].sha256)) return undefined;
  // Its changes are checked too: no later build can make them again.
  const isDamaged = (file: SnapshotFile) =>
    findFileFault(snapshotPath(store, manifest.id, file), manifest.files[file]) !== undefined;
  return SNAPSHOT_FILES.some(isDamaged) ? undefined : manifest;
}

/** The counts of the snapshot in `folder`. @throws {SnapshotError} when it is not what was meant to be written */
function checkWritten(folder: string, files: Files): Manifest['counts'] {
  const { faults, counts } = checkSnapshot(folder, files);
  if (counts !== undefined && faults.length === 0) return counts;
  throw malformed(
    folder,
    undefined,
    'the new snapshot, read back, as it was written',
    `${faults.length} faults, the first: ${faults[0]?.message}`,
  );
}

function createManifest(
  store: string,
  { id, files }: PublishResult,
  facts: SnapshotFacts,
  counts: Manifest['counts'],
): Manifest {
  const sequence = 1 + Math.max(0, ...listSnapshots(store).map((snapshot) => snapshot.sequence));
  const manifest: Manifest = {
    formatVersion: FORMAT_VERSION,
    id,
    sequence,
    createdAt: facts.now.toISOString(),
    previous: readCurrent(store),
    imagesBaseUrl: facts.imagesBaseUrl,
    contentHash: hashContent(files, facts.imagesBaseUrl),
    counts,
    files,
    sources: [...facts.sources],
    gates: [...facts.gates],
  };
  return { ...manifest, manifestHash: hashManifest(manifest) };
}

function writeManifest(folder: string, manifest: Manifest): void {
  const fault = findSchemaFault('manifest.json', manifest);
  if (fault !== undefined) throw new Error(`manifest.json: expected the published schema, got ${fault}`);
  createDurably(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  syncFolder(folder);
}
