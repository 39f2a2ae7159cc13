import { saysNotNew } from '../../data/record/condition-words.ts';
import { FormatCheck } from '../source/format-check.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { showFound } from '../source/quote.ts';
import type { ReadResult } from '../source/record.ts';
import { peekFirst, readTextLines } from '../source/text-lines.ts';
import { excluded, noticeAt, type FeedAdapter, type FeedContext } from './adapter.ts';
import { DATE_RANGE_FORMAT, toIsoDate } from './dates.ts';
import type { FeedField, RawField } from './fields.ts';
import { readDeal } from './read-deal.ts';
import { conditionField, findImageUrl, isGtin } from './values.ts';
import { columnNames, columnSuggestions, compileColumns, type FieldColumn } from './columns.ts';
import type { GoogleMerchantSettings } from './feed-settings.ts';
import {
  compileColumnPatterns,
  extractFields,
  findConflict,
  mergeFields,
  type ColumnPatterns,
  type FieldSources,
} from './merge-fields.ts';
import { compileConstants, type Constants } from './placeholders.ts';
import {
  compileExcludeMatcher,
  findProductType,
  findProductTypeInName,
  isPhoneCategory,
  type ExcludeMatcher,
  type ProductType,
} from './product-type.ts';
import { readGoogleCost, type GoogleCost } from './google-cost.ts';
import { attributeName, GoogleItem, type GoogleRecord, type GoogleValue } from './google-item.ts';
import { readGoogleJson, readGoogleTable, REQUIRED_ATTRIBUTES } from './google-lines.ts';
import { readGoogleXml } from './google-xml.ts';

interface Rules {
  readonly mapping: readonly FieldColumn[];
  readonly textRules: readonly ColumnPatterns<'title' | 'description' | 'link'>[];
  readonly excludes: ExcludeMatcher;
  readonly constants: Constants;
  readonly names: FieldSources['names'];
  readonly remedyOf: NonNullable<FieldSources['remedyOf']>;
  readonly dates: GoogleMerchantSettings['dates'];
}

/** The Google attributes of the fields that every item may have. */
const ATTRIBUTE_OF_FIELD: Readonly<Partial<Record<FeedField, string>>> = {
  dealId: 'id',
  productName: 'title',
  gtin: 'gtin',
  contractMonths: 'subscription_cost',
  monthlyCost: 'subscription_cost',
  upfrontCost: 'price',
  dealLink: 'link',
  productImage: 'image_link',
  inStock: 'availability',
  validTo: 'expiration_date',
};

/** The values of `availability`. */
const AVAILABLE = ['in_stock', 'instock', 'available', 'limited_availability', 'preorder', 'pre_order', 'backorder'];
const UNAVAILABLE = ['out_of_stock', 'outofstock', 'sold_out', 'discontinued'];

/** Attributes to count in addition to the fields of a deal. */
const COUNTED_ATTRIBUTES = [
  'brand',
  'color',
  'condition',
  'google_product_category',
  'installment',
  'product_type',
  'sale_price',
] as const;

/**
 * Product data in Google's format, which Webgains, CJ and Awin's enhanced feeds use too: a table, RSS or Atom, or JSON
 * lines, detected by the first character. The format has no attributes for network and allowances: the configuration
 * maps them.
 */
export function createGoogleMerchantAdapter(settings: GoogleMerchantSettings): FeedAdapter {
  const mapping = compileColumns('mapping', settings.mapping, { decimal: '.', dates: settings.dates });
  const rules: Rules = {
    mapping,
    textRules: compileColumnPatterns(settings.patterns),
    remedyOf: columnSuggestions(mapping),
    excludes: compileExcludeMatcher(settings.leaveOut),
    constants: compileConstants(settings.constants),
    names: { ...ATTRIBUTE_OF_FIELD, ...columnNames(mapping) },
    dates: settings.dates,
  };
  return (file, context) => readFile(file, context, rules);
}

