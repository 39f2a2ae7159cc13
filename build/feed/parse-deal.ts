import { saysNotNew } from '../../data/record/condition-words.ts';
import { dealRecordSchema } from '../../data/record/deal.ts';
import type { Notice } from '../../data/report/notice.ts';
import { fieldErrorNotice, noticeAt, shownValue, type RecordLocation } from '../source/notice-at.ts';
import { hasHtmlTag, htmlToText } from '../source/plain-text.ts';
import { showFound } from '../source/quote.ts';
import { toFieldError, type FieldError } from '../source/schema-errors.ts';
import { isReversed, isWithin, type DateRange } from './dates.ts';
import { FEED_FIELDS, FIELDS, PRODUCT_COLUMNS, type FeedField } from './fields.ts';
import { KINDS } from './kinds.ts';
import { excluded, type Excluded, type FeedContext, type FeedDeal, type RawDeal } from './raw-deal.ts';

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
  const { kind, record: path = field, need, expected = KINDS[kind].expected } = FIELDS[field];
  const [key = '', part] = path.split('.').toReversed();
  return { field, path, key, part, need, expected, parse: KINDS[kind].parse, isProse: PROSE_FIELDS.includes(field) };
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
  if (notice !== undefined) return excluded(notice, searched);

  const notices = dropHalfCashback(location, raw, values);
  const parsed = dealRecordSchema.safeParse(values);
  if (parsed.success) return { kind: 'deal', deal: parsed.data, origin, notices };
  // `reportInput` slows every parse down, so only an invalid deal is parsed with it.
  const issues = dealRecordSchema.safeParse(values, { reportInput: true }).error?.issues ?? [];
  const [first, ...others] = issues.map(toFieldError).map((error) => inFeed(raw, error));
  if (first === undefined) throw parsed.error;
  return excluded(fieldErrorNotice(location, first, others), searched);
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
  return noticeAt(location, { code: 'wrong-currency', field: place, expected: currency, found: showFound(found) });
}

/** The notice of a deal with a field that is malformed or missing; an allowance is missed last. */
function findMissing(
  location: RecordLocation,
  raw: RawDeal,
  errors: readonly FieldError[],
  allowance: FeedField | undefined,
): Notice | undefined {
  const hasProduct = (raw.feedIds ?? []).length > 0 || PRODUCT_COLUMNS.some((field) => raw.fields[field] !== undefined);
  const names = PRODUCT_COLUMNS.flatMap((field) => (raw.places === undefined ? field : (raw.places[field] ?? [])));
  const noProduct = { path: names[0] ?? '', expected: `one of ${names.join(', ')}`, found: undefined };
  const [first, ...others] = hasProduct ? errors : [...errors, noProduct];
  if (first !== undefined) return fieldErrorNotice(location, first, others);
  if (allowance === undefined) return undefined;
  const expected = 'a number or unlimited';
  return noticeAt(location, { code: 'missing-allowance', field: nameOf(raw, allowance), expected });
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
  const { found = '', value, expected, remedy } = raw.fields[field] ?? {};
  return {
    path: nameOf(raw, field),
    expected: expected ?? KINDS[FIELDS[field].kind].expected,
    found: value ?? found,
    remedy: remedy?.(found),
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
