import { recordKey } from '../../data/record/product.ts';
import { join } from 'node:path';
import type { Notice } from '../../data/report/notice.ts';
import { snapshotReportSchema, type SnapshotReport } from '../../data/report/report.ts';
import type { Manifest, ProductLine, ProductOriginLine } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { ServedDeals } from '../join/served-deals.ts';
import { snapshotFolder } from '../../data/store/layout.ts';
import { hashFile, openSnapshotLines, parseLines, readDealLines, readDictionaries } from '../../data/store/lines.ts';
import { findConfirmedAt, readCurrent, readManifest } from '../../data/store/snapshots.ts';

/** What a build is compared with. */
export type ServedSnapshot = KnownSnapshot | UnknownSnapshot;

export interface KnownSnapshot {
  readonly kind: 'known';
  readonly id: string;
  readonly manifest: Manifest;
  readonly report: SnapshotReport;
  /** When a build last confirmed that the sources still give this snapshot. */
  readonly confirmedAt: string;
}

interface UnknownSnapshot {
  /** `none`: no snapshot to compare with, as expected. `unreadable`: there is one that cannot be read. */
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
    const kind = error.details.code === 'unknown-format' ? 'none' : 'unreadable';
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

/** Texts that mark the lines of `quarantine.ndjson` about prices; all others are not parsed. */
const PRICE_CODE_MARKS = ['"price-jump"', '"duplicate-deal"'] as const;

/** The snapshot to compare with, and its deals. */
export interface BaselineWithDeals {
  /** `unreadable` also when the deals cannot be read: prices must be compared with something. */
  readonly baseline: ServedSnapshot;
  readonly deals?: ServedDeals;
}

export function readBaseline(store: string, served: ServedSnapshot): BaselineWithDeals {
  if (served.kind !== 'known') return { baseline: served };
  try {
    return { baseline: served, deals: readServedDeals(store, served.manifest) };
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    return { baseline: { kind: 'unreadable', reason: error.message } };
  }
}

/**
 * Reads the deals of a snapshot, to compare a build with. Snapshots are held to their schemas before they are published.
 * @throws {SnapshotError} when a file is not what was published
 */
function readServedDeals(store: string, manifest: Manifest): ServedDeals {
  const lines = openSnapshotLines(store, manifest, ['product-origins.ndjson', 'quarantine.ndjson']);
  const dictionaries = readDictionaries(lines);
  const titleOf = ({ name, slug }: { readonly name: string; readonly slug: string }) => ({ name, slug });
  const productTitles = Array.from(
    parseLines<ProductLine>(lines('products.ndjson'), 'products.ndjson'),
    (product) => [recordKey(product), titleOf(product)] as const,
  );
  const products = productTitles.map(([key]) => key);
  const cmsProducts = new Map<string, string[]>();
  for (const origin of parseLines<ProductOriginLine>(lines('product-origins.ndjson'), 'product-origins.ndjson')) {
    const names = cmsProducts.get(origin.source);
    if (names === undefined) cmsProducts.set(origin.source, [recordKey(origin)]);
    else names.push(recordKey(origin));
  }
  const titles = {
    products: new Map(productTitles),
    networks: new Map(dictionaries.networks.map((network) => [network.id, titleOf(network)])),
    retailers: new Map(dictionaries.retailers.map((retailer) => [retailer.id, titleOf(retailer)])),
  };
  const served = new ServedDeals({ ...dictionaries, products }, cmsProducts, titles, manifest.counts.deals);
  for (const { deals, provenance } of readDealLines(lines)) {
    const { source, key } = provenance;
    for (const [i, name] of key.entries()) {
      served.append(source[i] as string, deals.retailer[i] as number, name, {
        product: deals.product,
        plan: deals.plan[i] as number,
        gift: deals.gift?.[i] ?? 0,
        cashback: deals.cashback?.[i] ?? 0,
        linkTemplate: deals.linkTemplate[i] as number,
        linkPart: deals.linkPart[i] as string,
        total: deals.totalPence[i] as number,
        upfront: deals.upfrontPence[i] as number,
        monthly: deals.monthlyPence[i] as number,
      });
    }
  }
  const excluded: Notice[] = [];
  for (const line of lines('quarantine.ndjson')) {
    if (PRICE_CODE_MARKS.some((code) => line.includes(code))) excluded.push(JSON.parse(line.toString()) as Notice);
  }
  served.addExcluded(excluded);
  return served;
}
