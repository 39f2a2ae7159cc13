import type { Ledger } from './ledger/ledger.ts';
import { SourceError } from './source/errors.ts';
import { FieldCounts } from './source/field-counts.ts';
import { findSourceFiles, type SourceFile } from './source/find-files.ts';
import { HashedFile } from './source/open-file.ts';
import type { SourceState } from './source/record.ts';

const MEGABYTE = 1_000_000;

/** A source of the configuration. */
interface ConfiguredSource {
  readonly name: string;
  readonly adapter: string;
  readonly files: readonly string[];
  readonly required: boolean;
  readonly maxMegabytes: number;
}

/** What reads a source. */
interface SourceReader {
  /** The files that match the globs, sorted by path. */
  readonly files: readonly SourceFile[];
  readonly open: (file: SourceFile) => HashedFile;
  /** Takes how many records fill each field. */
  readonly fields: FieldCounts;
}

/**
 * Reads a source by `read`. A source that cannot be read to its end leaves nothing in the ledger but the notices about it, and
 * has the state `failed`.
 *
 * @param folder the folder of the configuration
 */
export async function readSource(
  kind: SourceState['kind'],
  source: ConfiguredSource,
  folder: string,
  ledger: Ledger,
  read: (reader: SourceReader) => Promise<void>,
): Promise<SourceState> {
  const { name, adapter, required, maxMegabytes } = source;
  const opened = new Map<string, HashedFile>();
  const open = (found: SourceFile): HashedFile => {
    const file = new HashedFile(found, maxMegabytes * MEGABYTE);
    // An archive is opened twice, but counts as one file.
    if (!opened.has(found.path)) opened.set(found.path, file);
    return file;
  };
  const fields = new FieldCounts();
  let state: SourceState['state'] = 'failed';
  ledger.account(name);
  try {
    const files = await findSourceFiles(folder, source, (notice) => ledger.note(notice));
    await read({ files, open, fields });
    state = files.length === 0 ? 'absent' : 'fresh';
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    ledger.discardSource(name);
    ledger.note(error.toNotice());
  }
  const files = [...opened.values()].flatMap((file) => file.digest ?? []);
  return { name, kind, adapter, required, state, files, fields: fields.list() };
}
