import { sourceMalformed } from '../source/errors.ts';
import { isJsonObject, readJson } from '../source/json.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { quote } from '../source/quote.ts';
import { dropUnknownKeys } from '../source/schema-errors.ts';
import { noticeAt, shownValue } from '../source/notice-at.ts';
import type { CmsAdapter } from './adapter.ts';
import { ENTITY_TYPES, LISTS_SCHEMA } from './fields.ts';
import { describeUnknownKey, type RecordCollector } from './record-collector.ts';

/** Our own CMS export: JSON objects with any of the lists of records. */
export const readCatalogue: CmsAdapter = async ({ files, open }, collector) => {
  for (const file of files) await readLists(open(file), collector);
};

async function readLists(file: OpenedFile, collector: RecordCollector): Promise<void> {
  const { source, path } = file;
  const lists = await readJson(file);
  if (!isJsonObject(lists)) {
    const expected = `an object with any of ${ENTITY_TYPES.join(', ')}`;
    throw sourceMalformed(file, undefined, `expected ${expected}, got ${quote(lists)}`);
  }
  for (const key of dropUnknownKeys(LISTS_SCHEMA, lists).unknown) {
    // The JSON Schema of the file, for editors.
    if (key.path === '$schema') continue;
    collector.note({ code: 'unknown-key', source, file: path, ...describeUnknownKey(key) });
  }
  for (const list of ENTITY_TYPES) {
    const values: unknown = Object.hasOwn(lists, list) ? lists[list] : [];
    if (!Array.isArray(values))
      throw sourceMalformed(file, undefined, `expected ${list} to be a list, got ${quote(values)}`);
    for (const [index, value] of values.entries()) {
      const origin = { source, file: path, line: index + 1, list };
      if (isJsonObject(value)) collector.add({ list, values: value, origin });
      else
        collector.exclude(
          noticeAt(origin, { code: 'malformed-record', field: list, expected: 'an object', ...shownValue(value) }),
        );
    }
  }
}
