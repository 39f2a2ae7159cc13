import { MEGABYTES_PER_GIGABYTE, parsePence } from '../../data/record/amount.ts';
import { dealRecordSchema, type DealRecord, type SupplierReference } from '../../data/record/deal.ts';
import type { Notice } from '../../data/report/notice.ts';
import { hasHtmlTag, htmlToText } from '../source/plain-text.ts';
import type { ReadResult } from '../source/record.ts';
import { toFieldError, type FieldError } from '../source/schema-errors.ts';
import { excluded, fieldErrorNotice, noticeAt, shownValue, type FeedContext, type RecordLocation } from './adapter.ts';
import { DATE_RANGE_FORMAT, isReversed, isWithin, parseDateRange, type DateRange } from './dates.ts';
import { PRODUCT_COLUMNS, type FeedField, type FieldReader } from './fields.ts';
import { AMOUNT_FORMAT, COUNT_FORMAT, isGtin, MONTHS_FORMAT, parseAllowance, parseStorageSize } from './values.ts';

const IN_STOCK: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

/** The feed field of each record field that has another name. */
const FIELD_OF_RECORD_KEY: Readonly<Record<string, FeedField>> = {
  key: 'dealId',
  'product.id': 'productId',
  'product.name': 'productName',
  'product.gtin': 'gtin',
  'product.colour': 'colour',
  'product.condition': 'condition',
  'retailer.key': 'retailer',
  'network.key': 'network',
  dataMegabytes: 'dataGb',
  upfrontPence: 'upfrontCost',
  monthlyPence: 'monthlyCost',
  statedTotalPence: 'totalCost',
  cashbackPence: 'cashbackValue',
  link: 'dealLink',
};

/** Facts about a deal that our own feed has no fields for. */
export interface DealExtras {
  readonly retailer?: Partial<SupplierReference> | undefined;
  /** Another text than the name says that the phone is not new. */
  readonly saysNotNew?: boolean;
  /** The notice that quarantines the record, unless a rule excludes it. */
  readonly conflict?: Notice | undefined;
}

/**
 * Reads a deal by the rules of every feed. A deal that is out of stock or not valid today is out of scope; the
 * configuration defines a missing allowance; half a cashback is dropped.
 */
export function readDeal(
  location: RecordLocation,
  fields: FieldReader,
  context: FeedContext,
  extras: DealExtras = {},
): ReadResult {
  context.fields.countDeal(fields);
  const errors: FieldError[] = [];
  const record = { ...location, record: fields.get('dealId')?.text };
  const parser = new FieldParser(fields, errors);

  const scope = findExclusion(record, parser, context);
  if (scope !== undefined && errors.length === 0) return excluded(scope, readProduct(parser, extras, context));
  if (extras.conflict !== undefined) return excluded(extras.conflict, readProduct(parser, extras, context));

  const allowances = readAllowances(parser, context);
  const key = parser.required('dealId', 'a text');
  const product = readProduct(parser, extras, context);
  const deal: PartialDeal = {
    key,
    product,
    retailer: extras.retailer ?? { key: parser.required('retailer', 'an id, slug, name or alias') },
    network: { key: parser.required('network', 'an id, slug, name or alias') },
    dealType: parser.text('dealType'),
    contractName: parser.required('contractName', 'a text'),
    contractMonths: parser.months('contractMonths'),
    ...allowances.values,
    upfrontPence: parser.requiredPence('upfrontCost'),
    monthlyPence: parser.requiredPence('monthlyCost'),
    statedTotalPence: parser.pence('totalCost'),
    gift: parser.text('gift'),
    link: parser.required('dealLink', 'an http or https URL'),
    productImage: parser.text('productImage'),
  };
  const notices: Notice[] = [];
  const cashback = readCashback(record, parser, notices);
  const [missing] = allowances.missing;
  if (missing !== undefined && errors.length === 0) {
    const facts = { field: fields.nameOf(missing), expected: 'a number or unlimited' };
    return excluded(noticeAt(record, 'missing-allowance', facts), product);
  }
  return finishDeal(record, { ...deal, ...cashback }, errors, notices, (error) => {
    const field = FIELD_OF_RECORD_KEY[error.path];
    if (field === undefined) return error;
    return { ...error, path: fields.nameOf(field), found: fields.get(field)?.value ?? error.found };
  });
}

