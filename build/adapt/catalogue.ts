import { findNearestName } from '../source/nearest-name.ts';
import { MAX_SUGGESTIONS } from '../source/schema-keys.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { quote, showFound } from '../source/quote.ts';
import { readJson } from '../source/read-json.ts';
import { SourceError } from '../source/source-error.ts';
import type { CmsFile } from './cms-adapter.ts';
import { foundFacts, noticeAt } from './notice-place.ts';
import { describeUnknownKey, isJsonObject, RecordCollector, type JsonObject } from './record-collector.ts';
import { RECORD_LISTS, RECORD_SCHEMAS, type RecordList } from './record-list.ts';

/** Our own CMS export: a JSON object with any of the lists of records. */
export async function readCatalogue(file: OpenedFile): Promise<CmsFile> {
  const lists = await readLists(file);
  const collector = new RecordCollector();
  noteUnknownLists(file, lists, collector);
  for (const list of RECORD_LISTS) {
    const values = (Object.hasOwn(lists, list) ? lists[list] : []) as readonly unknown[];
    for (const [index, value] of values.entries()) collect(file, list, index + 1, value, collector);
  }
  return collector.finish();
}

async function readLists(file: OpenedFile): Promise<JsonObject> {
  const value = await readJson(file);
  if (!isJsonObject(value)) throw malformed(file, `an object with any of ${RECORD_LISTS.join(', ')}`, value);
  for (const list of RECORD_LISTS) {
    if (Object.hasOwn(value, list) && !Array.isArray(value[list]))
      throw malformed(file, `${list} to be a list`, value[list]);
  }
  return value;
}

function noteUnknownLists(file: OpenedFile, lists: JsonObject, collector: RecordCollector): void {
  // $schema is the JSON Schema of the file, for editors.
  const isKnown = (key: string): boolean => key === '$schema' || (RECORD_LISTS as readonly string[]).includes(key);
  for (const [i, key] of Object.keys(lists)
    .filter((each) => !isKnown(each))
    .entries()) {
    const suggestion = i < MAX_SUGGESTIONS ? findNearestName(key, RECORD_LISTS) : undefined;
    collector.note({
      code: 'unknown-key',
      source: file.source,
      file: file.path,
      ...describeUnknownKey({ path: key, suggestion }),
    });
  }
}

function collect(file: OpenedFile, list: RecordList, line: number, value: unknown, collector: RecordCollector): void {
  const origin = { source: file.source, file: file.path, line, list };
  if (!isJsonObject(value)) {
    const facts = { field: list, expected: 'an object', ...foundFacts(value) };
    collector.leaveOut(noticeAt(origin, 'malformed-record', facts));
    return;
  }
  const { status } = value;
  if (typeof status === 'string' && status !== 'published' && 'status' in RECORD_SCHEMAS[list].shape) {
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

function malformed(file: OpenedFile, expected: string, found: unknown): SourceError {
  return new SourceError({
    code: 'source-malformed',
    source: file.source,
    file: file.path,
    message: `${file.path}: expected ${expected}, got ${quote(found)}`,
  });
}
