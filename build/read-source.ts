import { productReferenceSchema, type ProductReference } from '../data/record/deal.ts';
import type { Notice, NoticeCode } from '../data/report/notice.ts';
import type { Ledger } from './ledger/ledger.ts';
import { findExceededLimit, type SourceCost } from './ledger/source-limits.ts';
import { SourceError } from './source/errors.ts';
import { findSourceFiles, type SourceFile } from './source/find-files.ts';
import { openFile, type FileDigest, type HashedFile } from './source/open-file.ts';
import type { CmsRecords, ReadResult } from './source/record.ts';
import {
  missingSourceNotice,
  sourceErrorNotice,
  unreadableFolderNotice,
  type SourceState,
} from './source/source-state.ts';
import type { UnpackedImages } from './cms/adapter.ts';
import { RecordCollector } from './cms/record-collector.ts';
import {
  countLostTexts,
  findTruncation,
  lostTextNotice,
  oldFileError,
  sourceRejected,
  type FeedDeal,
  type PreviousSources,
} from './feed/feed-checks.ts';
import { DEALS_COLUMNS } from './feed/fields.ts';
import { parseDeal } from './feed/parse-deal.ts';
import type { RawDeal } from './feed/raw-deal.ts';
import { FieldCounts } from './source/field-counts.ts';
import { createCmsAdapter, createFeedAdapter, type CmsSourceConfig, type FeedConfig } from './registry.ts';

const MEGABYTE = 1_000_000;

const MAX_NAME_LENGTH = 300;

const MALFORMED_CODES: ReadonlySet<NoticeCode> = new Set([
  'column-count',
  'malformed-record',
  'malformed-json',
  'missing-field',
  'malformed-field',
]);

export interface FeedReading {
  /**
   * The deals of all files, in batches, to be iterated once. Throws a SourceError when a file cannot be read to its
   * end: then the ledger has discarded the feed and noted the error, and the deals so far must not be served.
   */
  readonly deals: AsyncIterable<readonly FeedDeal[]>;
  /** The rows so far, and the bytes of the files as they are on the disk. */
  progress(): { readonly rows: number; readonly bytes: number };
  /** What became of the feed, once `deals` has ended or thrown. */
  state(): SourceState;
}

export interface FeedReadingOptions {
  readonly folder: string;
  readonly now: Date;
  readonly currency: string;
  readonly earlier?: PreviousSources;
  /** The time of an earlier night, not the last one, with a file of this hash. */
  readonly findEarlierNight?: (feed: string, sha256: string) => string | undefined;
  /** The product of an excluded record: `101/new`. */
  readonly productOf?: (reference: ProductReference) => string | undefined;
  /** The cost of the deals so far. */
  readonly costOf?: () => SourceCost;
}

const NO_COST: SourceCost = { lookups: 0, unknownNames: 0 };

/**
 * Reads a feed. The ledger gets every record as read, and those that the adapter excludes as excluded. The caller keeps
 * or excludes each deal, and notes its `notices` when it keeps it.
 */
export function readFeed(feed: FeedConfig, options: FeedReadingOptions, ledger: Ledger): FeedReading {
  const { name } = feed;
  const read = createFeedAdapter(feed);
  const files: FileDigest[] = [];
  const fields = new FieldCounts();
  let state: SourceState['state'] = 'failed';
  let opened: HashedFile | undefined;

  async function* readDeals(): AsyncGenerator<readonly FeedDeal[]> {
    ledger.account(name);
    let readCount = 0;
    let brokenCount = 0;
    let lostCount = 0;
    try {
      const found = await findSourceFiles(options.folder, feed, (unread) => {
        ledger.note(unreadableFolderNotice(name, unread));
      });
      if (found.length === 0) ledger.note(await missingSourceNotice(options.folder, feed));
      for (const sourceFile of found) {
        const file = openFile(sourceFile, feed.maxMegabytes * MEGABYTE);
        opened = file;
        const context = {
          missingAllowance: feed.missingAllowance,
          conditionWords: feed.conditionWords,
          now: options.now,
          currency: options.currency,
          note: ledger.note.bind(ledger),
        };
        for await (const records of read(file, context)) {
          const items = records.map((record) => {
            if ('notice' in record) return record;
            countFields(fields, record);
            return parseDeal(record, context);
          });
          const deals = enterBatch(ledger, name, items, options.productOf);
          lostCount += countLostTexts(deals);
          yield deals;
          readCount += items.length;
          brokenCount += items.filter(
            (item) => item.kind === 'excluded' && MALFORMED_CODES.has(item.notice.code),
          ).length;
          const excess = findExceededLimit(ledger.account(name), brokenCount, options.costOf?.() ?? NO_COST);
          if (excess !== undefined) throw sourceRejected(file, excess, ledger.noticesOf(name).at(-1));
        }
        const digest = file.digest();
        if (digest === undefined) continue;
        files.push({ ...digest, endsWithLineEnd: file.endsWithLineEnd() });
        const night = options.findEarlierNight?.(name, digest.sha256);
        if (night !== undefined) throw oldFileError(name, file.path, night);
      }
      const error = findTruncation(name, { files, readCount }, options.earlier);
      if (error !== undefined) throw error;
      if (lostCount > 0) ledger.note(lostTextNotice(name, lostCount));
      state = found.length === 0 ? 'absent' : 'fresh';
    } catch (error) {
      if (error instanceof SourceError) {
        ledger.discardSource(name);
        ledger.note(sourceErrorNotice(error));
      }
      throw error;
    }
  }

  return {
    deals: readDeals(),
    progress: () => ({
      rows: ledger.account(name).read,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, opened?.readBytes() ?? 0),
    }),
    state: () => stateOf('feed', feed, state, files, fields),
  };
}

