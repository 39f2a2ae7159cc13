import type { Notice } from '../../data/report/notice.ts';
import type { FieldCount } from '../../data/report/summary.ts';
import type { SourceReport } from '../../data/report/report.ts';
import type { OnUnreadable } from '../source/find-source-files.ts';
import { findUnmatchedFiles } from '../source/find-unmatched-files.ts';
import type { SourceError } from '../source/source-error.ts';

/** A source as the report shows it, apart from its counts, which are the ledger's. */
export interface SourceState extends Pick<
  SourceReport,
  'name' | 'kind' | 'adapter' | 'state' | 'freshAt' | 'heldBecause' | 'files'
> {
  /** The configuration says that the build makes no sense without it. */
  readonly required: boolean;
  /** What its records have in each field, where they were read. */
  readonly fields?: readonly FieldCount[];
}

/** The notice of a source that has no file; `folder` is that of the configuration. */
export async function missingNotice(
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

/** The notice of a folder in which files of a source may lie. */
export function folderNotice(source: string, { path, code }: Parameters<OnUnreadable>[0]): Notice {
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
