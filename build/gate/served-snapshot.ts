import { join } from 'node:path';
import { snapshotReportSchema, type SnapshotReport } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { snapshotFolder } from '../publish/store-layout.ts';
import { readCurrent, readManifest, findConfirmedAt } from '../publish/stored-snapshot.ts';
import { hashFile } from '../publish/written-file.ts';
/** What a build is compared with. */
export type ServedSnapshot = KnownSnapshot | UnknownSnapshot;

export interface KnownSnapshot {
  readonly kind: 'known';
  readonly id: string;
  readonly manifest: Manifest;
  readonly report: SnapshotReport;
  /** When a build last found that the sources say what the snapshot says. */
  readonly confirmedAt: string;
}

interface UnknownSnapshot {
  /** `none`: there is nothing to compare with, and that is in order. `unreadable`: there should be something. */
  readonly kind: 'none' | 'unreadable';
  readonly reason: string;
}

/** @throws {SnapshotError} when `current.json` itself cannot be read */
export function readServedSnapshot(store: string): ServedSnapshot {
  const id = readCurrent(store);
  if (id === undefined) return { kind: 'none', reason: 'this is the first snapshot of the store' };
  try {
    const manifest = readManifest(store, id);
    const report = readReport(store, manifest);
    return { kind: 'known', id, manifest, report, confirmedAt: findConfirmedAt(store, id) ?? manifest.createdAt };
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    const kind = error.issue.code === 'unknown-format' ? 'none' : 'unreadable';
    return { kind, reason: error.message };
  }
}

/** The names of the sources of the snapshot being served, as far as they can be read. */
export function findServedSources(store: string): readonly string[] {
  try {
    const id = readCurrent(store);
    return id === undefined ? [] : readManifest(store, id).sources.map(({ name }) => name);
  } catch (error) {
    if (error instanceof SnapshotError) return [];
    throw error;
  }
}

function readReport(store: string, { id, files }: Manifest): SnapshotReport {
  const file = join(snapshotFolder(store, id), 'report.json');
  let text: string;
  let got: string;
  try {
    text = readRegularFile(file);
    got = hashFile(file).sha256;
  } catch (error) {
    throw new SnapshotError({ code: 'unreadable-file', file, cause: (error as Error).message });
  }
  const expected = files['report.json'].sha256;
  if (got !== expected) throw new SnapshotError({ code: 'wrong-hash', file, expected, got });
  const result = snapshotReportSchema.safeParse(JSON.parse(text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new SnapshotError({
    code: 'malformed-file',
    file,
    expected: 'the report of a snapshot',
    got: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'another shape'}`,
  });
}
