import type { Ledger } from '../ledger/ledger.ts';
import { findSourceFiles, type OnUnreadable } from '../source/find-files.ts';
import { openFile, type FileDigest, type HashedFile } from '../source/open-file.ts';
import { SourceError } from '../source/errors.ts';
import type { CmsRecords } from '../source/record.ts';
import type { CmsExport, UnpackedImages } from './cms/adapter.ts';
import { createCmsAdapter } from './registry.ts';
import { FieldCounts } from './deal/adapter.ts';
import {
  missingSourceNotice,
  sourceErrorNotice,
  unreadableFolderNotice,
  type SourceState,
} from '../source/source-state.ts';
import type { CmsSourceConfig } from './source-config.ts';

export interface CmsReading {
  readonly records: CmsRecords;
  /** One for each CMS source, in the order of the configuration. */
  readonly states: readonly SourceState[];
}

/**
 * Reads every CMS source. The ledger gets each record as read, and those that the adapter excludes as excluded. The
 * caller keeps or excludes every record that it gets. If one file of a source cannot be read, the source yields only a
 * notice and the state `failed`; the other sources go on. `unpacked` gets the source images in archives.
 */
export async function readCms(
  config: { readonly cms: readonly CmsSourceConfig[]; readonly folder: string },
  unpacked: UnpackedImages,
  ledger: Ledger,
): Promise<CmsReading> {
  const files: CmsExport[] = [];
  const states: SourceState[] = [];
  for (const source of config.cms) {
    const digests: FileDigest[] = [];
    const fields = new FieldCounts();
    const stateOf = (state: SourceState['state']): SourceState => {
      const { name, adapter, required } = source;
      return { name, kind: 'cms', adapter, required, state, files: digests, fields: fields.list() };
    };
    ledger.account(source.name);
    try {
      const sourceFiles = await readExports(config.folder, source, unpacked, digests, (unread) => {
        ledger.note(unreadableFolderNotice(source.name, unread));
      });
      recordInLedger(ledger, source.name, sourceFiles);
      files.push(...sourceFiles);
      for (const file of sourceFiles) fields.addAll(file.fields);
      if (sourceFiles.length === 0) ledger.note(await missingSourceNotice(config.folder, source));
      states.push(stateOf(sourceFiles.length === 0 ? 'absent' : 'fresh'));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      ledger.note(sourceErrorNotice(error));
      states.push(stateOf('failed'));
    }
  }
  return { records: mergeRecords(files.map(({ records }) => records)), states };
}

/** Reads all files before the ledger gets a record: one unreadable file discards the source. */
async function readExports(
  folder: string,
  source: CmsSourceConfig,
  unpacked: UnpackedImages,
  digests: FileDigest[],
  onUnreadable: OnUnreadable,
): Promise<readonly CmsExport[]> {
  const files = await findSourceFiles(folder, source, onUnreadable);
  if (files.length === 0) return [];
  const opened = new Map<string, HashedFile>();
  try {
    return await createCmsAdapter(source)({
      source: source.name,
      folder,
      files,
      open: (found) => {
        const file = openFile(found, source.maxBytes);
        // An archive is opened twice, but counts as one file.
        if (!opened.has(found.path)) opened.set(found.path, file);
        return file;
      },
      unpacked,
    });
  } finally {
    digests.push(...[...opened.values()].flatMap((file) => file.digest() ?? []));
  }
}

function recordInLedger(ledger: Ledger, source: string, files: readonly CmsExport[]): void {
  for (const { readCount, excluded, notices } of files) {
    ledger.read(source, readCount);
    for (const notice of excluded) ledger.exclude(notice);
    for (const notice of notices) ledger.note(notice);
  }
}

function mergeRecords(parts: readonly CmsRecords[]): CmsRecords {
  return {
    products: parts.flatMap((part) => part.products),
    giftCategories: parts.flatMap((part) => part.giftCategories),
    gifts: parts.flatMap((part) => part.gifts),
    networks: parts.flatMap((part) => part.networks),
    retailers: parts.flatMap((part) => part.retailers),
    manufacturers: parts.flatMap((part) => part.manufacturers),
  };
}
