import type { Notice } from '../../data/report/notice.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { FeedItem } from './adapter.ts';
import type { FieldCounts } from './field-counts.ts';
import type { BuildTime } from './validity.ts';

/** What an adapter must know beside the file. */
export interface FeedContext {
  /** The name of the feed in the configuration. */
  readonly source: string;
  readonly missingAllowance: 'quarantine' | 'unlimited';
  /** What words such as `Pristine` in a name mean where the feed states no condition. */
  readonly conditionWords: 'quarantine' | 'refurbished';
  /** The time of the build, by which validity is judged. */
  readonly time: BuildTime;
  /** The code of the catalogue's currency, `GBP`. */
  readonly currency: string;
  /** Counts what the records have in each field. */
  readonly fields: FieldCounts;
  /** Takes what concerns the whole file (`unknown-column`). */
  note(notice: Notice): void;
}

/**
 * Reads one file of a feed: one item for every record, in the order of the file, in batches of a size that suits the
 * reader. One faulty record yields one `left-out` item and costs no other.
 *
 * @throws {SourceError} when the file cannot be read to its end; what it has yielded until then must not be served.
 */
export type FeedAdapter = (file: OpenedFile, context: FeedContext) => AsyncIterable<readonly FeedItem[]>;
