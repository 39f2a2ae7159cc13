import { existsSync } from 'node:fs';
import { compareCodeUnits } from '../record/id.ts';
import { lastBuildSchema, type LastBuild } from '../report/report.ts';
import type { Manifest } from '../snapshot/format.ts';
import { SnapshotError } from '../snapshot/snapshot-error.ts';
import { quoteForShell } from '../quote-for-shell.ts';
import { storePath, isSnapshotId, listNames, snapshotPath, parseCurrent, parsePrevious } from './layout.ts';
import { parseManifest } from './manifest.ts';
import { readIfPresent, readRegularFile } from './regular-file.ts';

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
  const file = storePath(store, 'current.json');
  const text = readIfPresent(file);
  const id = text === undefined ? undefined : parseCurrent(text);
  if (id !== undefined) return id;
  if (text === undefined && !wasPublished(store)) return undefined;
  const got = text === undefined ? 'no file' : JSON.stringify(text.slice(0, 80));
  const sentence = `expected {"snapshot": "<id>"} and its check, got ${got}; ${writeRollbackCommand(store)} writes it`;
  throw new SnapshotError('unknown-current', file, sentence);
}

/** A first build that was killed before its switch leaves a snapshot, too. Then no file says that it was current. */
function wasPublished(store: string): boolean {
  const snapshots = listSnapshots(store);
  if (snapshots.length === 0) return false;
  return (
    existsSync(storePath(store, 'previous.json')) ||
    snapshots.some(({ manifest }) => manifest?.previous !== undefined) ||
    findLastBuild(store)?.current !== undefined
  );
}

/** The command that makes the best snapshot current, when the store does not say which one is. */
export function writeRollbackCommand(store: string): string {
  const best = listFallbacks(store).find(({ manifest }) => manifest !== undefined);
  return `deals rollback --to ${best?.id ?? '<snapshot>'} --store ${quoteForShell(store)}`;
}

/**
 * The snapshots that can stand in for the current one, newest first: no operator rolled back from them, and they are no
 * newer than the current one. A newer one was never published. If `current.json` or that snapshot cannot be read,
 * `previous.json` names the current one and the one before it. Without any of them there is no limit.
 */
export function listFallbacks(store: string): readonly StoredSnapshot[] {
  const stored = listSnapshots(store).toReversed();
  const current = unlessFault(() => parseCurrent(readRegularFile(storePath(store, 'current.json'))));
  const previous = unlessFault(() => parsePrevious(readRegularFile(storePath(store, 'previous.json'))));
  const named = [current, previous?.replacedBy, previous?.snapshot];
  const sequences = named.map((wanted) => stored.find(({ id }) => id === wanted)?.sequence ?? 0);
  const newest = sequences.find((sequence) => sequence > 0) ?? Infinity;
  return stored.filter(({ id, sequence }) => sequence <= newest && !isRolledBack(store, id));
}

function unlessFault<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The current snapshot; undefined also when `current.json` cannot be read. */
export function findCurrent(store: string): string | undefined {
  return unlessFault(() => readCurrent(store));
}

/** Whether an operator rolled back from the snapshot: then only an operator makes it current again. */
export function isRolledBack(store: string, id: string): boolean {
  return existsSync(snapshotPath(store, id, 'rolled-back'));
}

/** @throws {SnapshotError} when the snapshot is not there, is of another format version, or its manifest is damaged */
export function readManifest(store: string, id: string): Manifest {
  const path = snapshotPath(store, id, 'manifest.json');
  const text = isSnapshotId(id) ? readIfPresent(path) : undefined;
  if (text !== undefined) return parseManifest(path, text, id);
  const sentence = `no snapshot ${JSON.stringify(id)}; deals status lists those there are`;
  throw new SnapshotError('unknown-snapshot', store, sentence);
}

/** The snapshots of a store, oldest first. */
export function listSnapshots(store: string): readonly StoredSnapshot[] {
  return listNames(store)
    .filter(isSnapshotId)
    .map((id) => readStoredSnapshot(store, id))
    .sort((a, b) => a.sequence - b.sequence || compareCodeUnits(a.id, b.id));
}

/** A snapshot of a store, for an operator. */
export type ListedSnapshot = ReturnType<typeof describeSnapshots>[number];

/** What a store holds, newest first. */
export function describeSnapshots(store: string) {
  const currentId = findCurrent(store);
  return listSnapshots(store)
    .toReversed()
    .map(({ id, sequence, manifest, fault }) => ({
      id,
      /** 0 when it is not known. */
      sequence,
      isCurrent: id === currentId,
      /** An operator rolled back from it: only an operator makes it current again. */
      isRolledBack: isRolledBack(store, id),
      createdAt: manifest?.createdAt,
      counts: manifest?.counts,
      /** Why its manifest cannot be read. */
      fault: fault?.message,
    }));
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

/** The sequence of a manifest that need not be sound; 0 when it has none. */
function readSequence(store: string, id: string): number {
  const { sequence } =
    unlessFault(() => JSON.parse(readRegularFile(snapshotPath(store, id, 'manifest.json'))) as Partial<Manifest>) ?? {};
  return Number.isInteger(sequence) ? Math.max(0, sequence as number) : 0;
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
  return unlessFault(() => lastBuildSchema.parse(JSON.parse(readRegularFile(storePath(store, 'last-build.json')))));
}

interface SnapshotAge {
  /** Since it was made; negative for one from the future. */
  readonly ageSeconds: number;
  /** When a build last found that the sources still say what it says. */
  readonly confirmedAt?: string;
  /** Whether it is from the future, or too long ago made and last confirmed by a build. */
  readonly stale: boolean;
}

/** The clocks of two machines may differ by this much. */
export const TOLERATED_AHEAD_MS = 5 * 60_000;

/**
 * The age of a snapshot. A build without changes publishes nothing and confirms the current snapshot, so a confirmed
 * snapshot is not stale. A time in the future means that a clock was wrong.
 */
export function describeAge(
  { id, createdAt }: Pick<Manifest, 'id' | 'createdAt'>,
  lastBuild: Pick<LastBuild, 'current' | 'confirmedAt'> | undefined,
  now: Date,
  staleAfterHours: number,
): SnapshotAge {
  // It confirmed the current snapshot of the store, which may not be the served one.
  const confirmedAt = lastBuild?.current === id ? lastBuild.confirmedAt : undefined;
  const createdMs = Date.parse(createdAt);
  const ageSeconds = secondsBetween(createdMs, now);
  const confirmedSeconds = confirmedAt === undefined ? -1 : secondsBetween(Date.parse(confirmedAt), now);
  const soundSeconds = confirmedSeconds < 0 ? ageSeconds : Math.min(ageSeconds, confirmedSeconds);
  return {
    ageSeconds,
    ...(confirmedAt === undefined ? {} : { confirmedAt }),
    stale: ageSeconds < 0 || soundSeconds > staleAfterHours * 3_600,
  };
}

/** Negative only beyond `TOLERATED_AHEAD_MS`. */
function secondsBetween(fromMs: number, to: Date): number {
  const ms = to.getTime() - fromMs;
  return ms < 0 && ms >= -TOLERATED_AHEAD_MS ? 0 : Math.floor(ms / 1_000);
}
