import type { Catalogue } from '../../../build/catalogue/catalogue.ts';
import { encodeSnapshot } from '../../../build/encode/encode-snapshot.ts';
import type { SnapshotContent } from '../../../build/publish/publish-snapshot.ts';
import { createCatalogue, createNoPictures } from '../encode/example-catalogue.ts';

export function createContent(catalogue: Catalogue = createCatalogue()): SnapshotContent {
  return encodeSnapshot({
    catalogue,
    pictures: createNoPictures(catalogue),
    currency: { code: 'GBP', label: '£' },
    report: { sources: [], notices: [], unmatchedNames: [], gates: [] },
    leftOut: [],
  });
}

/** Content that differs from that of every other number. */
export function createContentNumber(number: number): SnapshotContent {
  return {
    ...createContent(),
    'quarantine.ndjson': () => [`{"code":"duplicate-id","source":"site","line":${number}}`],
  };
}
