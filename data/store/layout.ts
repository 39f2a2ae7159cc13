import { hash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { currentSchema, previousSchema, SNAPSHOT_ID, type SnapshotFile } from '../snapshot/format.ts';
import { isErrorCode } from './system-error.ts';

/** What is being made. Readers look for snapshot ids only; the next build removes what a killed one left behind. */
export const NEW_PREFIX = '.new-';

/** What is being deleted: renamed first, so that no reader finds half of it under its own name. */
export const OLD_PREFIX = '.old-';

/** How many snapshots a store keeps, newest first. */
export const KEPT_SNAPSHOTS = 7;

/** How long a snapshot stays in the store after it was current: a server may still send its pictures. */
export const KEPT_AFTER_CURRENT_SECONDS = 3_600;

/** What a store has beside its snapshots. */
type StoreEntry =
  /** Names the current snapshot: the commit point. */
  | 'current.json'
  /** Names the snapshot before the current one, and the one that replaced it. */
  | 'previous.json'
  | 'last-build.json'
  | 'build.lock'
  /** What `deals pull` has brought. */
  | 'pull.json'
  /** The rendered pictures, shared by all snapshots of the store. */
  | 'images';

export function storePath(store: string, entry: StoreEntry): string {
  return join(store, entry);
}

export function snapshotFolder(store: string, id: string): string {
  return join(store, id);
}

/** `rolled-back` marks a snapshot that was rolled back from: only an operator chooses it again. */
export function snapshotPath(store: string, id: string, file: SnapshotFile | 'manifest.json' | 'rolled-back'): string {
  return join(store, id, file);
}

/** A path in `folder` that no other process uses. */
export function newPath(folder: string): string {
  return join(folder, `${NEW_PREFIX}${randomBytes(8).toString('hex')}`);
}

export function oldPath(folder: string, name: string): string {
  return join(folder, `${OLD_PREFIX}${name}-${randomBytes(4).toString('hex')}`);
}

/** The names in a folder; none when there is no such folder. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}

export function isSnapshotId(name: string): boolean {
  return SNAPSHOT_ID.test(name);
}

/** The text of `current.json`, or of `previous.json` with `replacedBy`. */
export function formatPointer(pointer: { readonly snapshot: string; readonly replacedBy?: string }): string {
  return `${JSON.stringify({ ...pointer, check: pointerCheck(pointer) })}\n`;
}

/** The id in a `current.json`; undefined when it is damaged. An older program wrote no check. */
export function parseCurrent(text: string): string | undefined {
  return parsePointer(currentSchema, text)?.snapshot;
}

/** The snapshot that was current before, and that which replaced it; undefined when it is damaged. */
export function parsePrevious(text: string) {
  return parsePointer(previousSchema, text);
}

function parsePointer<Pointer extends { readonly check?: string | undefined }>(
  schema: z.ZodType<Pointer>,
  text: string,
): Omit<Pointer, 'check'> | undefined {
  const { data } = schema.safeParse(parseJson(text));
  if (data === undefined) return undefined;
  const { check, ...pointer } = data;
  return check === undefined || check === pointerCheck(pointer) ? pointer : undefined;
}

/** Eight hex digits of SHA-256 detect accidental damage. */
function pointerCheck(pointer: object): string {
  return hash('sha256', JSON.stringify(pointer), 'hex').slice(0, 8);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
