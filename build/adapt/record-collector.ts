import type { z } from 'zod';
import type { Notice } from '../../data/report/notice.ts';
import type { Origin } from '../source/origin.ts';
import { quote, showFound } from '../source/quote.ts';
import { findNearestName } from '../source/nearest-name.ts';
import { describeSchemaIssue, type SchemaFault } from '../source/schema-fault.ts';
import { dropUnknownKeys, type UnknownKey } from '../source/schema-keys.ts';
import type { Sourced } from './adapter.ts';
import type { CmsFile } from './cms-adapter.ts';
import { FieldCounts } from './field-counts.ts';
import { faultNotice, noticeAt, type RecordPlace } from './notice-place.ts';
import { RECORD_SCHEMAS, type RecordList } from './record-list.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What an adapter may add to the verdict on a record. */
export interface RecordRemarks {
  /** Findings that matter only if the record stays. */
  readonly notes?: readonly Notice[];
  /** What to do about a fault of `field`, where the adapter knows better than the code. */
  remedyOf?(field: string, found: unknown): string | undefined;
}

/**
 * The records of a CMS export, checked one by one: of each record that is added, exactly one record or one notice that
 * leaves it out comes out.
 */
export class RecordCollector {
  readonly #records: { readonly [List in RecordList]: Sourced<z.infer<(typeof RECORD_SCHEMAS)[List]>>[] } = {
    products: [],
    giftCategories: [],
    gifts: [],
    networks: [],
    retailers: [],
    manufacturers: [],
  };
  readonly #leftOut: Notice[] = [];
  readonly #notes: Notice[] = [];
  readonly #fields = new FieldCounts();
  #readCount = 0;

  /** Checks a record against the schema of its list. */
  add(list: RecordList, value: JsonObject, origin: Origin, remarks: RecordRemarks = {}): void {
    const schema: z.ZodType = RECORD_SCHEMAS[list];
    const records: Sourced<unknown>[] = this.#records[list];
    const place = placeOf(list, value, origin);
    const { value: known, unknown } = dropUnknownKeys(schema, value);
    for (const key of Object.keys(RECORD_SCHEMAS[list].shape)) {
      this.#fields.count(`${list}.${key}`, isFilled((known as JsonObject)[key]));
    }
    const parsed = schema.safeParse(known, { reportInput: true });
    if (!parsed.success) {
      const otherNames = unknown.map(({ path }) => path);
      this.leaveOut(describeFaults({ ...place, ...callsOf(list, value) }, parsed.error.issues, remarks, otherNames));
      return;
    }
    this.#readCount++;
    records.push({ record: parsed.data, origin });
    for (const key of unknown) this.note(noticeAt(place, 'unknown-key', describeUnknownKey(key)));
    for (const note of remarks.notes ?? []) this.note(note);
  }

  /** Takes a record that is not published; it may well be unfinished, so it is not checked. */
  addUnpublished(
    list: RecordList,
    value: JsonObject,
    origin: Origin,
    facts: Pick<Notice, 'field' | 'found' | 'expected' | 'remedy'>,
  ): void {
    this.leaveOut(noticeAt({ ...placeOf(list, value, origin), ...callsOf(list, value) }, 'unpublished', facts));
  }

  /** Takes a record that ends here. */
  leaveOut(notice: Notice): void {
    this.#readCount++;
    this.#leftOut.push(notice);
  }

  note(notice: Notice): void {
    this.#notes.push(notice);
  }

  finish(): CmsFile {
    return {
      records: this.#records,
      readCount: this.#readCount,
      leftOut: this.#leftOut,
      notes: this.#notes,
      fields: this.#fields.list(),
    };
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function describeUnknownKey({ path, suggestion }: UnknownKey): Pick<Notice, 'field' | 'expected' | 'remedy'> {
  return {
    field: path.slice(0, 200),
    ...(suggestion !== undefined && {
      expected: `perhaps ${suggestion}`,
      remedy: `if it should be read, ${describeName(suggestion)}`,
    }),
  };
}

/** `call it "name"`, `put it in "images" as "front"` */
function describeName(field: string): string {
  const [outer = '', inner] = field.split('.', 2);
  return inner === undefined ? `call it ${quote(outer)}` : `put it in ${quote(outer)} as ${quote(inner)}`;
}

/** The place of a record, with what it is called: a product by its id and its condition. */
export function placeOf(list: RecordList, { id, condition, slug }: JsonObject, origin: Origin): RecordPlace {
  if (list !== 'products') return { ...origin, record: showName(id ?? slug) };
  const isVariant = id !== undefined && typeof condition === 'string';
  return { ...origin, record: isVariant ? `${showFound(id)}/${showFound(condition)}` : showName(id) };
}

/** An empty text, list or object says as much as none. */
function isFilled(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '';
}

function showName(name: unknown): string | undefined {
  return name === undefined ? undefined : showFound(name);
}

function describeFaults(
  place: RecordPlace,
  issues: readonly z.core.$ZodIssue[],
  remarks: RecordRemarks,
  otherNames: readonly string[],
): Notice {
  const [first, ...others] = issues.map(describeSchemaIssue);
  if (first === undefined) throw new Error(`${place.file}:${place.line} was refused without a reason`);
  const remedy = remarks.remedyOf?.(first.path, first.found) ?? remedyOfName(first, otherNames) ?? remedyOfType(first);
  return faultNotice(place, { ...first, remedy }, others);
}

/** A field that is missing may be there under another name. */
function remedyOfName({ path, found }: SchemaFault, names: readonly string[]): string | undefined {
  const other = found === undefined ? findNearestName(path, names) : undefined;
  return other === undefined ? undefined : `the record has ${quote(other)}; ${describeName(path)}`;
}

/** The usual slip of whoever writes an export by hand. A number that JSON cannot hold is no longer what was written. */
function remedyOfType({ expected, found }: SchemaFault): string | undefined {
  return expected === 'a text' && Number.isSafeInteger(found) ? `put it in quotes: "${String(found)}"` : undefined;
}

/** What people and feeds call a record that is left out. */
function callsOf(list: RecordList, { slug, name, matches }: JsonObject): Pick<RecordPlace, 'names' | 'matches'> {
  const names = [slug, name].filter((text) => typeof text === 'string' && text !== '') as string[];
  const parsed = list === 'products' ? RECORD_SCHEMAS.products.shape.matches.safeParse(matches) : undefined;
  return { names, matches: parsed?.data };
}
