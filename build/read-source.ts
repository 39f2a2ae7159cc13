import { type DealRecord, productReferenceSchema } from '../data/record/deal.ts';
import type { Notice } from '../data/report/notice.ts';
import type { ManifestSource } from '../data/report/report.ts';
import type { UnpackedImages } from './cms/adapter.ts';
import { RecordCollector } from './cms/catalogue.ts';
import { ENTITY_TYPES } from './cms/fields.ts';
import { type FeedCollector, productNames } from './deals/collect-deals.ts';
import { DEALS_COLUMNS } from './feed/fields.ts';
import { type FeedDeal, parseDeal, type RawDeal } from './feed/parse-deal.ts';
import { findExceededLimit, type Ledger } from './ledger/ledger.ts';
import { type CmsSourceConfig, createCmsAdapter, createFeedAdapter, type FeedConfig } from './registry.ts';
import { hasLostCharacters } from './source/clean-text.ts';
import { SourceError, sourceMalformed } from './source/errors.ts';
import { findSourceFiles, type SourceFile } from './source/find-files.ts';
import { type FileDigest, HashedFile } from './source/open-file.ts';
import { type CmsReading, type CmsRecords, FieldCounts, type SourceState } from './source/record.ts';

const MEGABYTE = 1_000_000;

/** What reads a source. */
interface SourceReader {
  /** The files that match the globs, sorted by path. */
  readonly files: readonly SourceFile[];
  readonly open: (file: SourceFile) => HashedFile;
  readonly fields: FieldCounts;
}

/**
 * Reads a source by `read`. A source that cannot be read to its end leaves nothing in the ledger but the notices about it, and
 * has the state `failed`.
 *
 * @param folder the folder of the configuration
 */
async function readSource(
  kind: SourceState['kind'],
  source: CmsSourceConfig | FeedConfig,
  folder: string,
  ledger: Ledger,
  read: (reader: SourceReader) => Promise<void>,
): Promise<SourceState> {
  const { name, adapter, required, maxMegabytes } = source;
  const opened = new Map<string, HashedFile>();
  const open = (found: SourceFile): HashedFile => {
    const file = new HashedFile(found, maxMegabytes * MEGABYTE);
    // An archive is opened twice, but counts as one file.
    if (!opened.has(found.path)) opened.set(found.path, file);
    return file;
  };
  const fields = new FieldCounts();
  let state: SourceState['state'] = 'failed';
  ledger.account(name);
  try {
    const files = await findSourceFiles(folder, source, (notice) => ledger.note(notice));
    await read({ files, open, fields });
    state = files.length === 0 ? 'absent' : 'fresh';
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    ledger.discardSource(name);
    ledger.note(error.toNotice());
  }
  const files = [...opened.values()].flatMap((file) => file.digest ?? []);
  return { name, kind, adapter, required, state, files, fields: fields.list() };
}

/**
 * Reads every CMS source. The ledger gets each record as read, and those that the adapter excludes as excluded. The
 * caller keeps or excludes every record that it gets. `unpacked` gets the source images in archives, if they are rendered.
 */
export async function readCms(
  { cms, folder }: { readonly cms: readonly CmsSourceConfig[]; readonly folder: string },
  ledger: Ledger,
  unpacked?: UnpackedImages,
): Promise<CmsReading> {
  const parts: RecordCollector[] = [];
  const states: SourceState[] = [];
  for (const source of cms) {
    const state = await readSource('cms', source, folder, ledger, async ({ files, open, fields }) => {
      const collector = new RecordCollector(ledger, fields);
      const input = { source: source.name, folder, files, open, unpacked };
      if (files.length > 0) await createCmsAdapter(source)(input, collector);
      parts.push(collector);
    });
    states.push(state);
  }
  const lists = ENTITY_TYPES.map((list) => [list, parts.flatMap(({ records }): readonly unknown[] => records[list])]);
  return {
    records: Object.fromEntries(lists) as CmsRecords,
    excludedProducts: parts.flatMap(({ excludedProducts }) => excludedProducts),
    states,
  };
}

/** The sources in the manifest of the snapshot being served. */
export type PreviousSources = readonly ManifestSource[];

/** What feeds are read with, apart from their own settings. */
export interface FeedReader {
  /** The folder of the configuration. */
  readonly folder: string;
  readonly now: Date;
  readonly currency: string;
  readonly earlier?: PreviousSources;
  /** The time of an earlier night, not the last one, with a file of this hash. */
  readonly findEarlierNight?: (feed: string, sha256: string) => string | undefined;
  readonly ledger: Ledger;
}

/** What takes the deals of a feed. It keeps or excludes each in the ledger, and notes the `notices` of those that it keeps. */
export type DealTaker = Pick<FeedCollector, 'add' | 'cost' | 'productOf' | 'finish' | 'discard'>;

