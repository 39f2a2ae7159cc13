import { compareCodeUnits } from '../../data/record/id.ts';
import type { Notice } from '../../data/report/notice.ts';
import { recordKey } from '../../data/record/product.ts';
import { type HeldPart, type ManifestSource, type SnapshotReport } from '../../data/report/report.ts';
import type { Manifest, ProductLine } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import {
  COMPARED_FILES,
  openSnapshotLines,
  parseLines,
  readDictionaries,
  readReport,
  type SnapshotLines,
} from '../../data/store/lines.ts';
import { findConfirmedAt, listSnapshots, readCurrent, readManifest } from '../../data/store/snapshots.ts';
import { listRecordFacts, type ComparedRecords } from './compare-cms.ts';
import { covers, type PartName } from './compare-feed.ts';
import { ServedDeals, type ServedProduct } from './served-deals.ts';

/** The snapshot being served, which a build is compared with. It is opened once. */
export type ServedSnapshot = KnownSnapshot | UnknownSnapshot;

export interface KnownSnapshot {
  readonly kind: 'known';
  readonly id: string;
  readonly manifest: Manifest;
  readonly report: SnapshotReport;
  /** When a build last confirmed that the sources still give this snapshot. */
  readonly confirmedAt: string;
  readonly lines: SnapshotLines;
  /** Its deals, and then those with which parts that have expired were last served. */
  readonly deals: ServedDeals;
  /** Of its own deals, by product. */
  readonly cheapest: ReadonlyMap<string, ServedProduct>;
  readonly records: ComparedRecords;
  /** By product (`101/new`), its pictures as JSON. */
  readonly pictures: ReadonlyMap<string, string>;
  /** The files of feeds in the other snapshots of the store: hash to the time of the last snapshot with it. */
  readonly earlierFiles: ReadonlyMap<string, string>;
}

interface UnknownSnapshot {
  /** `none`: no snapshot to compare with, as expected. `unreadable`: there is one that cannot be read. */
  readonly kind: 'none' | 'unreadable';
  readonly reason: string;
}

/** A source of the snapshot being served. */
export function findServedSource(served: ServedSnapshot, name: string): ManifestSource | undefined {
  return served.kind === 'known' ? served.manifest.sources.find((source) => source.name === name) : undefined;
}

/** When the deals before of a part were last found in the feed. */
export interface Freshness {
  /** In milliseconds since 1970, and the snapshot of that time. */
  readonly freshMs: number;
  readonly snapshot: string;
  /** The gates that hold the part in the snapshot being served. */
  readonly failed: readonly string[];
}

/** Finds the freshness of each network at a retailer in a feed, by their slugs. */
export function findFreshness(served: KnownSnapshot, feed: string, now: Date): (cell: PartName) => Freshness {
  const source = findServedSource(served, feed);
  // A time in the future comes from a build under a wrong clock: the hours start with the first build that finds it.
  const toMs = (times: readonly string[]): number => {
    const passed = times.map((time) => Date.parse(time)).filter((time) => time <= now.getTime());
    return passed.length === 0 ? now.getTime() : Math.max(...passed);
  };
  const confirmed = source?.state === 'fresh' ? [served.confirmedAt] : [];
  const freshMs = toMs([source?.freshAt ?? served.manifest.createdAt, ...confirmed]);
  return (cell) => {
    // Of a retailer and a network that both cover it, the one that was held first.
    const covering = (source?.held ?? [])
      .filter((part) => covers(part, cell))
      .toSorted((a, b) => compareCodeUnits(a.freshAt, b.freshAt));
    const isExact = ({ retailer, network }: HeldPart): boolean => retailer !== undefined && network !== undefined;
    const part = covering.find(isExact) ?? covering[0];
    return part === undefined
      ? { freshMs, snapshot: served.id, failed: [] }
      : { freshMs: toMs([part.freshAt]), snapshot: part.snapshot, failed: part.gates };
  };
}

