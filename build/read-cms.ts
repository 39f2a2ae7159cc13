import type { UnpackedImages } from './cms/adapter.ts';
import { RecordCollector } from './cms/record-collector.ts';
import { ENTITY_TYPES } from './cms/fields.ts';
import type { Ledger } from './ledger/ledger.ts';
import { createCmsAdapter, type CmsSourceConfig } from './registry.ts';
import { SourceError } from './source/errors.ts';
import { findSourceFiles, type SourceFile } from './source/find-files.ts';
import { HashedFile } from './source/open-file.ts';
import type { CmsRecords, SourceState } from './source/record.ts';

const MEGABYTE = 1_000_000;

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
  const parts: CmsRecords[] = [];
  const states: SourceState[] = [];
  for (const source of config.cms) {
    const { name, adapter, required } = source;
    const opened = new Map<string, HashedFile>();
    const open = (found: SourceFile): HashedFile => {
      const file = new HashedFile(found, source.maxMegabytes * MEGABYTE);
      // An archive is opened twice, but counts as one file.
      if (!opened.has(found.path)) opened.set(found.path, file);
      return file;
    };
    // All files are read before the ledger gets a record: one unreadable file discards the source.
    const collector = new RecordCollector();
    let state: SourceState['state'] = 'failed';
    ledger.account(name);
    try {
      const files = await findSourceFiles(config.folder, source, (notice) => ledger.note(notice));
      if (files.length > 0) {
        await createCmsAdapter(source)({ source: name, folder: config.folder, files, open, unpacked }, collector);
      }
      ledger.read(name, collector.readCount);
      for (const notice of collector.excluded) ledger.exclude(notice);
      for (const notice of collector.notices) ledger.note(notice);
      parts.push(collector.records);
      state = files.length === 0 ? 'absent' : 'fresh';
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      ledger.note(error.toNotice());
    }
    const fields = state === 'failed' ? [] : collector.fields.list();
    const files = [...opened.values()].flatMap((file) => file.digest ?? []);
    states.push({ name, kind: 'cms', adapter, required, state, files, fields });
  }
  const lists = ENTITY_TYPES.map((list) => [list, parts.flatMap((part): readonly unknown[] => part[list])]);
  return { records: Object.fromEntries(lists) as CmsRecords, states };
}
