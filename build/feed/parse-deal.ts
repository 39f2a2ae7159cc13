import { saysNotNew } from '../../data/record/condition-words.ts';
import { dealRecordSchema } from '../../data/record/deal.ts';
import type { Notice } from '../../data/report/notice.ts';
import { fieldErrorNotice, noticeAt, shownValue, type RecordLocation } from '../source/notice-at.ts';
import { hasHtmlTag, htmlToText } from '../source/plain-text.ts';
import { showFound } from '../source/quote.ts';
import type { ReadResult } from '../source/record.ts';
import { toFieldError, type FieldError } from '../source/schema-errors.ts';
import { isReversed, isWithin, type DateRange } from './dates.ts';
import { FEED_FIELDS, FIELDS, PRODUCT_COLUMNS, type FeedField } from './fields.ts';
import { KINDS } from './kinds.ts';
import { excluded, type FeedContext, type RawDeal } from './raw-deal.ts';

type Values = Partial<Record<FeedField, unknown>>;

/** The fields that have a place in the record of a deal. */
const RECORD_FIELDS = FEED_FIELDS.flatMap((field) => {
  const path = FIELDS[field].record;
  return path === undefined ? [] : [{ field, path, keys: path.split('.') }];
});

/**
 * Parses a raw deal of any feed. A deal that is out of stock or not valid today is out of scope; the configuration
 * defines a missing allowance; half a cashback is dropped.
 */
export function parseDeal(raw: RawDeal, context: FeedContext): ReadResult {
  const { source, file, line } = raw.location;
  const origin = { source, file, line };
  const location = { ...origin, record: raw.fields.dealId?.text };
  const errors: FieldError[] = [];
  const missing: FeedField[] = [];
  const values: Values = {};
  for (const field of FEED_FIELDS) {
    const { kind, need, expected } = FIELDS[field];
    const found = raw.fields[field];
    if (found !== undefined) {
      values[field] = found.text === undefined ? undefined : KINDS[kind].parse(found.text);
      if (values[field] === undefined) errors.push(unreadable(raw, field));
    } else if (need === 'always') {
      errors.push({ path: nameOf(raw, field), expected: expected ?? KINDS[kind].expected, found: undefined });
    } else if (need === 'allowance') {
      if ((raw.missingAllowance ?? context.missingAllowance) === 'unlimited') values[field] = 'unlimited';
      else missing.push(field);
    }
  }
  const record = buildRecord(raw, values, context);
  // People search for an excluded record by the name of its phone.
  const product = { ...record.product, name: values.productName ?? raw.texts?.[0] };
  const notice =
    findExclusion(location, raw, values, context) ?? raw.conflict ?? findMissing(location, raw, errors, missing);
  if (notice !== undefined) return excluded(notice, product);

  const notices: Notice[] = [];
  const deal = { ...record, ...readCashback(location, raw, values, notices) };
  const parsed = dealRecordSchema.safeParse(deal);
  if (parsed.success) return { kind: 'deal', deal: parsed.data, origin, notices };
  // `reportInput` slows every parse down, so only an invalid deal is parsed with it.
  const issues = dealRecordSchema.safeParse(deal, { reportInput: true }).error?.issues ?? [];
  const [first, ...others] = issues.map(toFieldError).map((error) => inFeed(raw, error));
  if (first === undefined) throw parsed.error;
  return excluded(fieldErrorNotice(location, first, others), product);
}

/** The record of a deal with the fields that could be read. */
function buildRecord(
  raw: RawDeal,
  values: Values,
  { conditionWords }: FeedContext,
): Readonly<Record<string, unknown>> & { readonly product: object } {
  const product: Record<string, unknown> = {
    feedIds: raw.feedIds ?? [],
    ...(raw.texts?.some(saysNotNew) === true && { saysNotNew: true }),
    ...(conditionWords === 'refurbished' && { conditionWords }),
  };
  const record: Record<string, unknown> = {};
  for (const { field, keys } of RECORD_FIELDS) {
    const [part = '', key] = keys;
    if (part === 'product' && key !== undefined) product[key] = values[field];
    else if (key !== undefined) record[part] = { [key]: values[field] };
    else record[part] = withoutTags(field, values[field]);
  }
  return {
    ...record,
    product,
    ...(raw.retailer !== undefined && { retailer: raw.retailer }),
    ...(raw.network !== undefined && { network: raw.network }),
  };
}

