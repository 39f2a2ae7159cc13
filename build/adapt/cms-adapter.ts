import type { Notice } from '../../data/report/notice.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { CmsRecords } from './adapter.ts';

/** What one file of a CMS export holds: `readCount` is the number of `records` and of `leftOut` together. */
export interface CmsFile {
  readonly records: CmsRecords;
  readonly readCount: number;
  /** One for every record that ends here, out of scope or quarantined. */
  readonly leftOut: readonly Notice[];
  /** Findings about the records that stay. */
  readonly notes: readonly Notice[];
}

/**
 * Reads one file of a CMS export. One faulty record costs no other.
 *
 * @throws {SourceError} when the file cannot be read to its end, or is not in the adapter's format.
 */
export type CmsAdapter = (file: OpenedFile) => Promise<CmsFile>;