async function* readFile(file: OpenedFile, context: FeedContext, rules: Rules): AsyncGenerator<readonly ReadResult[]> {
  const { first = Buffer.alloc(0), all } = await peekFirst(file.chunks);
  const whole = { ...file, chunks: all };
  const read = (record: GoogleRecord): ReadResult => readRecord(file, context, rules, record);
  const check = new FormatCheck(file, REQUIRED_ATTRIBUTES);
  const readChecked = (record: GoogleRecord): ReadResult => {
    check.take(
      (key) => record.kind === 'item' && record.values.has(key),
      () => showRecord(record),
    );
    return read(record);
  };
  if (isXml(first)) {
    for await (const records of readGoogleXml(whole)) yield records.map(readChecked);
    check.finish();
    return;
  }
  const { first: firstLines = Buffer.alloc(0), all: lines } = await peekFirst(readTextLines(whole));
  if (firstLines.toString('utf8').trimStart().startsWith('{')) {
    for await (const records of readGoogleJson(file, lines, check)) yield records.map(readChecked);
    check.finish();
    return;
  }
  const isMapped = rules.mapping.some(({ field }) => field === 'monthlyCost');
  yield* readGoogleTable(file, firstLines, lines, isMapped ? [] : ['subscription_cost'], read);
}

function showRecord(record: GoogleRecord): string {
  if (record.kind === 'broken') return record.found;
  const show = ([name, [value]]: [string, readonly GoogleValue[]]): string =>
    typeof value === 'string' ? `${name}: ${value}` : name;
  return [...record.values].map(show).join(', ');
}

/** XML in any encoding: the first printable character is `<`. */
function isXml(first: Buffer): boolean {
  return /^[^!-~]*</.test(first.toString('latin1', 0, 64));
}

function readRecord(file: OpenedFile, context: FeedContext, rules: Rules, record: GoogleRecord): ReadResult {
  const location = { source: file.source, file: file.path, line: record.line };
  if (record.kind === 'broken') {
    const { expected, found, id } = record;
    return excluded(noticeAt({ ...location, record: id }, 'malformed-record', { expected, found: showFound(found) }));
  }
  const item = new GoogleItem(record.values);
  const deal = { ...location, record: item.text('id') };
  const rule = findGoogleExclusion(item, rules.excludes);
  if (rule !== undefined) {
    return excluded(noticeAt(deal, rule.code, { field: rule.field, found: showFound(rule.found) }));
  }
  const cost = readGoogleCost(item, context.now, context.currency);
  const own = readOwnFields(item, rules, cost);
  const facts = extractFields(rules.textRules, (column) => item.text(column));
  if (!own.has('monthlyCost') && !facts.values.has('monthlyCost') && rules.constants.monthlyCost === undefined) {
    const expected = 'a subscription such as month:24:35.00 GBP';
    return excluded(noticeAt(deal, 'no-contract', { field: 'subscription_cost', expected }));
  }
  if (cost.otherCurrency !== undefined) {
    const { attribute, found } = cost.otherCurrency;
    const expected = `an amount in ${context.currency}`;
    return excluded(noticeAt(deal, 'wrong-currency', { field: attribute, expected, found: showFound(found) }));
  }
  for (const name of COUNTED_ATTRIBUTES) context.fields.count(name, item.text(name) !== undefined);
  const { constants, names, remedyOf } = rules;
  const sources = { own, facts, constants, names, remedyOf };
  return readDeal(deal, mergeFields(sources), context, {
    saysNotNew: saysNotNew(item.text('title') ?? ''),
    conflict: findConflict(deal, sources, 'patterns'),
  });
}

