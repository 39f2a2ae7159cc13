import { formatNotice } from '../../build/report/describe-build.ts';
import { recordKey } from '../../data/record/product.ts';
import { NOTICES } from '../../data/report/notice.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import type { Manifest, ProductLine } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { openFileLines, parseLines } from '../../data/store/lines.ts';
import { matchesProduct, normaliseName, parseRecordQuery, type RecordQuery } from '../../data/store/record-query.ts';
import { SEARCHED_FILES } from '../../data/store/snapshot-search.ts';
import { listSnapshots } from '../../data/store/snapshots.ts';
import { loadSnapshot, type LoadedSnapshot } from '../../server/snapshot/load-snapshot.ts';
import type { DatedSnapshot, EarlierProduct, Explanation, LastSeen } from './describe.ts';
import { findAgain, type FoundAgain } from './find-again.ts';
import {
  findClosestRecords,
  findRecords,
  readValues,
  type FoundRecords,
  type SnapshotRecords,
} from './find-records.ts';
import { describeRecord } from './record.ts';

/** What older snapshots and similar names say about a record that the snapshot does not have. */
interface Absence extends Pick<Explanation, 'earlier' | 'lastSeen' | 'nearest' | 'sources'> {
  /** The sources of the snapshot in which the record was last seen. */
  readonly pastSources: readonly ManifestSource[];
  /** The same record under its new name. */
  readonly again?: FoundAgain;
}

/** The files of a snapshot in which records are found. @throws {SnapshotError} when one is not what was published */
export function openRecords(store: string, { manifest, index }: LoadedSnapshot): SnapshotRecords {
  return { lines: openFileLines(store, manifest, SEARCHED_FILES), index, sources: manifest.sources };
}

/**
 * Where an absent record was last seen, or else the nearest records. Of records that only contain the text, whether an
 * older product had it as its slug or name.
 */
export async function explainAbsence(
  store: string,
  manifest: Manifest,
  query: RecordQuery,
  records: SnapshotRecords,
  found: FoundRecords,
): Promise<Absence> {
  if (found.records.length + found.names.count > 0) {
    const earlier = isExact(query, found) ? undefined : findEarlierProduct(store, manifest, query);
    return { pastSources: [], ...(earlier === undefined ? {} : { earlier }) };
  }
  const seen = await findLastSeen(store, query.text, manifest, records);
  if (seen !== undefined) return seen;
  return {
    nearest: findClosestRecords(records, query),
    sources: manifest.sources.map(({ name, adapter, state, freshAt, files }) => ({
      name,
      adapter,
      state,
      ...(freshAt === undefined ? {} : { freshAt }),
      files: files.map(({ path }) => path),
    })),
    pastSources: [],
  };
}

function isExact({ name: asked }: RecordQuery, { records, names }: FoundRecords): boolean {
  return (
    records.some((record) => record.kind !== 'product' || record.isExact) ||
    names.items.some(({ name }) => normaliseName(name) === asked)
  );
}

/** Looks for the record, or for the name of a phone in a feed, in earlier snapshots, latest first. */
async function findLastSeen(
  store: string,
  text: string,
  manifest: Manifest,
  records: SnapshotRecords,
): Promise<(Absence & { readonly lastSeen: LastSeen }) | undefined> {
  let goneSince = dateOf(manifest);
  for (const { id } of listOlder(store, manifest)) {
    const past = await loadIfSound(store, id);
    if (past === undefined) continue;
    const pastRecords = openRecords(store, past);
    const recordQuery = parseRecordQuery(text, past.index);
    const {
      records: [found],
      names: {
        items: [name],
      },
    } = findRecords(pastRecords, recordQuery);
    const seen = dateOf(past.manifest);
    const { sources: pastSources } = past.manifest;
    if (found !== undefined) {
      const record = describeRecord(found, pastRecords);
      const again = findAgain(found, pastRecords, records, recordQuery);
      if (again !== undefined) return { lastSeen: { ...seen, record, changed: again.changed }, again, pastSources };
      const since = describeSource(record.origin?.source, records);
      return { lastSeen: { ...seen, goneSince, record, since }, pastSources };
    }
    if (name !== undefined) {
      return { lastSeen: { ...seen, goneSince, name, since: describeSource(name.feed, records) }, pastSources };
    }
    goneSince = seen;
  }
  return undefined;
}

function dateOf({ id, createdAt }: Manifest): DatedSnapshot {
  return { snapshot: id, createdAt };
}

/** The snapshots before this one with a readable manifest, latest first. */
function listOlder(store: string, { sequence }: Manifest): readonly Manifest[] {
  return listSnapshots(store)
    .flatMap(({ manifest }) => (manifest !== undefined && manifest.sequence < sequence ? [manifest] : []))
    .toReversed();
}

async function loadIfSound(store: string, id: string): Promise<LoadedSnapshot | undefined> {
  try {
    return await loadSnapshot(store, id, { publicUrl: '' });
  } catch (error) {
    if (error instanceof SnapshotError) return undefined;
    throw error;
  }
}

function findEarlierProduct(store: string, manifest: Manifest, query: RecordQuery): EarlierProduct | undefined {
  for (const older of listOlder(store, manifest)) {
    const product = findProduct(store, older, query);
    if (product !== undefined) return { ...dateOf(older), product: recordKey(product) };
  }
  return undefined;
}

function findProduct(store: string, manifest: Manifest, query: RecordQuery): ProductLine | undefined {
  try {
    const file = 'products.ndjson';
    const lines = openFileLines(store, manifest, [file])(file);
    return [...parseLines<ProductLine>(lines, file)].find((product) => matchesProduct(query, product));
  } catch (error) {
    if (error instanceof SnapshotError) return undefined;
    throw error;
  }
}

function describeSource(name: string | undefined, records: SnapshotRecords): string {
  const source = records.sources.find((each) => each.name === name);
  if (source === undefined) return `the build no longer reads a source ${JSON.stringify(name ?? '')}`;
  const notices = [...readValues(records, 'notices.ndjson')]
    .filter((notice) => notice.source === name && NOTICES[notice.code].outcome === 'source')
    .map(formatNotice);
  return [describeState(source), ...notices].join('; ');
}

function describeState({ name, state, heldBecause = 'could not be read to its end' }: ManifestSource): string {
  switch (state) {
    case 'fresh':
      return `${name} was read to its end and no longer has it`;
    case 'carried-forward':
      return `${name} is held, and the deals that are carried forward for it no longer have this one`;
    case 'failed':
      return `${name}: ${heldBecause}, and nothing of it is served`;
    case 'absent':
      return `${name} has no file, and nothing of it is served`;
  }
}
