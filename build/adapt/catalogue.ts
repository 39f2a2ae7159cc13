import type { z } from 'zod';
import { findNearestWord } from '../../data/query/nearest-word.ts';
import { giftCategoryRecordSchema, giftRecordSchema, productRecordSchema } from '../../data/record/product.ts';
import { manufacturerRecordSchema, networkRecordSchema, retailerRecordSchema } from '../../data/record/supplier.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { quote, showFound } from '../source/quote.ts';
import { readJson } from '../source/read-json.ts';
import { describeSchemaIssue } from '../source/schema-fault.ts';
import { dropUnknownKeys, type UnknownKey } from '../source/schema-keys.ts';
import { SourceError } from '../source/source-error.ts';
import type { CmsRecords, Sourced } from './adapter.ts';
import type { CmsFile } from './cms-adapter.ts';
import { faultNotice, noticeAt, type RecordPlace } from './notice-place.ts';

const LISTS = ['products', 'giftCategories', 'gifts', 'networks', 'retailers', 'manufacturers'] as const;

type JsonObject = Readonly<Record<string, unknown>>;

/** What has been read of a file so far. */
interface Findings {
  readCount: number;
  readonly leftOut: Notice[];
  readonly notes: Notice[];
}

/** Our own CMS export: a JSON object with any of the lists of records. */
export async function readCatalogue(file: OpenedFile): Promise<CmsFile> {
  const lists = await readLists(file);
  const findings: Findings = { readCount: 0, leftOut: [], notes: noteUnknownLists(file, lists) };
  const read = <Schema extends z.ZodType>(
    list: (typeof LISTS)[number],
    schema: Schema,
    nameOf: (record: JsonObject) => string | undefined,
  ): Sourced<z.infer<Schema>>[] => readRecords(file, lists, list, schema, nameOf, findings);

  const records: CmsRecords = {
    products: read('products', productRecordSchema, nameOfProduct),
    giftCategories: read('giftCategories', giftCategoryRecordSchema, nameOfRecord),
    gifts: read('gifts', giftRecordSchema, nameOfRecord),
    networks: read('networks', networkRecordSchema, nameOfRecord),
    retailers: read('retailers', retailerRecordSchema, nameOfRecord),
    manufacturers: read('manufacturers', manufacturerRecordSchema, nameOfRecord),
  };
  return { records, ...findings };
}

async function readLists(file: OpenedFile): Promise<JsonObject> {
  const value = await readJson(file);
  if (!isJsonObject(value)) throw malformed(file, `an object with any of ${LISTS.join(', ')}`, value);
  for (const list of LISTS) {
    if (Object.hasOwn(value, list) && !Array.isArray(value[list]))
      throw malformed(file, `${list} to be a list`, value[list]);
  }
  return value;
}

function noteUnknownLists(file: OpenedFile, lists: JsonObject): Notice[] {
  return Object.keys(lists)
    .filter((key) => !(LISTS as readonly string[]).includes(key))
    .map((key) => ({
      code: 'unknown-key',
      source: file.source,
      file: file.path,
      ...describeUnknownKey({ path: key, suggestion: findNearestWord(key, LISTS) }),
    }));
}

function readRecords<Schema extends z.ZodType>(
  file: OpenedFile,
  lists: JsonObject,
  list: (typeof LISTS)[number],
  schema: Schema,
  nameOf: (record: JsonObject) => string | undefined,
  findings: Findings,
): Sourced<z.infer<Schema>>[] {
  const kept: Sourced<z.infer<Schema>>[] = [];
  const values = (Object.hasOwn(lists, list) ? lists[list] : []) as readonly unknown[];
  for (const [index, value] of values.entries()) {
    findings.readCount++;
    const origin = { source: file.source, file: file.path, line: index + 1 };
    if (!isJsonObject(value)) {
      const facts = { field: list, expected: 'an object', found: showFound(value) };
      findings.leftOut.push(noticeAt(origin, 'malformed-record', facts));
      continue;
    }
    const place = { ...origin, record: nameOf(value) };
    const { status } = value;
    if (typeof status === 'string' && status !== 'published' && 'status' in shapeOf(schema)) {
      // Before the check of the schema: a draft may well be unfinished.
      const facts = { field: 'status', expected: 'published', found: showFound(status) };
      findings.leftOut.push(noticeAt(place, 'unpublished', facts));
      continue;
    }
    const { value: known, unknown } = dropUnknownKeys(schema, value);
    const parsed = schema.safeParse(known, { reportInput: true });
    if (parsed.success) {
      kept.push({ record: parsed.data, origin });
      findings.notes.push(...unknown.map((key) => noticeAt(place, 'unknown-key', describeUnknownKey(key))));
    } else {
      findings.leftOut.push(describeFaults(place, parsed.error.issues));
    }
  }
  return kept;
}

function shapeOf(schema: z.ZodType): object {
  return 'shape' in schema ? (schema.shape as object) : {};
}

function describeFaults(place: RecordPlace, issues: readonly z.core.$ZodIssue[]): Notice {
  const [first, ...others] = issues.map(describeSchemaIssue);
  if (first === undefined) throw new Error(`${place.file}:${place.line} was refused without a reason`);
  return faultNotice(place, first, others);
}

function describeUnknownKey({ path, suggestion }: UnknownKey): Pick<Notice, 'field' | 'expected' | 'remedy'> {
  return {
    field: path.slice(0, 200),
    ...(suggestion !== undefined && {
      expected: `perhaps ${suggestion}`,
      remedy: `if it should be read, call it ${quote(suggestion)}`,
    }),
  };
}

/** A product is its id and its condition. */
function nameOfProduct({ id, condition }: JsonObject): string | undefined {
  if (id === undefined) return undefined;
  return typeof condition === 'string' ? `${showFound(id)}/${showFound(condition)}` : showFound(id);
}

function nameOfRecord({ id, slug }: JsonObject): string | undefined {
  const name = id ?? slug;
  return name === undefined ? undefined : showFound(name);
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(file: OpenedFile, expected: string, found: unknown): SourceError {
  return new SourceError({
    code: 'source-malformed',
    source: file.source,
    file: file.path,
    message: `${file.path}: expected ${expected}, got ${quote(found)}`,
  });
}