/** @throws {SnapshotError} when `current.json` itself cannot be read */
export function readServedSnapshot(store: string): ServedSnapshot {
  const id = readCurrent(store);
  if (id === undefined) return { kind: 'none', reason: 'this is the first snapshot of the store' };
  try {
    const manifest = readManifest(store, id);
    const opened = openLines(
      manifest,
      readReport(store, manifest),
      openSnapshotLines(store, manifest, [...COMPARED_FILES, 'quarantine.ndjson']),
      (snapshot) => openSnapshotLines(store, readManifest(store, snapshot)),
    );
    const confirmedAt = findConfirmedAt(store, id) ?? manifest.createdAt;
    return { ...opened, confirmedAt, earlierFiles: listEarlierFiles(store, manifest) };
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    const kind = error.code === 'unknown-format' ? 'none' : 'unreadable';
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

/** The files of a snapshot that a build is compared with. */
export type ServedLines = SnapshotLines<
  'dictionaries.json' | 'products.ndjson' | 'deals.ndjson' | 'provenance.ndjson' | 'quarantine.ndjson'
>;

/** Texts that mark the lines of `quarantine.ndjson` about prices; all others are not parsed. */
const PRICE_CODE_MARKS = ['"price-jump"', '"duplicate-deal"'] as const;

/**
 * Reads a snapshot, without what the store knows besides.
 * @param openEarlier the lines of an earlier snapshot; throws a SnapshotError where it is not there any more
 */
export function openLines(
  manifest: Manifest,
  report: SnapshotReport,
  lines: ServedLines,
  openEarlier: (snapshot: string) => SnapshotLines,
): KnownSnapshot {
  const { networks, retailers } = readDictionaries(lines);
  const deals = new ServedDeals(retailers, manifest.counts.deals);
  deals.addSnapshot(lines);
  const excluded: Notice[] = [];
  for (const line of lines('quarantine.ndjson')) {
    if (PRICE_CODE_MARKS.some((code) => line.includes(code))) excluded.push(JSON.parse(line.toString()) as Notice);
  }
  deals.addExcluded(excluded);
  addWithdrawnParts(manifest, deals, openEarlier);
  const products = [...parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson')];
  return {
    kind: 'known',
    id: manifest.id,
    manifest,
    report,
    confirmedAt: manifest.createdAt,
    lines,
    deals,
    cheapest: deals.cheapestByProduct(),
    records: {
      products: listRecordFacts(products),
      networks: listRecordFacts(networks),
      retailers: listRecordFacts(retailers),
    },
    pictures: new Map(products.map((product) => [recordKey(product), JSON.stringify(product.images)])),
    earlierFiles: new Map(),
  };
}

/** Adds the deals with which expired parts were last served, to compare with. A part whose snapshot was deleted is new. */
function addWithdrawnParts(
  { sources }: Pick<Manifest, 'sources'>,
  deals: ServedDeals,
  openEarlier: (snapshot: string) => SnapshotLines,
): void {
  for (const { name, held = [] } of sources) {
    for (const part of held) {
      if (part.state !== 'withdrawn') continue;
      try {
        deals.addSnapshot(
          openEarlier(part.snapshot),
          (feed, retailer, network) => feed === name && covers(part, { retailer, network }),
        );
      } catch (error) {
        if (!(error instanceof SnapshotError)) throw error;
      }
    }
  }
}

/** Without the files that parts are served from which are held: a supplier may give the last good file again. */
function listEarlierFiles(store: string, current: Manifest): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const held = new Set(
    current.sources.flatMap(({ name, held = [] }) => held.map(({ snapshot }) => `${name} ${snapshot}`)),
  );
  for (const { id, sequence, manifest } of listSnapshots(store)) {
    if (manifest === undefined || sequence >= current.sequence) continue;
    for (const source of manifest.sources) {
      if (source.kind !== 'feed') continue;
      for (const { sha256 } of source.files) {
        if (held.has(`${source.name} ${id}`)) files.delete(sha256);
        else files.set(sha256, manifest.createdAt);
      }
    }
  }
  return files;
}
