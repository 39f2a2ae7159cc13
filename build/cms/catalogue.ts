import type { z } from 'zod';
import type { Notice } from '../../data/report/notice.ts';
import type { Ledger, NoticeDetails } from '../ledger/ledger.ts';
import {
  fieldErrorNotice,
  noticeAt,
  shownValue,
  sourceMalformed,
  toFieldError,
  type RecordLocation,
} from '../source/errors.ts';
import { isJsonObject, readJson, type JsonObject } from '../source/json.ts';
import { findNearestName, unreadName } from '../source/nearest-name.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { quote, showFound } from '../source/quote.ts';
import type { ExcludedProduct, FieldCounts, Sourced, SourceLocation } from '../source/record.ts';
import type { CmsAdapter } from './adapter.ts';
import { ENTITY_SCHEMAS, ENTITY_TYPES, membersOf, type EntityType } from './fields.ts';

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
  // Editors find the JSON Schema of the file by `$schema`.
  const known: readonly string[] = ['$schema', ...ENTITY_TYPES];
  for (const key of Object.keys(lists).filter((each) => !known.includes(each))) {
    collector.note({ code: 'unknown-key', source, file: path, ...unreadName(key, findNearestName(key, ENTITY_TYPES)) });
  }
  for (const list of ENTITY_TYPES) {
    const values: unknown = Object.hasOwn(lists, list) ? lists[list] : [];
    if (!Array.isArray(values))
      throw sourceMalformed(file, undefined, `expected ${list} to be a list, got ${quote(values)}`);
    for (const [index, value] of values.entries()) {
      const origin = { source, file: path, line: index + 1, list };
      const facts = { code: 'malformed-record', field: list, expected: 'an object' } as const;
      if (isJsonObject(value)) collector.add({ list, values: value, origin });
      else collector.exclude(noticeAt(origin, { ...facts, ...shownValue(value) }));
    }
  }
}

/** A record of a CMS: texts and lists of texts under our names, with file and line. */
export interface RawRecord {
  readonly list: EntityType;
  readonly values: JsonObject;
  readonly origin: SourceLocation;
  /** Why it is not published; such a record is not checked, since it may be unfinished. */
  readonly unpublished?: Omit<NoticeDetails, 'code'> | undefined;
  /** Notices to add only if the record is valid. */
  readonly notices?: readonly NoticeDetails[];
  /** The remedy for an error of `field`, where the adapter knows a better one than the notice code has. */
  remedyOf?(field: string): string;
}

/** Checks the records of a CMS source. Each one becomes exactly one record, or one notice that excludes it in the ledger. */
export class RecordCollector {
  readonly records: { readonly [List in EntityType]: Sourced<z.infer<(typeof ENTITY_SCHEMAS)[List]>>[] } = {
    products: [],
    giftCategories: [],
    gifts: [],
    networks: [],
    retailers: [],
    manufacturers: [],
  };
  readonly excludedProducts: ExcludedProduct[] = [];
  readonly #ledger: Ledger;
  readonly #fields: FieldCounts;

  /** @param fields takes how many checked records fill each field, by list and key: `products.specs` */
  constructor(ledger: Ledger, fields: FieldCounts) {
    this.#ledger = ledger;
    this.#fields = fields;
  }

  /** Adds a notice about the export. */
  note(notice: Notice): void {
    this.#ledger.note(notice);
  }

  /** Excludes a record that is out of scope or quarantined. */
  exclude(notice: Notice): void {
    this.#ledger.read(notice.source);
    this.#ledger.exclude(notice);
  }

  add({ list, values, origin, notices = [], ...raw }: RawRecord): void {
    const schema: z.ZodType = ENTITY_SCHEMAS[list];
    const records: Sourced<unknown>[] = this.records[list];
    const location = locateRecord(list, values, origin);
    const excluded = { ...location, names: namesOf(values) };
    const unpublished = raw.unpublished ?? unpublishedStatus(list, values);
    if (unpublished !== undefined) {
      return this.#excludeRecord(list, values, noticeAt(excluded, { code: 'unpublished', ...unpublished }));
    }
    const unknown: UnknownKey[] = [];
    const known = dropUnknownKeys(schema, values, unknown) as JsonObject;
    for (const key of Object.keys(ENTITY_SCHEMAS[list].shape)) {
      this.#fields.count(`${list}.${key}`, isFilled(known[key]));
    }
    for (const { path, suggestion } of unknown)
      this.note(noticeAt(location, { code: 'unknown-key', ...unreadName(path, suggestion) }));
    const parsed = schema.safeParse(known, { reportInput: true });
    if (!parsed.success) {
      const [first, ...others] = parsed.error.issues.map(toFieldError);
      if (first === undefined) throw parsed.error;
      return this.#excludeRecord(list, values, fieldErrorNotice(excluded, first, others, raw.remedyOf?.(first.path)));
    }
    this.#ledger.read(origin.source);
    records.push({ record: parsed.data, origin });
    for (const details of notices) this.note(noticeAt(location, details));
  }

  #excludeRecord(list: EntityType, { id, condition, name, matches }: JsonObject, notice: Notice): void {
    this.exclude(notice);
    const { record, file, code } = notice;
    if (list !== 'products' || record === undefined) return;
    const { shape } = ENTITY_SCHEMAS.products;
    this.excludedProducts.push({
      key: record,
      id: showFound(id),
      condition: shape.condition.safeParse(condition).data,
      name: shape.name.safeParse(name).data,
      matches: shape.matches.safeParse(matches).data,
      file,
      code,
    });
  }
}

/** The names of an excluded record, for searches. */
function namesOf({ slug, name }: JsonObject): readonly string[] {
  return [slug, name].filter((text) => typeof text === 'string' && text !== '') as string[];
}

function unpublishedStatus(list: EntityType, { status }: JsonObject): RawRecord['unpublished'] {
  const isPublished = typeof status !== 'string' || status === 'published' || !('status' in ENTITY_SCHEMAS[list].shape);
  return isPublished ? undefined : { field: 'status', expected: 'published', found: showFound(status) };
}

/** The location of a record, with its label: the id, or id and condition of a product. */
function locateRecord(list: EntityType, { id, condition, slug }: JsonObject, origin: SourceLocation): RecordLocation {
  const name = list === 'products' ? id : (id ?? slug);
  if (name === undefined) return { ...origin, record: undefined };
  const isVariant = list === 'products' && typeof condition === 'string';
  return { ...origin, record: isVariant ? `${showFound(name)}/${showFound(condition)}` : showFound(name) };
}

/** An empty text, list or object counts as absent. */
function isFilled(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '';
}

/** A record with more unknown keys is not one of ours: it needs no more suggestions. */
const MAX_SUGGESTIONS = 100;

interface UnknownKey {
  /** `specs.colour` */
  readonly path: string;
  readonly suggestion: string | undefined;
}

/**
 * Copies `value` without the keys that `schema` does not know, which `unknown` gets. Null counts as absent: exports write
 * null for an empty field.
 */
export function dropUnknownKeys(schema: z.core.$ZodType, value: unknown, unknown: UnknownKey[], path = ''): unknown {
  const members = membersOf(schema);
  if (members === undefined || !isJsonObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    const childPath = path === '' ? key : `${path}.${key}`;
    const member = members.get(key);
    if (member === undefined) {
      const suggestion = unknown.length < MAX_SUGGESTIONS ? findNearestName(key, [...members.keys()]) : undefined;
      unknown.push({ path: childPath, suggestion });
    } else if (child !== null) {
      copy[key] = dropUnknownKeys(member, child, unknown, childPath);
    }
  }
  return copy;
}
