import { NOTICE_CODES, NOTICES, type Notice, type NoticeCode } from '../../data/report/notice.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { isLineStart, listFile, scanLines } from './snapshot-files.ts';

export const DEFAULT_RECORD_LIMIT = 100;
export const MAX_RECORD_LIMIT = 500;

/** One request searches this much of a file: records of a rare code may be a gigabyte apart. */
const MAX_SCANNED_BYTES = 64 * 1024 * 1024;

export interface RecordsQuery {
  readonly code: NoticeCode;
  /** Only of this source. */
  readonly source?: string;
  readonly limit: number;
  /** The byte at which the page starts. */
  readonly from: number;
}

export interface RecordsPage {
  readonly records: readonly Notice[];
  /** The start of the next page; absent at the end. A page may have fewer records than its limit, or none. */
  readonly next?: number;
}

/** Notices on served records and on whole sources have their own file. */
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
  // A line without these texts need not be parsed.
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
