import type { Notice } from '../../data/report/notice.ts';
import type { FieldCount } from '../../data/report/summary.ts';
import type { SourceFile } from '../source/find-source-files.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { CmsRecords } from './adapter.ts';
import type { UnpackedOriginals } from './unpacked-originals.ts';

/** What a CMS export holds: `readCount` is the number of `records` and of `leftOut` together. */
export interface CmsFile {
  readonly records: CmsRecords;
  readonly readCount: number;
  /** One for every record that ends here, out of scope or quarantined. */
  readonly leftOut: readonly Notice[];
  /** What the checked records have in each field, by list and key: `products.specs`. */
  readonly fields: readonly FieldCount[];
  /** Findings about the records that stay, and about the export as a whole. */
  readonly notes: readonly Notice[];
}

/** The files of a CMS source, and what an adapter may do with them. */
export interface CmsInput {
  /** The name of the source in the configuration. */
  readonly source: string;
  /** The folder of the configuration. */
  readonly folder: string;
  /** What the globs of the source name, by code unit of their paths; at least one. */
  readonly files: readonly SourceFile[];
  /** Opens a file to be read once, named or found beside one that is; what has been read to its end is on record. */
  readonly open: (file: SourceFile) => OpenedFile;
  /** Takes the originals of pictures that no folder holds. */
  readonly unpacked: UnpackedOriginals;
}

/**
 * Reads a CMS source: one result for each export in it. One faulty record costs no other.
 *
 * @throws {SourceError} when a file cannot be read to its end, or is not in the adapter's format.
 */
export type CmsAdapter = (input: CmsInput) => Promise<readonly CmsFile[]>;
