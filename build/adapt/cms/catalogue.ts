import { sourceMalformed } from '../../source/errors.ts';
import { isJsonObject, readJson, type JsonObject } from '../../source/json.ts';
import { findNearestName } from '../../source/nearest-name.ts';
import type { OpenedFile } from '../../source/open-file.ts';
import { quote, showFound } from '../../source/quote.ts';
import { MAX_SUGGESTIONS } from '../../source/schema-errors.ts';
import { noticeAt, shownValue } from '../../feed/adapter.ts';
import { ENTITY_SCHEMAS, ENTITY_TYPES, type EntityType } from '../mapping/cms-fields.ts';
import type { CmsExport } from './adapter.ts';
import { describeUnknownKey, RecordCollector } from './collect-records.ts';

/** Our own CMS export: a JSON object with any of the lists of records. */
export async function readCatalogue(file: OpenedFile): Promise<CmsExport> {
  const lists = await readLists(file);
  const collector = new RecordCollector();
  noteUnknownKeys(file, lists, collector);
  for (const list of ENTITY_TYPES) {
    const values = (Object.hasOwn(lists, list) ? lists[list] : []) as readonly unknown[];
    for (const [index, value] of values.entries()) collectRecord(file, list, index + 1, value, collector);
  }
  return collector.finish();
}

async function readLists(file: OpenedFile): Promise<JsonObject> {
  const value = await readJson(file);
  if (!isJsonObject(value)) {
    const expected = `an object with any of ${ENTITY_TYPES.join(', ')}`;
    throw sourceMalformed(file, undefined, `expected ${expected}, got ${quote(value)}`);
  }
  for (const list of ENTITY_TYPES) {
    if (Object.hasOwn(value, list) && !Array.isArray(value[list]))
      throw sourceMalformed(file, undefined, `expected ${list} to be a list, got ${quote(value[list])}`);
  }
  return value;
}

function noteUnknownKeys(file: OpenedFile, lists: JsonObject, collector: RecordCollector): void {
  // $schema is the JSON Schema of the file, for editors.
  const isKnown = (key: string): boolean => key === '$schema' || (ENTITY_TYPES as readonly string[]).includes(key);
  for (const [i, key] of Object.keys(lists)
    .filter((each) => !isKnown(each))
    .entries()) {
    const suggestion = i < MAX_SUGGESTIONS ? findNearestName(key, ENTITY_TYPES) : undefined;
    collector.note({
      code: 'unknown-key',
      source: file.source,
      file: file.path,
      ...describeUnknownKey({ path: key, suggestion }),
    });
  }
}

function collectRecord(
  file: OpenedFile,
  list: EntityType,
  line: number,
  value: unknown,
  collector: RecordCollector,
): void {
  const origin = { source: file.source, file: file.path, line, list };
  if (!isJsonObject(value)) {
    const facts = { field: list, expected: 'an object', ...shownValue(value) };
    collector.exclude(noticeAt(origin, 'malformed-record', facts));
    return;
  }
  const { status } = value;
  if (typeof status === 'string' && status !== 'published' && 'status' in ENTITY_SCHEMAS[list].shape) {
    const isOtherwiseWritten = status.trim().toLowerCase() === 'published';
    const facts = {
      field: 'status',
      expected: isOtherwiseWritten ? 'published, in small letters and without spaces' : 'published',
      found: showFound(status),
      ...(isOtherwiseWritten ? { remedy: 'if it is published, write "published" exactly so' } : {}),
    };
    collector.addUnpublished(list, value, origin, facts);
  } else {
    collector.add(list, value, origin);
  }
}
