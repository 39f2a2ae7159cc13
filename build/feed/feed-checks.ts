import type { DealRecord } from '../../data/record/deal.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import { hasLostCharacters } from '../source/clean-text.ts';
import { createSourceError, sourceMalformed, type SourceError } from '../source/errors.ts';
import type { FileDigest, OpenedFile } from '../source/open-file.ts';
import type { ReadResult } from '../source/record.ts';

/** A record of a feed that goes on to the catalogue. */
export type FeedDeal = Extract<ReadResult, { kind: 'deal' }>;

/** Whether characters of a text for people are lost. */
export function hasLostText({ contractName, product, gift, cashbackType }: DealRecord): boolean {
  return [contractName, product.name, gift, cashbackType].some(hasLostCharacters);
}

export function lostTextNotice(source: string, count: number): Notice {
  const found = `${source}: ${count} ${count === 1 ? 'deal has a text' : 'deals have texts'} with characters that were lost when the file was written; ask for it as UTF-8`;
  return { code: 'mojibake', source, found };
}

export function sourceRejected(file: OpenedFile, excess: string, last: Notice | undefined): SourceError {
  const lastCode = last === undefined ? '' : `; the last finding was ${last.code}`;
  return sourceMalformed(file, last?.line, `${excess}${lastCode}`);
}

/** The sources in the manifest of the snapshot being served. */
export type PreviousSources = readonly ManifestSource[];

/**
 * The error of a feed that is cut short (INPUTS "What must never go out"): a file lacks the final line end that the
 * previous files had, or there is no record where the snapshot has deals.
 */
export function findTruncation(
  feed: string,
  { files, readCount }: { readonly files: readonly FileDigest[]; readonly readCount: number },
  sources: PreviousSources = [],
): SourceError | undefined {
  const earlier = sources.find(({ name, kind }) => name === feed && kind === 'feed');
  const [first] = files;
  // A feed that is absent, or was not read, has nothing to compare.
  const isKnown = earlier?.state === 'fresh' || earlier?.state === 'carried-forward';
  if (earlier === undefined || !isKnown || first === undefined) return undefined;
  if (readCount === 0 && earlier.kept > 0) {
    const sentence = `expected records, since the snapshot being served has ${earlier.kept} deals of ${feed}, got none; fetch the file again`;
    return sourceMalformed({ source: feed, path: first.path }, undefined, sentence);
  }
  const hadLineEnds =
    earlier.files.length > 0 && earlier.files.every(({ endsWithLineEnd }) => endsWithLineEnd === true);
  const open = hadLineEnds ? files.find(({ endsWithLineEnd }) => endsWithLineEnd === false) : undefined;
  if (open === undefined) return undefined;
  const sentence = `expected a line end after the last line, as the files of before had, got none, so the file may break off; fetch it again, or end it with a line end if it is whole`;
  return sourceMalformed({ source: feed, path: open.path }, undefined, sentence);
}

/** The error of a file that is that of an earlier night (INPUTS "What must never go out"). */
export function oldFileError(feed: string, path: string, night: string): SourceError {
  const sentence = `expected a file of tonight, got that of ${night}; fetch the file again, or take it as it is with --accept old-file:${feed}`;
  return createSourceError('old-file', { source: feed, path }, undefined, sentence);
}
