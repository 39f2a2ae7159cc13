import { statfs } from 'node:fs/promises';
import { listSnapshots } from '../../build/publish/stored-snapshot.ts';
import { KEPT_SNAPSHOTS } from '../../data/snapshot/retention.ts';
import { describeBytes, fault, ok, warning, type Finding } from './finding.ts';

/** A snapshot grows, and a build keeps what it made of each feed. */
const GROWTH = 1.5;

/** What a build needs beside its snapshot: pictures, reports. */
const SPARE_BYTES = 100_000_000;
const SPARE_FILES = 10_000;

export interface DiskFacts {
  readonly freeBytes: number;
  /** Undefined on a disk that makes room for files as they come. */
  readonly freeFiles: number | undefined;
  /** Of every snapshot that the store has. */
  readonly snapshotBytes: readonly number[];
}

export async function readDiskFacts(store: string): Promise<DiskFacts> {
  const { bavail, bsize, files, ffree } = await statfs(store);
  const snapshotBytes = listSnapshots(store).flatMap(({ manifest }) =>
    manifest === undefined ? [] : [Object.values(manifest.files).reduce((sum, { bytes }) => sum + bytes, 0)],
  );
  return { freeBytes: bavail * bsize, freeFiles: files === 0 ? undefined : ffree, snapshotBytes };
}

/** Room for the next snapshot, and for as many as a store keeps beside the one that is being written. */
export function checkDisk({ freeBytes, freeFiles, snapshotBytes }: DiskFacts): Finding {
  const next = Math.max(0, ...snapshotBytes) * GROWTH;
  const missing = Math.max(0, KEPT_SNAPSHOTS - snapshotBytes.length);
  const size = snapshotBytes.length === 0 ? '' : `; a snapshot has up to ${describeBytes(Math.max(...snapshotBytes))}`;
  const found = `${describeBytes(freeBytes)} free${size}`;
  const remedy = 'make room, or move the store to a larger disk';
  if (freeFiles !== undefined && freeFiles < SPARE_FILES) {
    return warning('disk', `the disk has room for ${freeFiles} more files`, remedy);
  }
  if (freeBytes < next + SPARE_BYTES) return fault('disk', `${found}: too little for the next one`, remedy);
  if (freeBytes < next * (missing + 1) + SPARE_BYTES) {
    return warning('disk', `${found}: too little for the ${KEPT_SNAPSHOTS} that a store keeps`, remedy);
  }
  return ok('disk', found);
}
