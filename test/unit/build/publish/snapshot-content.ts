import { compareSnapshots } from '../../../../build/changes/compare-snapshots.ts';
import { encodeSnapshot } from '../../../../build/encode/snapshot.ts';
import type { SnapshotContent } from '../../../../build/publish/publish.ts';
import type { CatalogueImages } from '../../../../build/records/images.ts';
import type { Catalogue } from '../../../../build/deals/catalogue-deals.ts';
import type { Notice } from '../../../../data/report/notice.ts';
import type { SnapshotFile } from '../../../../data/snapshot/format.ts';
import { createCatalogue, createNoPictures } from '../encode/example-catalogue.ts';

export function createContent(
  catalogue: Catalogue = createCatalogue(),
  pictures: CatalogueImages = createNoPictures(catalogue),
  notices: readonly Notice[] = [],
): SnapshotContent {
  return encodeSnapshot({
    catalogue,
    pictures,
    priceHistories: catalogue.records.products.map(() => '20666 0'),
    currency: { code: 'GBP', label: '£' },
    report: {
      sources: [],
      notices: [],
      unmatchedNames: [],
      withoutDeals: [],
      summary: { currency: 'GBP', cms: [], feeds: [], fields: [] },
    },
    notices,
  });
}

/** The lines of every file, as when there was nothing published before. */
export function listLines(content: SnapshotContent): Record<SnapshotFile, string[]> {
  const changes = { reason: 'nothing was published before', ...compareSnapshots(undefined, (file) => content[file]()) };
  const lines = Object.entries(content).map(([file, encode]) => [file, [...encode()]]);
  // A line list for every file of the content, and the one that is not in it.
  return { ...Object.fromEntries(lines), 'changes.json': [JSON.stringify(changes)] } as Record<SnapshotFile, string[]>;
}

/** Content that differs from that of every other number. */
export function createContentNumber(number: number): SnapshotContent {
  return {
    ...createContent(),
    'quarantine.ndjson': () => [`{"code":"duplicate-id","source":"site","line":${number}}`],
  };
}
