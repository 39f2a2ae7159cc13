import { compareCodeUnits } from '../../data/record/code-unit.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { NoticeSummary, SourceReport } from '../../data/report/report.ts';
import type { CmsRecords } from '../adapt/adapter.ts';
import { readCms } from '../adapt/read-cms.ts';
import { UnpackedOriginals } from '../adapt/unpacked-originals.ts';
import { readFeed } from '../adapt/read-feed.ts';
import type { SourceState } from '../adapt/source-state.ts';
import { Ledger } from '../catalogue/ledger.ts';
import type { BuildConfig } from '../config.ts';
import { reportSources, summariseNotices } from '../report/create-report.ts';
import { SourceError } from '../source/source-error.ts';
import type { CmsSourceConfig, FeedConfig } from '../adapt/source-config.ts';

/** A record as its adapter gives it to the build. */
interface CheckedRecord {
  /** `products`, `deals`, …: the list to which it belongs. */
  readonly list: string;
  readonly file: string;
  readonly line: number;
  readonly record: object;
}

/** What an adapter makes of a source, before anything is joined. */
export interface SourceCheck {
  /** `kept` are the records that the adapter gives; what the catalogue would say of them is not asked. */
  readonly source: SourceReport;
  /** How many records there are of each list. */
  readonly lists: Readonly<Record<string, number>>;
  readonly notices: readonly NoticeSummary[];
  /** The first of them, in the order of the source. */
  readonly records: readonly CheckedRecord[];
}

export interface CheckOptions {
  readonly config: Pick<BuildConfig, 'folder' | 'currency'>;
  /** The time by which validity is judged. */
  readonly now: Date;
  /** How many records to keep. */
  readonly maxRecords: number;
}

/** Reads one feed by its adapter. Nothing is written. */
export async function checkFeed(feed: FeedConfig, { config, now, maxRecords }: CheckOptions): Promise<SourceCheck> {
  const ledger = new Ledger();
  const reading = readFeed(feed, { folder: config.folder, now, currency: config.currency.code }, ledger);
  const records: CheckedRecord[] = [];
  const notices: Notice[] = [];
  let dealCount = 0;
  try {
    for await (const batch of reading.deals) {
      dealCount += batch.length;
      for (const { deal, origin, notices: own } of batch) {
        notices.push(...own);
        if (records.length < maxRecords)
          records.push({ list: 'deals', file: origin.file, line: origin.line, record: deal });
      }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // The ledger has withdrawn the feed: a build would serve none of it.
    return describe(reading.state(), ledger, {}, []);
  }
  ledger.keep(feed.name, dealCount);
  for (const notice of notices) ledger.note(notice);
  return describe(reading.state(), ledger, { deals: dealCount }, records);
}

/** Reads one CMS source by its adapter. Nothing is written. */
export async function checkCms(
  source: CmsSourceConfig,
  { config, maxRecords }: Omit<CheckOptions, 'now'>,
): Promise<SourceCheck> {
  const ledger = new Ledger();
  const unpacked = new UnpackedOriginals();
  const reading = await readAndRemove(source, config.folder, unpacked, ledger);
  const [state] = reading.states;
  if (state === undefined) throw new Error(`${source.name} was read and has no state`);
  const lists = Object.entries(reading.records) as [keyof CmsRecords, CmsRecords[keyof CmsRecords]][];
  const counts = Object.fromEntries(lists.map(([list, records]) => [list, records.length]));
  ledger.keep(
    source.name,
    lists.reduce((sum, [, records]) => sum + records.length, 0),
  );
  const records = lists.flatMap(([list, items]) =>
    items.slice(0, maxRecords).map(({ record, origin }) => ({ list, file: origin.file, line: origin.line, record })),
  );
  return describe(state, ledger, counts, records.slice(0, maxRecords));
}

/** What the source unpacks is needed only for pictures, and no picture is looked at. */
async function readAndRemove(
  source: CmsSourceConfig,
  folder: string,
  unpacked: UnpackedOriginals,
  ledger: Ledger,
): ReturnType<typeof readCms> {
  try {
    return await readCms({ cms: [source], folder }, unpacked, ledger);
  } finally {
    await unpacked.remove();
  }
}

function describe(
  state: SourceState,
  ledger: Ledger,
  lists: Readonly<Record<string, number>>,
  records: readonly CheckedRecord[],
): SourceCheck {
  ledger.check();
  const [source] = reportSources([state], ledger);
  if (source === undefined) throw new Error(`${state.name} has no account`);
  return {
    source,
    lists: Object.fromEntries(Object.entries(lists).filter(([, count]) => count > 0)),
    notices: summariseNotices(ledger.notices).toSorted((a, b) => b.count - a.count || compareCodeUnits(a.code, b.code)),
    records,
  };
}
