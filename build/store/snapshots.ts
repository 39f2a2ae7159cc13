import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { compareCodeUnits } from '../../data/record/id.ts';
import { lastBuildSchema, type LastBuild } from '../../data/report/report.ts';
import {
  canonicalContent,
  canonicalManifest,
  FORMAT_VERSION,
  manifestSchema,
  SERVED_FILES,
  SNAPSHOT_FILES,
  type Manifest,
  type SnapshotFile,
} from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import {
  parseCurrent,
  parsePrevious,
  PREVIOUS_FILE,
  ROLLED_BACK_FILE,
  type Previous,
} from '../../data/store/layout.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { quoteForShell } from '../source/quote.ts';
import { currentPath, isSnapshotId, lastBuildPath, listNames, manifestPath, snapshotFolder } from './layout.ts';
import type { WrittenFile } from './lines.ts';

/** The part of a manifest that every format version has: enough to put snapshots in order. */
const versionedSchema = z.object({ formatVersion: z.number(), sequence: z.number().int().min(1) });

/** The part of the report of the last build that names the current snapshot. */
const lastBuiltSchema = z.object({ current: z.string().optional() });

/** A snapshot in a store. When its manifest cannot be read, `fault` says why. */
export interface StoredSnapshot {
  readonly id: string;
  /** 0 when it is not known. */
  readonly sequence: number;
  readonly manifest?: Manifest;
  readonly fault?: SnapshotError;
}

/**
 * The id of the snapshot that a store serves; undefined when nothing was ever published.
 * @throws {SnapshotError} when `current.json` cannot be read, or is gone from a store that was published to
 */
export function readCurrent(store: string): string | undefined {
  const file = currentPath(store);
  const text = readIfPresent(file);
  const id = text === undefined ? undefined : parseCurrent(text);
  if (id !== undefined) return id;
  if (text === undefined && !wasPublished(store)) return undefined;
  const got = text === undefined ? 'no file' : JSON.stringify(text.slice(0, 80));
  throw new SnapshotError({ code: 'unknown-current', file, got, command: writeRollbackCommand(store) });
}

/** A first build that was killed before its switch leaves a snapshot, too. Then no file says that it was current. */
function wasPublished(store: string): boolean {
  const snapshots = listSnapshots(store);
  if (snapshots.length === 0) return false;
  if (existsSync(join(store, PREVIOUS_FILE)) || snapshots.some(({ manifest }) => manifest?.previous !== undefined)) {
    return true;
  }
  try {
    return (
      parseJson(lastBuildPath(store), readRegularFile(lastBuildPath(store)), lastBuiltSchema, '').current !== undefined
    );
  } catch {
    return false;
  }
}

/** The command that makes the best snapshot current, when the store does not say which one is. */
function writeRollbackCommand(store: string): string {
  return `deals rollback --to ${findBestSnapshot(store) ?? '<snapshot>'} --store ${quoteForShell(store)}`;
}

/**
 * The snapshot that became current last by `previous.json`, else the newest. Snapshots without a manifest, or that were
 * rolled back from, do not count.
 */
function findBestSnapshot(store: string): string | undefined {
  const sound = listSnapshots(store).filter(({ id, manifest }) => manifest !== undefined && !isRolledBack(store, id));
  const last = sound.find(({ id }) => id === findPrevious(store)?.replacedBy);
  return (last ?? sound.at(-1))?.id;
}

function findPrevious(store: string): Previous | undefined {
  try {
    return parsePrevious(readRegularFile(join(store, PREVIOUS_FILE)));
  } catch {
    return undefined;
  }
}

/** The current snapshot; undefined also when `current.json` cannot be read. */
export function findCurrent(store: string): string | undefined {
  try {
    return readCurrent(store);
  } catch (error) {
    if (error instanceof SnapshotError) return undefined;
    throw error;
  }
}

/** What is current; `kind` is `unreadable` when the disk does not say. */
export type CurrentState =
  | { readonly kind: 'known'; readonly id: string | undefined }
  | { readonly kind: 'unreadable' };

export function findCurrentState(store: string): CurrentState {
  try {
    return { kind: 'known', id: readCurrent(store) };
  } catch {
    return { kind: 'unreadable' };
  }
}

/** Whether an operator rolled back from the snapshot: then only an operator makes it current again. */
export function isRolledBack(store: string, id: string): boolean {
  return existsSync(join(snapshotFolder(store, id), ROLLED_BACK_FILE));
}

