import { saysNotNew } from '../../data/record/condition-words.ts';
import { dealRecordSchema, type DealRecord, type SupplierReference } from '../../data/record/deal.ts';
import type { Notice } from '../../data/report/notice.ts';
import { hasHtmlTag, htmlToText } from '../source/clean-text.ts';
import {
  fieldErrorNotice,
  noticeAt,
  shownValue,
  toFieldError,
  type FieldError,
  type RecordLocation,
} from '../source/errors.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { Excluded, SourceLocation } from '../source/record.ts';
import { FEED_FIELDS, FIELDS, PRODUCT_COLUMNS, type FeedField } from './fields.ts';
import { isReversed, isWithin, KINDS, type DateRange } from './kinds.ts';

/** The text of a field, as an adapter found it. */
export interface RawField {
  /** In the spelling of our own feed; undefined when the value cannot be spelled so. */
  readonly text: string | undefined;
  readonly found: string;
  /** The same, if it is not a text. */
  readonly value?: number | boolean;
  /** The expected value in the file, if it differs from that of our own feed. */
  readonly expected?: string | undefined;
  /** The place of this value in the file, if it is not the usual one of the field. */
  readonly place?: string;
}

export type RawFields = Partial<Record<FeedField, RawField | undefined>>;

/** A record of a feed: texts under our names, with file and line. */
export interface RawDeal {
  readonly location: SourceLocation;
  readonly fields: RawFields;
  /** What the file calls the fields, for messages. Absent in our own feed, whose names are ours. */
  readonly places?: Readonly<Partial<Record<FeedField, string>>>;
  /** The feed's own ids of the product, most exact first. */
  readonly feedIds?: readonly string[];
  /** Retailer and network where a feed has several texts for them, or an id of its own. */
  readonly retailer?: Partial<SupplierReference> | undefined;
  readonly network?: Partial<SupplierReference> | undefined;
  /** Other texts about the phone, such as a title, which may say that it is not new. */
  readonly texts?: readonly string[];
  readonly missingAllowance?: FeedContext['missingAllowance'];
  /** An amount or a column in another currency than the catalogue's. */
  readonly otherCurrency?: { readonly place: string; readonly found: string } | undefined;
  /** The notice that quarantines the record, unless a rule excludes it. */
  readonly conflict?: Notice | undefined;
}

/** A deal of a feed that goes on to the catalogue. */
export interface FeedDeal {
  readonly deal: DealRecord;
  readonly origin: SourceLocation;
  /** Notices about the deal (`half-cashback`). */
  readonly notices: readonly Notice[];
}

export interface FeedContext {
  readonly missingAllowance: 'quarantine' | 'unlimited';
  /** The meaning of words such as `Pristine` in a name where the feed states no condition. */
  readonly conditionWords: 'quarantine' | 'refurbished';
  /** The time of the build, for validity. */
  readonly now: Date;
  /** The code of the catalogue's currency, `GBP`. */
  readonly currency: string;
  /** Takes notices about the whole file (`unknown-column`). */
  note(notice: Notice): void;
}

/**
 * Reads one file of a feed: one raw deal, or the notice that excludes it, for every record, in the order of the file, in
 * batches. A malformed record does not affect the others.
 *
 * @throws {SourceError} when the file cannot be read to its end; the items so far must not be served.
 */
export type FeedAdapter = (file: OpenedFile, context: FeedContext) => AsyncIterable<readonly (RawDeal | Excluded)[]>;

/** The record of a deal with the fields that could be read; its schema drops those that it does not have. */
interface Values {
  readonly product: Record<string, unknown>;
  retailer: object;
  network: object;
  [key: string]: unknown;
}

/** Texts for people that name nothing of the catalogue. */
const PROSE_FIELDS: readonly FeedField[] = ['contractName', 'cashbackType', 'gift'];

/** The table of fields, as a deal is read by it. */
const ROWS = FEED_FIELDS.map((field) => {
  const { kind, record: path = field, need } = FIELDS[field];
  const [key = '', part] = path.split('.').toReversed();
  const { expected, parse } = KINDS[kind];
  return { field, path, key, part, need, expected, parse, isProse: PROSE_FIELDS.includes(field) };
});

/**
 * Parses a raw deal of any feed. A deal that is out of stock or not valid today is out of scope; the configuration
 * defines a missing allowance; half a cashback is dropped.
 */
export function parseDeal(raw: RawDeal, context: FeedContext): FeedDeal | Excluded {
  const { source, file, line } = raw.location;
  const origin = { source, file, line };
  const location = { ...origin, record: raw.fields.dealId?.text };
  const errors: FieldError[] = [];
  let missing: FeedField | undefined;
  const values: Values = { product: { feedIds: raw.feedIds ?? [] }, retailer: {}, network: {} };
  for (const { field, key, part, need, expected, parse, isProse } of ROWS) {
    const found = raw.fields[field];
    let value: unknown;
    if (found !== undefined) {
      value = found.text === undefined ? undefined : parse(found.text);
      if (value === undefined) errors.push(unreadable(raw, field));
    } else if (need === 'always') {
      errors.push({ path: nameOf(raw, field), expected, found: undefined });
    } else if (need === 'allowance') {
      if ((raw.missingAllowance ?? context.missingAllowance) === 'unlimited') value = 'unlimited';
      else missing ??= field;
    }
    if (value === undefined) continue;
    const target = part === undefined ? values : (values[part] as Record<string, unknown>);
    target[key] = isProse ? withoutTags(value as string) : value;
  }
  const { product } = values;
  if (raw.texts?.some(saysNotNew) === true) product['saysNotNew'] = true;
  if (context.conditionWords === 'refurbished') product['conditionWords'] = 'refurbished';
  if (raw.retailer !== undefined) values.retailer = raw.retailer;
  if (raw.network !== undefined) values.network = raw.network;
  // People search for an excluded record by the name of its phone.
  const searched = { ...product, name: product['name'] ?? raw.texts?.[0] };
  const notice =
    findExclusion(location, raw, values, context) ?? raw.conflict ?? findMissing(location, raw, errors, missing);
  if (notice !== undefined) return { notice, product: searched };

  const notices = dropHalfCashback(location, raw, values);
  const parsed = dealRecordSchema.safeParse(values);
  if (parsed.success) return { deal: parsed.data, origin, notices };
  // `reportInput` slows every parse down, so only an invalid deal is parsed with it.
  const issues = dealRecordSchema.safeParse(values, { reportInput: true }).error?.issues ?? [];
  const [first, ...others] = issues.map(toFieldError).map((error) => inFeed(raw, error));
  if (first === undefined) throw parsed.error;
  return { notice: fieldErrorNotice(location, first, others), product: searched };
}