/** The rule that excludes the deal, if any: stock first, then a reversed validity, then validity. */
function findExclusion(location: RecordLocation, parser: FieldParser, { now }: FeedContext): Notice | undefined {
  const inStock = parser.inStock();
  const from = parser.date('validFrom');
  const to = parser.date('validTo');
  if (inStock === false) {
    return noticeAt(location, 'out-of-stock', { field: parser.nameOf('inStock'), ...parser.shown('inStock') });
  }
  if (isReversed(from, to)) {
    const expected = `a time after ${parser.nameOf('validFrom')}`;
    return noticeAt(location, 'contradictory-facts', {
      field: parser.nameOf('validTo'),
      ...parser.shown('validTo'),
      expected,
    });
  }
  if (isWithin(now, from, to)) return undefined;
  const hasBegun = isWithin(now, from, undefined);
  const field = hasBegun ? 'validTo' : 'validFrom';
  // Without the time of the build, so that the notice stays the same from build to build.
  const expected = hasBegun ? 'a time that is not over' : 'a time that has come';
  return noticeAt(location, 'not-valid-today', { field: parser.nameOf(field), ...parser.shown(field), expected });
}

function readProduct(parser: FieldParser, { saysNotNew }: DealExtras, { conditionWords }: FeedContext): object {
  const [id, name, gtin] = [parser.text('productId'), parser.text('productName'), parser.text('gtin')];
  if (id === undefined && name === undefined && gtin === undefined) {
    parser.reject('productId', `one of ${PRODUCT_COLUMNS.map((field) => parser.nameOf(field)).join(', ')}`, undefined);
  }
  if (gtin !== undefined && !isGtin(gtin)) {
    parser.reject('gtin', '8, 12, 13 or 14 digits that end in the check digit', gtin);
  }
  return {
    id,
    feedIds: [],
    gtin,
    name,
    colour: parser.text('colour'),
    storage: parser.storage(),
    condition: parser.text('condition'),
    ...(saysNotNew === true && { saysNotNew }),
    ...(conditionWords === 'refurbished' && { conditionWords }),
  };
}

function readAllowances(
  parser: FieldParser,
  context: FeedContext,
): { readonly values: Partial<PartialDeal>; readonly missing: readonly FeedField[] } {
  const missing: FeedField[] = [];
  const read = (field: FeedField, unit: number, expected: string): unknown => {
    const text = parser.text(field);
    if (text === undefined) {
      if (parser.isUnreadable(field)) return undefined;
      if (context.missingAllowance === 'unlimited') return 'unlimited';
      missing.push(field);
      return undefined;
    }
    return parseAllowance(text, unit) ?? parser.reject(field, expected, text);
  };
  const values = {
    dataMegabytes: read('dataGb', MEGABYTES_PER_GIGABYTE, 'gigabytes with at most three decimals, or unlimited'),
    callMinutes: read('callMinutes', 1, COUNT_FORMAT),
    textMessages: read('textMessages', 1, COUNT_FORMAT),
  };
  return { values, missing };
}

/** A cashback needs both a type and an amount; an amount of 0 is no cashback. */
function readCashback(location: RecordLocation, parser: FieldParser, notices: Notice[]): Partial<PartialDeal> {
  const cashbackType = parser.text('cashbackType');
  const cashbackPence = parser.pence('cashbackValue');
  if (cashbackPence === 0) return {};
  if (cashbackType !== undefined && cashbackPence !== undefined) return { cashbackType, cashbackPence };
  if (cashbackType !== undefined) {
    const field = parser.nameOf('cashbackValue');
    notices.push(noticeAt(location, 'half-cashback', { field, expected: 'an amount', found: cashbackType }));
  } else if (cashbackPence !== undefined) {
    const facts = { field: parser.nameOf('cashbackType'), expected: 'a type', ...parser.shown('cashbackValue') };
    notices.push(noticeAt(location, 'half-cashback', facts));
  }
  return {};
}

/** Parses the fields of one deal, and collects the errors. */
class FieldParser {
  readonly #fields: FieldReader;
  readonly #errors: FieldError[];

  constructor(fields: FieldReader, errors: FieldError[]) {
    this.#fields = fields;
    this.#errors = errors;
  }

  nameOf(field: FeedField): string {
    return this.#fields.nameOf(field);
  }

