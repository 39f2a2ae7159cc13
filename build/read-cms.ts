import type { UnpackedImages } from './cms/adapter.ts';
import { RecordCollector } from './cms/record-collector.ts';
import { ENTITY_TYPES } from './cms/fields.ts';
import type { Ledger } from './ledger/ledger.ts';
import { readSource } from './read-source.ts';
import { createCmsAdapter, type CmsSourceConfig } from './registry.ts';
import type { CmsRecords, SourceState } from './source/record.ts';

export interface CmsReading {
  readonly records: CmsRecords;
  /** One for each CMS source, in the order of the configuration. */
  readonly states: readonly SourceState[];
}

/**
 * Reads every CMS source. The ledger gets each record as read, and those that the adapter excludes as excluded. The
 * caller keeps or excludes every record that it gets. `unpacked` gets the source images in archives.
 */
export async function readCms(
  { cms, folder }: { readonly cms: readonly CmsSourceConfig[]; readonly folder: string },
  unpacked: UnpackedImages,
  ledger: Ledger,
): Promise<CmsReading> {
  const parts: CmsRecords[] = [];
  const states: SourceState[] = [];
  for (const source of cms) {
    let records: CmsRecords | undefined;
    const state = await readSource('cms', source, folder, ledger, async ({ files, open, fields }) => {
      const collector = new RecordCollector(ledger, fields);
      const input = { source: source.name, folder, files, open, unpacked };
      if (files.length > 0) await createCmsAdapter(source)(input, collector);
      records = collector.records;
    });
    if (records !== undefined) parts.push(records);
    states.push(state);
  }
  const lists = ENTITY_TYPES.map((list) => [list, parts.flatMap((part): readonly unknown[] => part[list])]);
  return { records: Object.fromEntries(lists) as CmsRecords, states };
}
