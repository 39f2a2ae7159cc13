import { NOTICE_CODES, NOTICES, type Notice, type NoticeCode } from '../../data/report/notice.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { isLineStart, listFile, scanLines } from './snapshot-files.ts';

export const DEFAULT_RECORD_LIMIT = 100;
export const MAX_RECORD_LIMIT = 500;

/** Goes through this much of a file at a time, some tenths of a second: records of a rare code may be a gigabyte apart. */
const MAX_SCANNED_BYTES = 64 * 1024 * 1024;

export interface RecordsQuery {
  readonly code: NoticeCode;
  /** Only of this source. */
  readonly source?: string;
  readonly limit: number;
  /** The byte at which the file is gone on with. */
  readonly from: number;
}

export interface RecordsPage {
  readonly records: readonly Notice[];
  /** Where to go on; absent at the end. A page in the middle may have fewer records than asked for, or none. */
  readonly next?: number;
}

/** The records of a code: those that are served, and whole sources, are in a file of their own. */
function fileOf(code: NoticeCode): 'quarantine.ndjson' | 'notices.ndjson' {
  const { outcome } = NOTICES[code];
  return outcome === 'notice' || outcome === 'source' ? 'notices.ndjson' : 'quarantine.ndjson';
}

export function isNoticeCode(text: string): text is NoticeCode {
  return (NOTICE_CODES as readonly string[]).includes(text);
}

/** Whether a page of the code may begin at this byte. @throws {SnapshotError} as `scanLines` */
export function canBegin(store: string, manifest: Manifest, { code, from }: RecordsQuery): Promise<boolean> {
  return isLineStart(listFile(store, manifest, fileOf(code)), from);
}

/**
 * A page of the records of a code, in the order of the file.
 * @throws {SnapshotError} `unknown-snapshot` when the snapshot is no longer in the store, else what is wrong with the file
 */
export async function readRecords(
  store: string,
  manifest: Manifest,
  { code, source, limit, from }: RecordsQuery,
  signal: AbortSignal,
): Promise<RecordsPage> {
  const records: Notice[] = [];
  // Without it a line need not be taken apart; a text that holds it is told apart afterwards.
  const marks = [`"${code}"`, ...(source === undefined ? [] : [JSON.stringify(source)])].map((text) =>
    Buffer.from(text),
  );
  const take = (line: Buffer): boolean => {
    if (marks.every((mark) => line.includes(mark))) {
      const notice = JSON.parse(line.toString('utf8')) as Notice;
      if (notice.code === code && (source === undefined || notice.source === source)) records.push(notice);
    }
    return records.length < limit;
  };
  const options = { from, maxBytes: MAX_SCANNED_BYTES, signal };
  const next = await scanLines(listFile(store, manifest, fileOf(code)), options, take);
  return { records, ...(next === undefined ? {} : { next }) };
}
