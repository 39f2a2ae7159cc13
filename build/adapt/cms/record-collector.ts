import type { z } from 'zod';
import type { Notice } from '../../../data/report/notice.ts';
import type { JsonObject } from '../../source/json.ts';
import { findNearestName } from '../../source/nearest-name.ts';
import { quote, showFound } from '../../source/quote.ts';
import type { Sourced, SourceLocation } from '../../source/record.ts';
import { dropUnknownKeys, toFieldError, type FieldError, type UnknownKey } from '../../source/schema-errors.ts';
import { FieldCounts, fieldErrorNotice, noticeAt, type RecordLocation } from '../deal/adapter.ts';
import { ENTITY_SCHEMAS, type EntityType } from '../mapping/cms-fields.ts';
import type { CmsExport } from './adapter.ts';

export interface RecordExtras {
  /** Notices to add only if the record is valid. */
  readonly notices?: readonly Notice[];
  /** The remedy for an error of `field`, where the adapter knows a better one than the notice code has. */
  remedyOf?(field: string, found: unknown): string | undefined;
}

/** Checks the records of a CMS export. Each one becomes exactly one record or one notice that excludes it. */
export class RecordCollector {
  readonly #records: { readonly [List in EntityType]: Sourced<z.infer<(typeof ENTITY_SCHEMAS)[List]>>[] } = {
    products: [],
    giftCategories: [],
    gifts: [],
    networks: [],
    retailers: [],
    manufacturers: [],
  };
  readonly #excluded: Notice[] = [];
  readonly #notices: Notice[] = [];
  readonly #fields = new FieldCounts();
  #readCount = 0;

  add(list: EntityType, value: JsonObject, origin: SourceLocation, extras: RecordExtras = {}): void {
    const schema: z.ZodType = ENTITY_SCHEMAS[list];
    const records: Sourced<unknown>[] = this.#records[list];
    const location = locateRecord(list, value, origin);
    const { value: known, unknown } = dropUnknownKeys(schema, value);
    for (const key of Object.keys(ENTITY_SCHEMAS[list].shape)) {
      this.#fields.count(`${list}.${key}`, isFilled((known as JsonObject)[key]));
    }
    const parsed = schema.safeParse(known, { reportInput: true });
    if (!parsed.success) {
      const otherNames = unknown.map(({ path }) => path);
      this.exclude(
        describeErrors({ ...location, ...searchTermsOf(list, value) }, parsed.error.issues, extras, otherNames),
      );
      return;
    }
    this.#readCount++;
    records.push({ record: parsed.data, origin });
    for (const key of unknown) this.note(noticeAt(location, 'unknown-key', describeUnknownKey(key)));
    for (const note of extras.notices ?? []) this.note(note);
  }

  /** Excludes an unpublished record without checking it, since it may be unfinished. */
  addUnpublished(
    list: EntityType,
    value: JsonObject,
    origin: SourceLocation,
    facts: Pick<Notice, 'field' | 'found' | 'expected' | 'remedy'>,
  ): void {
    this.exclude(
      noticeAt({ ...locateRecord(list, value, origin), ...searchTermsOf(list, value) }, 'unpublished', facts),
    );
  }

  exclude(notice: Notice): void {
    this.#readCount++;
    this.#excluded.push(notice);
  }

  note(notice: Notice): void {
    this.#notices.push(notice);
  }

  finish(): CmsExport {
    return {
      records: this.#records,
      readCount: this.#readCount,
      excluded: this.#excluded,
      notices: this.#notices,
      fields: this.#fields.list(),
    };
  }
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

/** The location of a record, with its label: the id, or id and condition of a product. */
export function locateRecord(
  list: EntityType,
  { id, condition, slug }: JsonObject,
  origin: SourceLocation,
): RecordLocation {
  if (list !== 'products') return { ...origin, record: showName(id ?? slug) };
  const isVariant = id !== undefined && typeof condition === 'string';
  return { ...origin, record: isVariant ? `${showFound(id)}/${showFound(condition)}` : showName(id) };
}

/** An empty text, list or object counts as absent. */
function isFilled(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '';
}

function showName(name: unknown): string | undefined {
  return name === undefined ? undefined : showFound(name);
}

function describeErrors(
  location: RecordLocation,
  issues: readonly z.core.$ZodIssue[],
  extras: RecordExtras,
  otherNames: readonly string[],
): Notice {
  const [first, ...others] = issues.map(toFieldError);
  if (first === undefined) throw new Error(`${location.file}:${location.line} was refused without a reason`);
  const remedy = extras.remedyOf?.(first.path, first.found) ?? remedyForName(first, otherNames) ?? remedyForType(first);
  return fieldErrorNotice(location, { ...first, remedy }, others);
}

/** A missing field may be present under another name. */
function remedyForName({ path, found }: FieldError, names: readonly string[]): string | undefined {
  const other = found === undefined ? findNearestName(path, names) : undefined;
  return other === undefined ? undefined : `the record has ${quote(other)}; ${describeName(path)}`;
}

/** Hand-written exports often lack the quotes. A number beyond the safe integers is no longer what was written. */
function remedyForType({ expected, found }: FieldError): string | undefined {
  return expected === 'a text' && Number.isSafeInteger(found) ? `put it in quotes: "${String(found)}"` : undefined;
}

/** The names of an excluded record, for searches and for deals that refer to it. */
function searchTermsOf(
  list: EntityType,
  { slug, name, matches }: JsonObject,
): Pick<RecordLocation, 'names' | 'matches'> {
  const names = [slug, name].filter((text) => typeof text === 'string' && text !== '') as string[];
  const parsed = list === 'products' ? ENTITY_SCHEMAS.products.shape.matches.safeParse(matches) : undefined;
  return { names, matches: parsed?.data };
}