function withoutTags(text: string): string {
  return text.includes('<') && hasHtmlTag(text) ? htmlToText(text).replaceAll(/\s+/g, ' ') : text;
}

/** The rule that excludes the deal, if any: stock first, then a reversed validity, then validity, then the currency. */
function findExclusion(
  location: RecordLocation,
  raw: RawDeal,
  values: Values,
  { now, currency }: FeedContext,
): Notice | undefined {
  const [from, to] = [values['validFrom'], values['validTo']] as (DateRange | undefined)[];
  const about = (field: FeedField): Pick<Notice, 'field' | 'found' | 'isFoundJson'> => ({
    field: nameOf(raw, field),
    ...shownValue(raw.fields[field]?.value ?? raw.fields[field]?.found ?? ''),
  });
  if (values['inStock'] === false) return noticeAt(location, { code: 'out-of-stock', ...about('inStock') });
  if (isReversed(from, to)) {
    const expected = `a time after ${nameOf(raw, 'validFrom')}`;
    return noticeAt(location, { code: 'contradictory-facts', ...about('validTo'), expected });
  }
  if (!isWithin(now, from, to)) {
    const hasBegun = isWithin(now, from, undefined);
    // Without the time of the build, so that the notice stays the same from build to build.
    const expected = hasBegun ? 'a time that is not over' : 'a time that has come';
    return noticeAt(location, { code: 'not-valid-today', ...about(hasBegun ? 'validTo' : 'validFrom'), expected });
  }
  if (raw.otherCurrency === undefined) return undefined;
  const { place, found } = raw.otherCurrency;
  return noticeAt(location, { code: 'wrong-currency', field: place, expected: currency, found });
}

/** The notice of a deal with a field that is malformed or missing; an allowance is missed last. */
function findMissing(
  location: RecordLocation,
  raw: RawDeal,
  errors: readonly FieldError[],
  allowance: FeedField | undefined,
): Notice | undefined {
  const hasProduct = (raw.feedIds ?? []).length > 0 || PRODUCT_COLUMNS.some((field) => raw.fields[field] !== undefined);
  if (hasProduct && errors.length === 0) {
    const expected = 'a number or unlimited';
    const code = 'missing-allowance';
    return allowance && noticeAt(location, { code, field: nameOf(raw, allowance), expected });
  }
  const names = PRODUCT_COLUMNS.flatMap((field) => (raw.places === undefined ? field : (raw.places[field] ?? [])));
  const noProduct = { path: names[0] ?? '', expected: `one of ${names.join(', ')}`, found: undefined };
  const [first, ...others] = hasProduct ? errors : [...errors, noProduct];
  // There is an error by now.
  return fieldErrorNotice(location, first as FieldError, others);
}

/** A cashback needs both a type and an amount, and half of one gets a notice; an amount of 0 is no cashback. */
function dropHalfCashback(location: RecordLocation, raw: RawDeal, values: Values): readonly Notice[] {
  const { cashbackType: type, cashbackPence: pence } = values;
  if ((type !== undefined && pence !== undefined && pence !== 0) || (type ?? pence) === undefined) return [];
  delete values['cashbackType'];
  delete values['cashbackPence'];
  if (pence === 0) return [];
  const [present, absent, expected] =
    type === undefined
      ? (['cashbackValue', 'cashbackType', 'a type'] as const)
      : (['cashbackType', 'cashbackValue', 'an amount'] as const);
  const found = raw.fields[present];
  const facts = { field: nameOf(raw, absent), expected, ...shownValue(found?.value ?? found?.found) };
  return [noticeAt(location, { code: 'half-cashback', ...facts })];
}

function unreadable(raw: RawDeal, field: FeedField): FieldError {
  const { found = '', value, expected } = raw.fields[field] ?? {};
  return {
    path: nameOf(raw, field),
    expected: expected ?? KINDS[FIELDS[field].kind].expected,
    found: value ?? found,
  };
}

/** The error of a field of the record (`product.id`) as one of the feed. */
function inFeed(raw: RawDeal, error: FieldError): FieldError {
  const field = ROWS.find(({ path }) => path === error.path)?.field;
  if (field === undefined) return error;
  return { ...error, path: nameOf(raw, field), found: raw.fields[field]?.value ?? error.found };
}

function nameOf({ fields, places }: RawDeal, field: FeedField): string {
  return fields[field]?.place ?? places?.[field] ?? field;
}
