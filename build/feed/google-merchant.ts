import { FormatCheck } from '../source/format-check.ts';
import { noticeAt } from '../source/notice-at.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { showFound } from '../source/quote.ts';
import { peekFirst, readTextLines } from '../source/text-lines.ts';
import { compileColumns, namesOf, placesOf, readColumns } from './columns.ts';
import type { GoogleMerchantSettings } from './feed-settings.ts';
import { readGoogleCost } from './google-cost.ts';
import { attributeName, GoogleItem, type GoogleRecord, type GoogleValue } from './google-item.ts';
import { readGoogleJson, readGoogleTable, REQUIRED_ATTRIBUTES } from './google-lines.ts';
import { readGoogleXml } from './google-xml.ts';
import { isGtin } from './kinds.ts';
import { compileFacts, findConflict, mergeFields, withConstants } from './merge-fields.ts';
import {
  compileExcludeMatcher,
  findProductType,
  findProductTypeInName,
  isPhoneCategory,
  type ExcludeMatcher,
  type ProductType,
} from './product-type.ts';
import {
  conditionField,
  excluded,
  findImageUrl,
  locationIn,
  textField,
  type Excluded,
  type FeedAdapter,
  type FeedContext,
  type RawDeal,
  type RawField,
  type RawFields,
} from './raw-deal.ts';

/** Where every item may have a field. */
const OWN_COLUMNS = { dealId: 'id', dealLink: 'link', colour: 'color', validTo: 'expiration_date' } as const;

/** The attributes of the fields that a function reads, for messages. */
const READ_ATTRIBUTES = {
  productName: 'title',
  gtin: 'gtin',
  contractMonths: 'subscription_cost',
  monthlyCost: 'subscription_cost',
  upfrontCost: 'price',
  productImage: 'image_link',
  inStock: 'availability',
} as const;

/** The values of `availability`. */
const AVAILABLE = ['in_stock', 'instock', 'available', 'limited_availability', 'preorder', 'pre_order', 'backorder'];
const UNAVAILABLE = ['out_of_stock', 'outofstock', 'sold_out', 'discontinued'];

/**
 * Product data in Google's format, which Webgains, CJ and Awin's enhanced feeds use too: a table, RSS or Atom, or JSON
 * lines, detected by the first character. The format has no attributes for network and allowances: the configuration
 * maps them.
 */
export function createGoogleMerchantAdapter(settings: GoogleMerchantSettings): FeedAdapter {
  const { constants, dates } = settings;
  const ownColumns = compileColumns(OWN_COLUMNS, { dates });
  const mapping = compileColumns(settings.mapping, { dates });
  const mapped = placesOf('mapping', mapping);
  const names = { ...namesOf(ownColumns), ...READ_ATTRIBUTES, ...mapped.names };
  const places = withConstants({ ...mapped, names }, constants);
  const readFacts = compileFacts(settings.patterns);
  const excludes = compileExcludeMatcher(settings.leaveOut);
  const isMonthlyMapped = settings.mapping.monthlyCost !== undefined;

  return (file, context) => readFile(file, isMonthlyMapped, (record) => readRecord(file, context, record));

  function readRecord(file: OpenedFile, context: FeedContext, record: GoogleRecord): RawDeal | Excluded {
    const location = locationIn(file, record.line);
    if (record.kind === 'broken') {
      const { expected, found, id } = record;
      return excluded(noticeAt({ ...location, record: id }, 'malformed-record', { expected, found: showFound(found) }));
    }
    const item = new GoogleItem(record.values);
    const deal = { ...location, record: item.text('id') };
    const exclusion = findExclusion(item, excludes);
    if (exclusion !== undefined) {
      const [code, field, found] = exclusion;
      return excluded(noticeAt(deal, code, { field, found: showFound(found) }));
    }
    const cost = readGoogleCost(item, context.now, context.currency);
    const own: RawFields = { ...readColumns(ownColumns, item.text), ...cost.fields, ...readOwnFields(item) };
    for (const { field } of mapping) delete own[field];
    Object.assign(
      own,
      readColumns(mapping, (name) => item.text(attributeOf(name))),
    );
    const facts = readFacts(item.text);
    if ((own.monthlyCost ?? facts.fields.monthlyCost ?? constants.monthlyCost) === undefined) {
      const expected = 'a subscription such as month:24:35.00 GBP';
      return excluded(noticeAt(deal, 'no-contract', { field: 'subscription_cost', expected }));
    }
    return {
      location,
      fields: mergeFields(own, facts, constants),
      places,
      texts: [item.text('title') ?? ''],
      otherCurrency: cost.otherCurrency,
      conflict: findConflict(deal, own, facts, constants, places, 'patterns'),
    };
  }
}