/** @throws {SnapshotError} when the snapshot is not there, is of another format version, or its manifest is damaged */
export function readManifest(store: string, id: string): Manifest {
  const text = isSnapshotId(id) ? readIfPresent(manifestPath(store, id)) : undefined;
  if (text === undefined) throw new SnapshotError({ code: 'unknown-snapshot', store, id });
  const path = manifestPath(store, id);
  const { formatVersion } = parseJson(path, text, versionedSchema, 'a manifest');
  if (formatVersion !== FORMAT_VERSION) {
    throw new SnapshotError({
      code: 'unknown-format',
      file: path,
      expected: FORMAT_VERSION,
      got: String(formatVersion),
    });
  }
  const manifest = parseJson(path, text, manifestSchema, 'a manifest');
  checkManifestHash(path, text, manifest.manifestHash);
  return manifest;
}

/** The text is JSON. The hash covers the keys in their order there, which a schema need not keep. */
function checkManifestHash(path: string, text: string, expected: string | undefined): void {
  if (expected === undefined) return;
  const got = hashManifest(JSON.parse(text) as object);
  if (got !== expected) throw new SnapshotError({ code: 'wrong-hash', file: path, expected, got });
}

/** The snapshots of a store, oldest first. */
export function listSnapshots(store: string): readonly StoredSnapshot[] {
  return listNames(store)
    .filter(isSnapshotId)
    .map((id) => readStoredSnapshot(store, id))
    .sort((a, b) => a.sequence - b.sequence || compareCodeUnits(a.id, b.id));
}

function readStoredSnapshot(store: string, id: string): StoredSnapshot {
  try {
    const manifest = readManifest(store, id);
    return { id, sequence: manifest.sequence, manifest };
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    return { id, sequence: readSequence(store, id), fault: error };
  }
}

function readSequence(store: string, id: string): number {
  const path = manifestPath(store, id);
  try {
    return parseJson(path, readRegularFile(path), versionedSchema, 'a manifest').sequence;
  } catch {
    return 0;
  }
}

function parseJson<Shape>(path: string, text: string, schema: z.ZodType<Shape>, expected: string): Shape {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SnapshotError({ code: 'malformed-file', file: path, expected, got: JSON.stringify(text.slice(0, 80)) });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new SnapshotError({
    code: 'malformed-file',
    file: path,
    expected,
    got: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'another shape'}`,
  });
}

function readIfPresent(path: string): string | undefined {
  try {
    return readRegularFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new SnapshotError({ code: 'unreadable-file', file: path, cause: message });
  }
}

/**
 * The time when a build last confirmed that the sources give snapshot `id`. A build without a change writes no
 * snapshot, so only `last-build.json` has this time.
 */
export function findConfirmedAt(store: string, id: string): string | undefined {
  const lastBuild = findLastBuild(store);
  // Without the report of the last build the snapshot is as old as its manifest says.
  return lastBuild?.current === id ? lastBuild.confirmedAt : undefined;
}

/** The report of the last build; undefined when there was none, or it cannot be read. */
export function findLastBuild(store: string): LastBuild | undefined {
  try {
    return lastBuildSchema.parse(JSON.parse(readRegularFile(lastBuildPath(store))));
  } catch {
    return undefined;
  }
}

/** Every file except the one with the changes: the same sources give the same id. */
export type ContentFile = Exclude<SnapshotFile, 'changes.json'>;

export const CONTENT_FILES = SNAPSHOT_FILES.filter((file): file is ContentFile => file !== 'changes.json');

type Files = Readonly<Record<ContentFile, WrittenFile>>;

/**
 * A hash of the served content, without when and how it was made. ETags and cursors contain it (D18). When another host
 * serves the pictures, its address is in every response, so it is part of the content.
 */
export function hashContent(files: Files, imagesBaseUrl: string | undefined): string {
  return hashNamesAndHashes(SERVED_FILES, files, imagesBaseUrl);
}

/** A hash of the manifest in the manifest, which reveals damage to it. */
export function hashManifest(manifest: object): string {
  return createHash('sha256').update(canonicalManifest(manifest)).digest('hex');
}

/** `<yyyymmddThhmmZ>-<8 hex>` of the time and of all files but `changes.json`. */
export function createSnapshotId(now: Date, files: Files, imagesBaseUrl: string | undefined): string {
  const minute = now.toISOString().slice(0, 16).replaceAll(/[-:]/g, '');
  return `${minute}Z-${hashNamesAndHashes(CONTENT_FILES, files, imagesBaseUrl).slice(0, 8)}`;
}

function hashNamesAndHashes(names: readonly ContentFile[], files: Files, imagesBaseUrl: string | undefined): string {
  return createHash('sha256')
    .update(canonicalContent(names, files, imagesBaseUrl))
    .digest('hex');
}