/**
 * Reads a feed into `taker`. The ledger gets every record as read, and those that the adapter excludes as excluded. A feed that
 * cannot be read to its end leaves nothing but its notices.
 *
 * @param onDeals called with some deals that were read together, when `taker` has them
 */
export async function readFeed(
  feed: FeedConfig,
  taker: DealTaker,
  reader: FeedReader,
  onDeals: (deals: readonly FeedDeal[]) => void = () => {},
): Promise<SourceState> {
  const { name } = feed;
  const { folder, now, currency, earlier, findEarlierNight, ledger } = reader;
  const read = createFeedAdapter(feed);
  const context = { ...feed, now, currency, note: ledger.note.bind(ledger) };
  const digests: FileDigest[] = [];
  let lostCount = 0;
  const state = await readSource('feed', feed, folder, ledger, async ({ files, open, fields }) => {
    for (const sourceFile of files) {
      const file = open(sourceFile);
      for await (const records of read(file, context)) {
        const deals: FeedDeal[] = [];
        ledger.read(name, records.length);
        for (const record of records) {
          if (!('notice' in record)) countFields(fields, record);
          const item = 'notice' in record ? record : parseDeal(record, context);
          if ('deal' in item) {
            if (hasLostText(item.deal)) lostCount++;
            taker.add(item);
            deals.push(item);
          } else {
            ledger.exclude({ ...item.notice, ...productFacts(item.product, taker) });
          }
        }
        onDeals(deals);
        const excess = findExceededLimit(ledger.account(name), taker.cost());
        if (excess === undefined) continue;
        const last = ledger.noticesOf(name).at(-1);
        const found = last === undefined ? '' : `; the last finding was ${last.code}`;
        throw sourceMalformed(file, last?.line, `${excess}${found}`);
      }
      if (file.digest === undefined) continue;
      digests.push({ ...file.digest, endsWithLineEnd: file.endsWithLineEnd });
      const night = findEarlierNight?.(name, file.digest.sha256);
      if (night === undefined) continue;
      const sentence = `expected a file of tonight, got that of ${night}; fetch the file again, or take it as it is with --accept old-file:${name}`;
      throw new SourceError('old-file', file, undefined, sentence);
    }
    const truncation = findTruncation(digests, ledger.account(name).read, findEarlier(name, earlier));
    if (truncation !== undefined) {
      throw sourceMalformed({ source: name, path: truncation.path }, undefined, truncation.sentence);
    }
    if (lostCount === 0) return;
    const found = `${name}: ${lostCount} ${lostCount === 1 ? 'deal has a text' : 'deals have texts'} with characters that were lost when the file was written; ask for it as UTF-8`;
    ledger.note({ code: 'mojibake', source: name, found });
  });
  if (state.state === 'failed') taker.discard();
  else taker.finish();
  return { ...state, files: digests };
}

/** The feed in the snapshot being served. One that is absent, or was not read, has nothing to compare. */
function findEarlier(feed: string, sources: PreviousSources = []): ManifestSource | undefined {
  return sources.find(
    ({ name, kind, state }) => name === feed && kind === 'feed' && (state === 'fresh' || state === 'carried-forward'),
  );
}

/**
 * The file of a feed that is cut short, and why (INPUTS "What must never go out"): it lacks the final line end that the
 * files of before had, or there is no record where the snapshot has deals.
 */
function findTruncation(
  files: readonly FileDigest[],
  readCount: number,
  earlier: ManifestSource | undefined,
): { readonly path: string; readonly sentence: string } | undefined {
  const [first] = files;
  if (earlier === undefined || first === undefined) return undefined;
  if (readCount === 0 && earlier.kept > 0) {
    const sentence = `expected records, since the snapshot being served has ${earlier.kept} deals of ${earlier.name}, got none; fetch the file again`;
    return { path: first.path, sentence };
  }
  const hadLineEnds =
    earlier.files.length > 0 && earlier.files.every(({ endsWithLineEnd }) => endsWithLineEnd === true);
  const open = hadLineEnds ? files.find(({ endsWithLineEnd }) => endsWithLineEnd === false) : undefined;
  const sentence = `expected a line end after the last line, as the files of before had, got none, so the file may break off; fetch it again, or end it with a line end if it is whole`;
  return open && { path: open.path, sentence };
}

/** Whether characters of a text for people are lost. */
function hasLostText({ contractName, product, gift, cashbackType }: DealRecord): boolean {
  return [contractName, product.name, gift, cashbackType].some(hasLostCharacters);
}

function countFields(counts: FieldCounts, { fields, places }: RawDeal): void {
  for (const field of DEALS_COLUMNS) counts.count(field, fields[field] !== undefined, places?.[field]);
}

function productFacts(product: object | undefined, taker: DealTaker): Pick<Notice, 'names' | 'product'> {
  const { success, data: reference } = productReferenceSchema.safeParse(product);
  if (!success) return {};
  const id = taker.productOf(reference);
  return { ...productNames(reference), ...(id !== undefined && { product: id }) };
}
