import fastGlob from 'fast-glob';
import { compareCodeUnits } from '../../data/record/id.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { SourceReport } from '../../data/report/report.ts';
import type { FieldCount } from '../../data/report/summary.ts';
import type { SourceError } from './errors.ts';
import { searchFolderOf, splitGlobs, type OnUnreadable } from './find-files.ts';

/** A source in the report, without its counts, which the ledger has. */
export interface SourceState extends Pick<
  SourceReport,
  'name' | 'kind' | 'adapter' | 'state' | 'freshAt' | 'heldBecause' | 'held' | 'files'
> {
  /** Without this source the build publishes nothing. */
  readonly required: boolean;
  /** How many of its records fill each field, if they were read. */
  readonly fields?: readonly FieldCount[];
}

/** The notice of a source without files; `folder` is that of the configuration. */
export async function missingSourceNotice(
  folder: string,
  source: { readonly name: string; readonly files: readonly string[] },
): Promise<Notice> {
  const others = await findUnmatchedFiles(folder, source);
  return {
    code: 'source-missing',
    source: source.name,
    expected: `a file that matches ${source.files.join(' or ')}`,
    ...(others.length === 0 ? {} : { found: others.join(', ') }),
  };
}

/** The notice of an unreadable folder that may have files of a source. */
export function unreadableFolderNotice(source: string, { path, code }: Parameters<OnUnreadable>[0]): Notice {
  return { code: 'unreadable-folder', source, file: path, found: code };
}

/** The notice of a source that cannot be read to its end; `found` is the whole sentence of the error. */
export function sourceErrorNotice({ code, source, file, line, message }: SourceError): Notice {
  return {
    code,
    source,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    found: message,
  };
}

const MAX_NAMED = 3;

/**
 * The files in the folders of a source that match none of its globs, such as `DEALS.CSV` with `*.csv`; for a source
 * without a file. The folder of the configuration is skipped, since it has other files.
 */
export async function findUnmatchedFiles(
  folder: string,
  { files }: { readonly files: readonly string[] },
): Promise<readonly string[]> {
  const { globs, ignored } = splitGlobs(files);
  const searched = new Set(globs.map(searchFolderOf));
  searched.delete('.');
  const patterns = [...searched].map((path) => `${fastGlob.escapePath(path)}/*`);
  try {
    const found = await fastGlob(patterns, { cwd: folder, ignore: ignored, onlyFiles: true });
    return found.toSorted(compareCodeUnits).slice(0, MAX_NAMED);
  } catch {
    // The folder cannot be read; the notice without names is enough.
    return [];
  }
}