function readOwnFields(item: GoogleItem, rules: Rules, cost: GoogleCost): ReadonlyMap<FeedField, RawField> {
  const fields = new Map<FeedField, RawField>(cost.fields);
  const set = (field: FeedField, text: string | undefined): void => {
    if (text !== undefined) fields.set(field, { text, found: text });
  };
  const gtin = item.text('gtin');
  set('dealId', item.text('id'));
  set('productName', productNameOf(item));
  set('gtin', gtin !== undefined && isGtin(gtin) ? gtin : undefined);
  set('colour', item.text('color'));
  set('dealLink', item.text('link'));
  set('productImage', findImageUrl([item.text('image_link'), item.text('additional_image_link')]));
  const expires = item.text('expiration_date');
  if (expires !== undefined)
    fields.set('validTo', { text: toIsoDate(expires, rules.dates), found: expires, expected: DATE_RANGE_FORMAT });
  const availability = item.text('availability');
  if (availability !== undefined) fields.set('inStock', readAvailability(availability));
  const condition = item.text('condition');
  if (condition !== undefined) fields.set('condition', conditionField(condition));
  for (const { field, text, read } of rules.mapping) {
    const value = read(text.fill((name) => item.text(attributeOf(name))) ?? '');
    if (value === undefined) fields.delete(field);
    else fields.set(field, value);
  }
  return fields;
}

function attributeOf(name: string): string {
  return name.startsWith('product_detail:') ? name : attributeName(name);
}

/** Titles often lack the manufacturer, which `brand` has. */
function productNameOf(item: GoogleItem): string | undefined {
  const [brand, title] = [item.text('brand'), item.text('title')];
  if (title === undefined || brand === undefined) return title;
  return title.toLowerCase().includes(brand.toLowerCase()) ? title : `${brand} ${title}`;
}

function readAvailability(found: string): RawField {
  const word = found.toLowerCase().replace(/[\s-]+/g, '_');
  const isKnown = AVAILABLE.includes(word) || UNAVAILABLE.includes(word);
  const text = isKnown ? String(AVAILABLE.includes(word)) : undefined;
  return { text, found, expected: 'in_stock, out_of_stock, preorder or backorder' };
}

/** The rule that excludes an item, and the attribute that matched it. */
interface GoogleExclusion {
  readonly code: ProductType;
  readonly field: string;
  readonly found: string;
}

/** Mobile phones, contract phones and unlocked phones in Google's taxonomy. */
const PHONE_CATEGORIES = ['267', '543513', '543514'];
const PREPAID_PHONE_CATEGORY = '543512';
const SIM_CARD_CATEGORY = '6030';

/** Electronics, communications, telephony: too wide to tell the product type. */
const WIDE_CATEGORIES = ['222', '262', '270'];

/** The rule that excludes an item by its category, its type or its title, in this order. */
function findGoogleExclusion(item: GoogleItem, excludes: ExcludeMatcher): GoogleExclusion | undefined {
  return (
    matchAttribute(item, 'google_product_category', productTypeOfCategory) ??
    matchAttribute(item, 'product_type', (text) => excludes(text) ?? productTypeOfPath(text)) ??
    matchAttribute(item, 'title', (text) => excludes(text) ?? findProductTypeInName(text))
  );
}

function matchAttribute(
  item: GoogleItem,
  field: string,
  kindOf: (text: string) => ProductType | undefined,
): GoogleExclusion | undefined {
  const found = item.text(field);
  const code = found === undefined ? undefined : kindOf(found);
  return found === undefined || code === undefined ? undefined : { code, field, found };
}

/** A number of the taxonomy is exact. */
function productTypeOfCategory(text: string): ProductType | undefined {
  const number = /^[0-9]+/.exec(text)?.[0];
  if (number === undefined) return productTypeOfPath(text);
  if (PHONE_CATEGORIES.includes(number) || WIDE_CATEGORIES.includes(number)) return undefined;
  if (number === PREPAID_PHONE_CATEGORY) return 'no-contract';
  return number === SIM_CARD_CATEGORY ? 'sim-only' : 'not-a-phone';
}

/** The last part of `Electronics > Telephony > Mobile Phones` that tells a product type. */
function productTypeOfPath(text: string): ProductType | undefined {
  for (const part of text.split('>').toReversed()) {
    const kind = findProductType(part.trim());
    if (kind !== undefined || isPhoneCategory(part)) return kind;
  }
  return undefined;
}
