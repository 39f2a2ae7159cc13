import { productReferenceSchema, type ProductReference } from '../../data/record/deal.ts';
import type { Notice, NoticeCode } from '../../data/report/notice.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { findExceededLimit, type SourceCost } from '../ledger/source-limits.ts';
import { hasLostCharacters } from '../source/clean-text.ts';
import { SourceError, sourceMalformed } from '../source/errors.ts';
import { findSourceFiles } from '../source/find-files.ts';
import { openFile, type FileDigest, type OpenedFile } from '../source/open-file.ts';
import type { ReadResult } from '../source/record.ts';
import {
  missingSourceNotice,
  sourceErrorNotice,
  unreadableFolderNotice,
  type SourceState,
} from '../source/source-state.ts';
import { FieldCounts } from './deal/adapter.ts';
import { BuildClock, type ValidityWindow } from './deal/dates.ts';
import { createFeedAdapter } from './registry.ts';
import type { FeedConfig } from './source-config.ts';

const MAX_NAME_LENGTH = 300;

const MALFORMED_CODES: ReadonlySet<NoticeCode> = new Set([
  'column-count',
  'malformed-record',
  'malformed-json',
  'missing-field',
  'malformed-field',
]);

/** A record of a feed that goes on to the catalogue. */
export type FeedDeal = Extract<ReadResult, { kind: 'deal' }>;

export interface FeedReading {
  /**
   * The deals of all files, in batches, to be iterated once. Throws a SourceError when a file cannot be read to its
   * end: then the ledger has discarded the feed and noted the error, and the deals so far must not be served.
   */
  readonly deals: AsyncIterable<readonly FeedDeal[]>;
  /** The times at which a build would read the same deals, once `deals` has ended. */
  validityWindow(): ValidityWindow;
  /** What became of the feed, once `deals` has ended or thrown. */
  state(): SourceState;
}

export interface FeedReadingOptions {
  readonly folder: string;
  readonly now: Date;
  readonly currency: string;
  readonly earlier?: PreviousSources;
  /** The product of an excluded record: `101/new`. */
  readonly productOf?: (reference: ProductReference) => string | undefined;
  /** The cost of the deals so far, without what the ledger holds. */
  readonly costOf?: () => SourceCost;
}

const NO_COST: SourceCost = { heldBytes: 0, lookups: 0, unknownNames: 0 };

/**
 * Reads a feed. The ledger gets every record as read, and those that the adapter excludes as excluded. The caller keeps
 * or excludes each deal, and notes its `notices` when it keeps it.
 */
export function readFeed(feed: FeedConfig, options: FeedReadingOptions, ledger: Ledger): FeedReading {
  const { name, adapter, required } = feed;
  const read = createFeedAdapter(feed);
  const files: FileDigest[] = [];
  const time = new BuildClock(options.now);
  const fields = new FieldCounts();
  let state: SourceState['state'] = 'failed';

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
        const file = openFile(sourceFile, feed.maxBytes);
        const context = {
          source: name,
          missingAllowance: feed.missingAllowance,
          conditionWords: feed.conditionWords,
          time,
          fields,
          currency: options.currency,
          note: ledger.note.bind(ledger),
        };
        for await (const items of read(file, context)) {
          const deals = recordInLedger(ledger, name, items, options.productOf);
          lostCount += countLostTexts(deals);
          yield deals;
          readCount += items.length;
          brokenCount += items.filter(
            (item) => item.kind === 'excluded' && MALFORMED_CODES.has(item.notice.code),
          ).length;
          const { heldBytes, ...cost } = options.costOf?.() ?? NO_COST;
          const total = { ...cost, heldBytes: heldBytes + ledger.heldBytes(name) };
          const excess = findExceededLimit(ledger.account(name), brokenCount, total);
          if (excess !== undefined) throw sourceRejected(file, excess, ledger.noticesOf(name).at(-1));
        }
        const digest = file.digest();
        if (digest !== undefined) files.push({ ...digest, endsWithLineEnd: file.endsWithLineEnd() });
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
    validityWindow: () => time.validityWindow,
    state: () => ({ name, kind: 'feed', adapter, required, state, files, fields: fields.list() }),
  };
}

/** The number of deals with a text for people in which characters are lost. */
function countLostTexts(deals: readonly FeedDeal[]): number {
  let count = 0;
  for (const { deal } of deals) {
    if (
      hasLostCharacters(deal.contractName) ||
      hasLostCharacters(deal.product.name) ||
      hasLostCharacters(deal.gift) ||
      hasLostCharacters(deal.cashbackType)
    ) {
      count++;
    }
  }
  return count;
}

function lostTextNotice(source: string, count: number): Notice {
  const found = `${source}: ${count} ${count === 1 ? 'deal has a text' : 'deals have texts'} with characters that were lost when the file was written; ask for it as UTF-8`;
  return { code: 'mojibake', source, found };
}

function sourceRejected(file: OpenedFile, excess: string, last: Notice | undefined): SourceError {
  const lastCode = last === undefined ? '' : `; the last finding was ${last.code}`;
  return sourceMalformed(file, last?.line, `${excess}${lastCode}`);
}

/** Enters a batch in the ledger, except its deals: the caller decides on those. */
function recordInLedger(
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

/** The sources in the manifest of the snapshot being served. */
export type PreviousSources = readonly ManifestSource[];

interface ReadFeed {
  readonly files: readonly FileDigest[];
  readonly readCount: number;
}

/**
 * The error of a feed that is cut short (INPUTS "What must never go out"): a file lacks the final line end that the
 * previous files had, or there is no record where the snapshot has deals.
 */
export function findTruncation(
  feed: string,
  { files, readCount }: ReadFeed,
  sources: PreviousSources = [],
): SourceError | undefined {
  const earlier = sources.find(({ name, kind }) => name === feed && kind === 'feed');
  // A feed that is absent, or was not read, has nothing to compare.
  const isKnown = earlier?.state === 'fresh' || earlier?.state === 'carried-forward';
  if (earlier === undefined || !isKnown || files.length === 0) return undefined;
  if (readCount === 0 && earlier.kept > 0) {
    const message = `${files[0]?.path}: expected records, since the snapshot being served has ${earlier.kept} deals of ${feed}, got none; fetch the file again`;
    return new SourceError({ code: 'source-malformed', source: feed, file: files[0]?.path, message });
  }
  const hadLineEnds =
    earlier.files.length > 0 && earlier.files.every(({ endsWithLineEnd }) => endsWithLineEnd === true);
  const open = hadLineEnds ? files.find(({ endsWithLineEnd }) => endsWithLineEnd === false) : undefined;
  if (open === undefined) return undefined;
  const message = `${open.path}: expected a line end after the last line, as the files of before had, got none, so the file may break off; fetch it again, or end it with a line end if it is whole`;
  return new SourceError({ code: 'source-malformed', source: feed, file: open.path, message });
}