  /** Undefined when there is no value, or, with an error, when the value cannot be read. */
  text(field: FeedField): string | undefined {
    const raw = this.#fields.get(field);
    if (raw === undefined || raw.text !== undefined) return raw?.text;
    return this.reject(field, raw.expected ?? 'another text', raw.found);
  }

  isUnreadable(field: FeedField): boolean {
    const raw = this.#fields.get(field);
    return raw !== undefined && raw.text === undefined;
  }

  shown(field: FeedField): Pick<Notice, 'found' | 'isFoundJson'> {
    const raw = this.#fields.get(field);
    return shownValue(raw?.value ?? raw?.found ?? '');
  }

  required(field: FeedField, expected: string): string | undefined {
    const text = this.text(field);
    return text === undefined && !this.isUnreadable(field) ? this.reject(field, expected, undefined) : text;
  }

  pence(field: FeedField): number | undefined {
    return this.#parsePence(field, this.text(field));
  }

  requiredPence(field: FeedField): number | undefined {
    return this.#parsePence(field, this.required(field, AMOUNT_FORMAT));
  }

  months(field: FeedField): number | undefined {
    const text = this.required(field, MONTHS_FORMAT);
    if (text === undefined) return undefined;
    const months = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
    return months >= 1 && months <= 120 ? months : this.reject(field, MONTHS_FORMAT, text);
  }

  date(field: FeedField): DateRange | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    return parseDateRange(text) ?? this.reject(field, DATE_RANGE_FORMAT, text);
  }

  storage(): string | undefined {
    const text = this.text('storage');
    if (text === undefined) return undefined;
    return parseStorageSize(text) ?? this.reject('storage', 'a size such as 128GB, 1TB or 128', text);
  }

  /** Undefined when the feed does not state it. */
  inStock(): boolean | undefined {
    const text = this.text('inStock');
    if (text === undefined) return undefined;
    return IN_STOCK.get(text.toLowerCase()) ?? this.reject('inStock', 'true or false', text);
  }

  reject(field: FeedField, expected: string, found: unknown): undefined {
    const raw = found === undefined ? undefined : this.#fields.get(field);
    this.#errors.push({
      path: this.nameOf(field),
      expected: raw?.expected ?? expected,
      found: raw?.value ?? raw?.found ?? found,
      remedy: raw === undefined ? undefined : this.#fields.remedyOf?.(field, raw.found),
    });
    return undefined;
  }

  #parsePence(field: FeedField, text: string | undefined): number | undefined {
    return text === undefined ? undefined : (parsePence(text) ?? this.reject(field, AMOUNT_FORMAT, text));
  }
}

/** A deal with the fields that could be read. */
export type PartialDeal = { readonly [Key in keyof DealRecord]?: unknown } & { readonly product: object };

/**
 * Finishes a deal: the deal if it has no errors and is valid for the schema, else one notice.
 *
 * @param inFeed translates an error of a record field (`product.id`) to the field of the feed
 */
export function finishDeal(
  location: RecordLocation,
  deal: PartialDeal,
  errors: readonly FieldError[],
  notices: readonly Notice[],
  inFeed: (error: FieldError) => FieldError,
): ReadResult {
  const [firstError, ...otherErrors] = errors;
  if (firstError !== undefined) return excluded(fieldErrorNotice(location, firstError, otherErrors), deal.product);

  const plain = withoutTags(deal);
  const parsed = dealRecordSchema.safeParse(plain);
  if (parsed.success) {
    const { source, file, line } = location;
    return { kind: 'deal', deal: parsed.data, origin: { source, file, line }, notices };
  }
  // `reportInput` slows every parse down, so only an invalid deal is parsed with it.
  const issues = dealRecordSchema.safeParse(plain, { reportInput: true }).error?.issues ?? [];
  const [first, ...others] = issues.map(toFieldError).map(inFeed);
  if (first === undefined) throw parsed.error;
  return excluded(fieldErrorNotice(location, first, others), deal.product);
}

const PROSE_FIELDS = ['contractName', 'cashbackType', 'gift'] as const;

function withoutTags(deal: PartialDeal): PartialDeal {
  const tagged = PROSE_FIELDS.filter((field) => {
    const text = deal[field];
    return typeof text === 'string' && text.includes('<') && hasHtmlTag(text);
  });
  if (tagged.length === 0) return deal;
  const plain = tagged.map((field) => [field, htmlToText(deal[field] as string).replaceAll(/\s+/g, ' ')]);
  return { ...deal, ...Object.fromEntries(plain) };
}