/** Texts for people that name nothing of the catalogue. */
const PROSE_FIELDS: readonly FeedField[] = ['contractName', 'cashbackType', 'gift'];

function withoutTags(field: FeedField, value: unknown): unknown {
  const isMarkup =
    typeof value === 'string' && value.includes('<') && PROSE_FIELDS.includes(field) && hasHtmlTag(value);
  return isMarkup ? htmlToText(value).replaceAll(/\s+/g, ' ') : value;
}

/** The rule that excludes the deal, if any: stock first, then a reversed validity, then validity, then the currency. */
function findExclusion(
  location: RecordLocation,
  raw: RawDeal,
  values: Values,
  { now, currency }: FeedContext,
): Notice | undefined {
  const [from, to] = [values.validFrom, values.validTo] as (DateRange | undefined)[];
  const about = (field: FeedField): Pick<Notice, 'field' | 'found' | 'isFoundJson'> => ({
    field: nameOf(raw, field),
    ...shownValue(raw.fields[field]?.value ?? raw.fields[field]?.found ?? ''),
  });
  if (values.inStock === false) return noticeAt(location, { code: 'out-of-stock', ...about('inStock') });
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
  return noticeAt(location, { code: 'wrong-currency', field: place, expected: currency, found: showFound(found) });
}

/** The notice of a deal with a field that is malformed or missing; an allowance is missed last. */
function findMissing(
  location: RecordLocation,
  raw: RawDeal,
  errors: readonly FieldError[],
  [allowance]: readonly FeedField[],
): Notice | undefined {
  const hasProduct = (raw.feedIds ?? []).length > 0 || PRODUCT_COLUMNS.some((field) => raw.fields[field] !== undefined);
  const names = PRODUCT_COLUMNS.flatMap((field) =>
    raw.places === undefined ? field : (raw.places.names[field] ?? []),
  );
  const noProduct = { path: names[0] ?? '', expected: `one of ${names.join(', ')}`, found: undefined };
  const [first, ...others] = hasProduct ? errors : [...errors, noProduct];
  if (first !== undefined) return fieldErrorNotice(location, first, others);
  if (allowance === undefined) return undefined;
  const expected = 'a number or unlimited';
  return noticeAt(location, { code: 'missing-allowance', field: nameOf(raw, allowance), expected });
}

/** A cashback needs both a type and an amount; an amount of 0 is no cashback. */
function readCashback(location: RecordLocation, raw: RawDeal, values: Values, notices: Notice[]): object {
  const { cashbackType, cashbackValue } = values;
  if (cashbackType !== undefined && cashbackValue !== undefined && cashbackValue !== 0) return {};
  const none = { cashbackType: undefined, cashbackPence: undefined };
  const isHalf = cashbackValue !== 0 && (cashbackType ?? cashbackValue) !== undefined;
  if (!isHalf) return none;
  const [present, absent, expected] =
    cashbackType === undefined
      ? (['cashbackValue', 'cashbackType', 'a type'] as const)
      : (['cashbackType', 'cashbackValue', 'an amount'] as const);
  const found = raw.fields[present];
  const facts = { field: nameOf(raw, absent), expected, ...shownValue(found?.value ?? found?.found) };
  notices.push(noticeAt(location, { code: 'half-cashback', ...facts }));
  return none;
}

function unreadable(raw: RawDeal, field: FeedField): FieldError {
  const found = raw.fields[field];
  const shown = found?.found ?? '';
  return {
    path: nameOf(raw, field),
    expected: found?.expected ?? KINDS[FIELDS[field].kind].expected,
    found: found?.value ?? shown,
    remedy: found?.remedy ?? raw.places?.remedyOf?.(field, shown),
  };
}

/** The error of a field of the record (`product.id`) as one of the feed. */
function inFeed(raw: RawDeal, error: FieldError): FieldError {
  const field = RECORD_FIELDS.find(({ path }) => path === error.path)?.field;
  if (field === undefined) return error;
  return { ...error, path: nameOf(raw, field), found: raw.fields[field]?.value ?? error.found };
}

function nameOf({ fields, places }: RawDeal, field: FeedField): string {
  return fields[field]?.place ?? places?.names[field] ?? field;
}
