import { productReferenceSchema, type ProductReference } from '../../data/record/deal.ts';
import type { Notice, NoticeCode } from '../../data/report/notice.ts';
import type { Ledger } from '../catalogue/ledger.ts';
import { findSourceFiles } from '../source/find-source-files.ts';
import { openFile, type FileDigest, type OpenedFile } from '../source/open-file.ts';
import { SourceError } from '../source/source-error.ts';
import type { FeedItem } from './adapter.ts';
import { createFeedAdapter } from './create-feed-adapter.ts';
import { findBreak, type EarlierSources } from './earlier-feed.ts';
import { FieldCounts } from './field-counts.ts';
import { hasLostCharacters } from './repair-text.ts';
import { findExcess, type SourceCost } from './source-share.ts';
import { folderNotice, missingNotice, sourceErrorNotice, type SourceState } from './source-state.ts';
import { BuildTime, type Era } from './validity.ts';
import type { FeedConfig } from './source-config.ts';

/** As long as a name in a notice may be. */
const MAX_NAME_LENGTH = 300;

const BROKEN: ReadonlySet<NoticeCode> = new Set([
  'column-count',
  'malformed-record',
  'malformed-json',
  'missing-field',
  'malformed-field',
]);

/** A record of a feed that goes on to the catalogue. */
export type FeedDeal = Extract<FeedItem, { kind: 'deal' }>;

export interface FeedReading {
  /**
   * The deals of all files, in batches, to be iterated once. Throws a SourceError when a file cannot be read to its
   * end: then the ledger has withdrawn the feed and noted the error, and the deals so far must not be served.
   */
  readonly deals: AsyncIterable<readonly FeedDeal[]>;
  /** When the files would be read alike, once `deals` has ended. */
  era(): Era;
  /** What became of the feed, once `deals` has ended or thrown. */
  state(): SourceState;
}

export interface FeedReadingOptions {
  /** The folder of the configuration. */
  readonly folder: string;
  readonly now: Date;
  /** The code of the catalogue's currency. */
  readonly currency: string;
  readonly earlier?: EarlierSources;
  /** The product that a record means which its adapter leaves out: `101/new`. */
  readonly productOf?: (reference: ProductReference) => string | undefined;
  /** What has been made of the deals so far, beside what the ledger holds. */
  readonly costOf?: () => SourceCost;
}

const NO_COST: SourceCost = { heldBytes: 0, lookups: 0, unknownNames: 0 };

/**
 * Reads a feed. Every record is entered in the ledger as read, and those that the adapter leaves out as left out; it is
 * for the caller to keep or leave out each deal, and to note its `notices` when it is kept.
 */
export function readFeed(feed: FeedConfig, options: FeedReadingOptions, ledger: Ledger): FeedReading {
  const { name, adapter, required } = feed;
  const read = createFeedAdapter(feed);
  const files: FileDigest[] = [];
  const time = new BuildTime(options.now);
  const fields = new FieldCounts();
  let state: SourceState['state'] = 'failed';

  async function* readDeals(): AsyncGenerator<readonly FeedDeal[]> {
    ledger.account(name);
    let readCount = 0;
    let brokenCount = 0;
    let lostCount = 0;
    try {
      const found = await findSourceFiles(options.folder, feed, (unread) => {
        ledger.note(folderNotice(name, unread));
      });
      if (found.length === 0) ledger.note(await missingNotice(options.folder, feed));
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
          const deals = enter(ledger, name, items, options.productOf);
          lostCount += countLost(deals);
          yield deals;
          readCount += items.length;
          brokenCount += items.filter((item) => item.kind === 'left-out' && BROKEN.has(item.notice.code)).length;
          const { heldBytes, ...cost } = options.costOf?.() ?? NO_COST;
          const total = { ...cost, heldBytes: heldBytes + ledger.heldBytes(name) };
          const excess = findExcess(ledger.account(name), brokenCount, total);
          if (excess !== undefined) throw givenUp(file, excess, ledger.noticesOf(name).at(-1));
        }
        const digest = file.digest();
        if (digest !== undefined) files.push({ ...digest, endsWithLineEnd: file.endsWithLineEnd() });
      }
      const fault = findBreak(name, { files, readCount }, options.earlier);
      if (fault !== undefined) throw fault;
      if (lostCount > 0) ledger.note(describeLost(name, lostCount));
      state = found.length === 0 ? 'absent' : 'fresh';
    } catch (error) {
      if (error instanceof SourceError) {
        ledger.withdraw(name);
        ledger.note(sourceErrorNotice(error));
      }
      throw error;
    }
  }

  return {
    deals: readDeals(),
    era: () => time.era,
    state: () => ({ name, kind: 'feed', adapter, required, state, files, fields: fields.list() }),
  };
}

/** How many deals have a text that people read in which characters are lost. */
function countLost(deals: readonly FeedDeal[]): number {
  let count = 0;
  for (const { deal } of deals) {
    const texts = [deal.contractName, deal.product.name ?? '', deal.gift ?? '', deal.cashbackType ?? ''];
    if (texts.some(hasLostCharacters)) count++;
  }
  return count;
}

function describeLost(source: string, count: number): Notice {
  const found = `${source}: ${count} ${count === 1 ? 'deal has a text' : 'deals have texts'} with characters that were lost when the file was written; ask for it as UTF-8`;
  return { code: 'mojibake', source, found };
}

function givenUp(file: OpenedFile, excess: string, last: Notice | undefined): SourceError {
  const line = last?.line;
  const place = line === undefined ? file.path : `${file.path}:${line}`;
  return new SourceError({
    code: 'source-malformed',
    source: file.source,
    file: file.path,
    line,
    message: `${place}: ${excess}${last === undefined ? '' : `; the last finding was ${last.code}`}`,
  });
}

/** Enters a batch in the ledger; the deals of it are still open. */
function enter(
  ledger: Ledger,
  source: string,
  items: readonly FeedItem[],
  productOf: FeedReadingOptions['productOf'],
): readonly FeedDeal[] {
  ledger.read(source, items.length);
  const deals: FeedDeal[] = [];
  for (const item of items) {
    if (item.kind === 'deal') deals.push(item);
    else ledger.leaveOut({ ...item.notice, ...describeProduct(item.product, productOf) });
  }
  return deals;
}

function describeProduct(
  draft: object | undefined,
  productOf: FeedReadingOptions['productOf'],
): Pick<Notice, 'names' | 'product'> {
  const { success, data: reference } = productReferenceSchema.safeParse(draft);
  if (!success) return {};
  const product = productOf?.(reference);
  return { ...namesOf(reference), ...(product === undefined ? {} : { product }) };
}

/** What the feed calls the phone of a deal, for those who look for it by that. */
export function namesOf({ name }: ProductReference): Pick<Notice, 'names'> {
  return name === undefined ? {} : { names: [name.slice(0, MAX_NAME_LENGTH)] };
}