function countFields(counts: FieldCounts, { fields, places }: RawDeal): void {
  for (const field of DEALS_COLUMNS) counts.count(field, fields[field] !== undefined, places?.names[field]);
}

/** Enters a batch in the ledger, except its deals: the caller decides on those. */
function enterBatch(
  ledger: Ledger,
  source: string,
  items: readonly ReadResult[],
  productOf: FeedReadingOptions['productOf'],
): readonly FeedDeal[] {
  ledger.read(source, items.length);
  const deals: FeedDeal[] = [];
  for (const item of items) {
    if (item.kind === 'deal') deals.push(item);
    else ledger.exclude({ ...item.notice, ...productFacts(item.product, productOf) });
  }
  return deals;
}

function productFacts(
  product: object | undefined,
  productOf: FeedReadingOptions['productOf'],
): Pick<Notice, 'names' | 'product'> {
  const { success, data: reference } = productReferenceSchema.safeParse(product);
  if (!success) return {};
  const id = productOf?.(reference);
  return { ...productNames(reference), ...(id === undefined ? {} : { product: id }) };
}

/** The name of the phone as the feed has it, for searches. */
export function productNames({ name }: ProductReference): Pick<Notice, 'names'> {
  return name === undefined ? {} : { names: [name.slice(0, MAX_NAME_LENGTH)] };
}

export interface CmsReading {
  readonly records: CmsRecords;
  /** One for each CMS source, in the order of the configuration. */
  readonly states: readonly SourceState[];
}

/**
 * Reads every CMS source. The ledger gets each record as read, and those that the adapter excludes as excluded. The
 * caller keeps or excludes every record that it gets. If one file of a source cannot be read, the source yields only a
 * notice and the state `failed`; the other sources go on. `unpacked` gets the source images in archives.
 */
export async function readCms(
  config: { readonly cms: readonly CmsSourceConfig[]; readonly folder: string },
  unpacked: UnpackedImages,
  ledger: Ledger,
): Promise<CmsReading> {
  const parts: CmsRecords[] = [];
  const states: SourceState[] = [];
  for (const source of config.cms) {
    const digests: FileDigest[] = [];
    // All files are read before the ledger gets a record: one unreadable file discards the source.
    const collector = new RecordCollector();
    let state: SourceState['state'] = 'failed';
    ledger.account(source.name);
    try {
      const files = await findSourceFiles(config.folder, source, (unread) => {
        ledger.note(unreadableFolderNotice(source.name, unread));
      });
      if (files.length > 0) await readExports(config.folder, source, files, unpacked, digests, collector);
      ledger.read(source.name, collector.readCount);
      for (const notice of collector.excluded) ledger.exclude(notice);
      for (const notice of collector.notices) ledger.note(notice);
      parts.push(collector.records);
      if (files.length === 0) ledger.note(await missingSourceNotice(config.folder, source));
      state = files.length === 0 ? 'absent' : 'fresh';
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      ledger.note(sourceErrorNotice(error));
    }
    states.push(stateOf('cms', source, state, digests, state === 'failed' ? new FieldCounts() : collector.fields));
  }
  return { records: mergeRecords(parts), states };
}

async function readExports(
  folder: string,
  source: CmsSourceConfig,
  files: readonly SourceFile[],
  unpacked: UnpackedImages,
  digests: FileDigest[],
  collector: RecordCollector,
): Promise<void> {
  const opened = new Map<string, HashedFile>();
  const open = (found: SourceFile): HashedFile => {
    const file = openFile(found, source.maxMegabytes * MEGABYTE);
    // An archive is opened twice, but counts as one file.
    if (!opened.has(found.path)) opened.set(found.path, file);
    return file;
  };
  try {
    await createCmsAdapter(source)({ source: source.name, folder, files, open, unpacked }, collector);
  } finally {
    digests.push(...[...opened.values()].flatMap((file) => file.digest() ?? []));
  }
}

function stateOf(
  kind: SourceState['kind'],
  { name, adapter, required }: CmsSourceConfig | FeedConfig,
  state: SourceState['state'],
  files: FileDigest[],
  fields: FieldCounts,
): SourceState {
  return { name, kind, adapter, required, state, files, fields: fields.list() };
}

function mergeRecords(parts: readonly CmsRecords[]): CmsRecords {
  return {
    products: parts.flatMap((part) => part.products),
    giftCategories: parts.flatMap((part) => part.giftCategories),
    gifts: parts.flatMap((part) => part.gifts),
    networks: parts.flatMap((part) => part.networks),
    retailers: parts.flatMap((part) => part.retailers),
    manufacturers: parts.flatMap((part) => part.manufacturers),
  };
}
