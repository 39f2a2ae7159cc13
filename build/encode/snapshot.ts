import { type Notice, NOTICES, noticeSchema } from '../../data/report/notice.ts';
import type { SnapshotReport } from '../../data/report/report.ts';
import type { Dictionaries } from '../../data/snapshot/format.ts';
import type { SnapshotContent } from '../publish/publish.ts';
import type { Catalogue } from '../records/catalogue.ts';
import type { CatalogueImages } from '../image/record-images.ts';
import { pick } from '../source/record.ts';
import { encodeDeals, encodeProvenance } from './deals.ts';
import {
  encodeDictionaries,
  encodeGiftCategories,
  encodeGifts,
  encodeProductOrigins,
  encodeProducts,
} from './records.ts';

const NOTICE_KEYS = Object.keys(noticeSchema.shape) as readonly (keyof Notice)[];

/** What a record that is not served has become: these are in `quarantine.ndjson`, all else is in `notices.ndjson`. */
const EXCLUDING_OUTCOMES: ReadonlySet<string> = new Set(['quarantined', 'out-of-scope', 'duplicate']);

/** The parts of a snapshot. */
export interface SnapshotParts {
  readonly catalogue: Catalogue;
  readonly pictures: CatalogueImages;
  /** By row of the product. */
  readonly priceHistories: readonly string[];
  readonly currency: Dictionaries['currency'];
  readonly report: SnapshotReport;
  readonly notices: readonly Notice[];
}

/**
 * The lines of every file of a snapshot, made one by one while they are written, so that a large catalogue is never in
 * memory as text. The same parts give the same bytes.
 */
export function encodeSnapshot({
  catalogue,
  pictures,
  priceHistories,
  currency,
  report,
  notices,
}: SnapshotParts): SnapshotContent {
  const ofNotices = (areExcluded: boolean) => () =>
    mapLines(
      notices.filter(({ code }) => EXCLUDING_OUTCOMES.has(NOTICES[code].outcome) === areExcluded),
      orderNotice,
    );
  return {
    'dictionaries.json': () => [encodeDictionaries(catalogue, pictures, currency)],
    'products.ndjson': () => encodeProducts(catalogue, pictures, priceHistories),
    'gifts.ndjson': () => encodeGifts(catalogue, pictures),
    'gift-categories.ndjson': () => encodeGiftCategories(catalogue, pictures),
    'pictures.ndjson': () => mapLines(pictures.pictures, (line) => pick(line, ['path', 'bytes', 'sha256'])),
    'deals.ndjson': () => encodeDeals(catalogue.deals),
    'product-origins.ndjson': () => encodeProductOrigins(catalogue),
    'provenance.ndjson': () => encodeProvenance(catalogue.deals),
    'quarantine.ndjson': ofNotices(true),
    'notices.ndjson': ofNotices(false),
    'report.json': () => [encodeReport(report)],
  };
}

function encodeReport(report: SnapshotReport): string {
  const { sources, notices, unmatchedNames, withoutDeals, summary } = report;
  const ordered = notices.map((each) => ({ ...each, samples: each.samples.map(orderNotice) }));
  return JSON.stringify({ sources, notices: ordered, unmatchedNames, withoutDeals, summary }, null, 2);
}

/** A notice with its keys in a fixed order. */
function orderNotice(notice: Notice): object {
  return pick(notice, NOTICE_KEYS);
}

function* mapLines<Value>(values: Iterable<Value>, toJson: (value: Value) => object): Generator<string> {
  for (const value of values) yield JSON.stringify(toJson(value));
}