async function* readFile(
  file: OpenedFile,
  isMonthlyMapped: boolean,
  read: (record: GoogleRecord) => RawDeal | Excluded,
): AsyncGenerator<readonly (RawDeal | Excluded)[]> {
  const { first = Buffer.alloc(0), all } = await peekFirst(file.chunks);
  const whole = { ...file, chunks: all };
  if (isXml(first)) {
    yield* readChecked(file, () => readGoogleXml(whole), read);
    return;
  }
  const { first: firstLines = Buffer.alloc(0), all: lines } = await peekFirst(readTextLines(whole));
  if (firstLines.toString('utf8').trimStart().startsWith('{')) {
    yield* readChecked(file, (check) => readGoogleJson(file, lines, check), read);
    return;
  }
  yield* readGoogleTable(file, firstLines, lines, isMonthlyMapped ? [] : ['subscription_cost'], read);
}

/** Reads records without a header: at least one must be an item. */
async function* readChecked(
  file: OpenedFile,
  list: (check: FormatCheck) => AsyncIterable<readonly GoogleRecord[]>,
  read: (record: GoogleRecord) => RawDeal | Excluded,
): AsyncGenerator<readonly (RawDeal | Excluded)[]> {
  const check = new FormatCheck(file, REQUIRED_ATTRIBUTES);
  for await (const records of list(check)) {
    yield records.map((record) => {
      check.take(
        (key) => record.kind === 'item' && record.values.has(key),
        () => showRecord(record),
      );
      return read(record);
    });
  }
  check.finish();
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

function readOwnFields(item: GoogleItem): RawFields {
  const gtin = item.text('gtin');
  return {
    productName: textField(productNameOf(item)),
    gtin: textField(gtin !== undefined && isGtin(gtin) ? gtin : undefined),
    condition: conditionField(item.text('condition')),
    productImage: textField(findImageUrl([item.text('image_link'), item.text('additional_image_link')])),
    inStock: readAvailability(item.text('availability')),
  };
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

function readAvailability(found: string | undefined): RawField | undefined {
  if (found === undefined) return undefined;
  const word = found.toLowerCase().replace(/[\s-]+/g, '_');
  const isKnown = AVAILABLE.includes(word) || UNAVAILABLE.includes(word);
  const text = isKnown ? String(AVAILABLE.includes(word)) : undefined;
  return { text, found, expected: 'in_stock, out_of_stock, preorder or backorder' };
}

/** Mobile phones, contract phones and unlocked phones in Google's taxonomy. */
const PHONE_CATEGORIES = ['267', '543513', '543514'];
const PREPAID_PHONE_CATEGORY = '543512';
const SIM_CARD_CATEGORY = '6030';

/** Electronics, communications, telephony: too wide to tell the product type. */
const WIDE_CATEGORIES = ['222', '262', '270'];

/** The rule that excludes an item by its category, its type or its title, in this order, and the attribute that matched it. */
function findExclusion(
  item: GoogleItem,
  excludes: ExcludeMatcher,
): readonly [code: ProductType, field: string, found: string] | undefined {
  const rules = [
    ['google_product_category', productTypeOfCategory],
    ['product_type', (text) => excludes(text) ?? productTypeOfPath(text)],
    ['title', (text) => excludes(text) ?? findProductTypeInName(text)],
  ] as const satisfies readonly (readonly [string, ExcludeMatcher])[];
  for (const [field, typeOf] of rules) {
    const found = item.text(field);
    const code = found === undefined ? undefined : typeOf(found);
    if (found !== undefined && code !== undefined) return [code, field, found];
  }
  return undefined;
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
