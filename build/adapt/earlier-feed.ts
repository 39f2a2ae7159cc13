import type { ManifestSource } from '../../data/report/report.ts';
import type { FileDigest } from '../source/open-file.ts';
import { SourceError } from '../source/source-error.ts';

/** The sources as the snapshot being served remembers them; none when nothing is known. */
export type EarlierSources = readonly ManifestSource[];

/** A feed that has been read to its end. */
interface ReadFeed {
  readonly files: readonly FileDigest[];
  readonly readCount: number;
}

/**
 * Why a feed is not what it was, if so (INPUTS "What must never go out"): a file ends without the line end that the files
 * of before had, or there is no record at all where there were deals.
 */
export function findBreak(
  feed: string,
  { files, readCount }: ReadFeed,
  sources: EarlierSources = [],
): SourceError | undefined {
  const earlier = sources.find(({ name, kind }) => name === feed && kind === 'feed');
  // Of a feed that is not there, or was not read, there is nothing to compare.
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
