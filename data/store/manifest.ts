import { hash } from 'node:crypto';
import {
  FORMAT_VERSION,
  manifestSchema,
  SERVED_FILES,
  SNAPSHOT_FILES,
  type Manifest,
  type SnapshotFile,
} from '../snapshot/format.ts';
import { checkShape, malformed, parseLine, SnapshotError, wrongHash } from '../snapshot/snapshot-error.ts';

/** A file as the manifest knows it. */
export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Every file except the one with the changes: the same sources give the same id. */
export type ContentFile = Exclude<SnapshotFile, 'changes.json'>;

export const CONTENT_FILES = SNAPSHOT_FILES.filter((file): file is ContentFile => file !== 'changes.json');

type Files = Readonly<Record<ContentFile, WrittenFile>>;

/**
 * The manifest of snapshot `id` in a text, checked as far as it can be without the files that it lists.
 * @throws {SnapshotError} when it is of another format version or snapshot, or damaged
 */
export function parseManifest(file: string, text: string, id: string): Manifest {
  const value = parseLine(file, text, undefined);
  const { formatVersion } = (value ?? {}) as { readonly formatVersion?: unknown };
  // A manifest without a version is damaged: no program ever wrote one.
  if (typeof formatVersion === 'number' && formatVersion !== FORMAT_VERSION) {
    const sentence = `expected format version ${FORMAT_VERSION}, got ${formatVersion}; run deals build with this version of the program`;
    throw new SnapshotError('unknown-format', file, sentence);
  }
  const data = checkShape(manifestSchema, value, file, undefined);
  // The hash covers the keys in the order of the text, which a schema need not keep.
  const [expected, got] = [data.manifestHash, hashManifest(value as object)];
  if (expected !== undefined && got !== expected) throw wrongHash(file, expected, got);
  // ETags and cursors use the content hash only: a wrong one would let clients keep old content.
  const facts = { id, contentHash: hashContent(data.files, data.imagesBaseUrl) };
  for (const [name, fact] of Object.entries(facts)) {
    const stated = data[name as keyof typeof facts];
    if (stated !== fact) throw malformed(file, undefined, `${name} ${fact}`, JSON.stringify(stated));
  }
  return data;
}

/**
 * A hash of the served content, without when and how it was made. ETags and cursors contain it (D18). When another host
 * serves the pictures, its address is in every response, so it is part of the content.
 */
export function hashContent(files: Files, imagesBaseUrl: string | undefined): string {
  return hashFiles(SERVED_FILES, files, imagesBaseUrl);
}

/**
 * A hash of the values of a manifest in the order of the file, without the hash itself and without white space. A flipped
 * bit that does not change it changes no value.
 */
export function hashManifest(manifest: object): string {
  return hash('sha256', JSON.stringify({ ...manifest, manifestHash: undefined }), 'hex');
}

/** `<yyyymmddThhmmZ>-<8 hex>` of the time and of all files but `changes.json`. */
export function createSnapshotId(now: Date, files: Files, imagesBaseUrl: string | undefined): string {
  const minute = now.toISOString().slice(0, 16).replaceAll(/[-:]/g, '');
  return `${minute}Z-${hashFiles(CONTENT_FILES, files, imagesBaseUrl).slice(0, 8)}`;
}

function hashFiles(names: readonly ContentFile[], files: Files, imagesBaseUrl: string | undefined): string {
  const host = imagesBaseUrl === undefined ? '' : `imagesBaseUrl ${imagesBaseUrl}\n`;
  return hash('sha256', names.map((name) => `${name} ${files[name].sha256}\n`).join('') + host, 'hex');
}
