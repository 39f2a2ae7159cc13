import { noticeAt } from '../source/notice-at.ts';
import { showFound } from '../source/quote.ts';
import { compileColumns, placesOf, type ColumnTable, type Row } from './columns.ts';
import type { GoogleMerchantSettings } from './feed-settings.ts';
import { readGoogleCost, type GoogleCost } from './google-cost.ts';
import { readGoogleItems } from './google-files.ts';
import { attributeName, DETAIL_PREFIX, type GoogleItem } from './google-item.ts';
import { isGtin } from './kinds.ts';
import { compileReader } from './merge-fields.ts';
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
  type RawDeal,
  type RawField,
} from './raw-deal.ts';

interface Item extends Row {
  readonly cost: GoogleCost['fields'];
}

/** Where every item has a field, unless the configuration maps another attribute. */
const OWN_COLUMNS: ColumnTable<Item> = {
  dealId: 'id',
  productName: { column: 'title', read: readName },
  gtin: { column: 'gtin', read: readGtin },
  condition: { read: readCondition },
  colour: 'color',
  contractMonths: { column: 'subscription_cost', read: ({ cost }) => cost.contractMonths },
  upfrontCost: { column: 'price', read: ({ cost }) => cost.upfrontCost },
  monthlyCost: { column: 'subscription_cost', read: ({ cost }) => cost.monthlyCost },
  dealLink: 'link',
  productImage: {
    column: 'image_link',
    read: ({ text }) => findImageUrl(['image_link', 'additional_image_link'].map(text)),
  },
  validTo: 'expiration_date',
  inStock: { column: 'availability', read: readAvailability },
};

/** The values of `availability`. */
const AVAILABLE = ['in_stock', 'instock', 'available', 'limited_availability', 'preorder', 'pre_order', 'backorder'];
const UNAVAILABLE = ['out_of_stock', 'outofstock', 'sold_out', 'discontinued'];

/**
 * Product data in Google's format, which Webgains, CJ and Awin's enhanced feeds use too. The format has no attributes for
 * network and allowances: the configuration maps them.
 */
export function createGoogleMerchantAdapter(settings: GoogleMerchantSettings): FeedAdapter {
  const { dates, mapping } = settings;
  const columns = compileColumns<Item>({ ...OWN_COLUMNS, ...mapping }, { dates });
  const attributes = new Map(columns.flatMap((each) => each.columns.map((name) => [name, attributeOf(name)])));
  const { places, read } = compileReader(columns, placesOf(columns, 'mapping', mapping), settings);
  const excludes = compileExcludeMatcher(settings.leaveOut);
  const required = mapping.monthlyCost === undefined ? ['subscription_cost'] : [];

  return async function* readItems(file, { now, currency }) {
    for await (const batch of readGoogleItems(file, required)) {
      yield batch.map((item) => ('notice' in item ? item : readItem(item)));
    }

    function readItem(item: GoogleItem): RawDeal | Excluded {
      const { text } = item;
      const location = locationIn(file, item.line);
      const deal = { ...location, record: text('id') };
      const exclusion = findExclusion(text, excludes);
      if (exclusion !== undefined) {
        const [code, field, found] = exclusion;
        return excluded(noticeAt(deal, { code, field, found: showFound(found) }));
      }
      const { fields: cost, otherCurrency } = readGoogleCost(item, now, currency);
      const row = { text: (name: string) => text(attributes.get(name) ?? name), cost };
      const { fields, conflict } = read(deal, row);
      if (fields.monthlyCost === undefined) {
        const expected = 'a subscription such as month:24:35.00 GBP';
        return excluded(noticeAt(deal, { code: 'no-contract', field: 'subscription_cost', expected }));
      }
      return { location, places, fields, conflict, otherCurrency, texts: [text('title') ?? ''] };
    }
  };
}

function attributeOf(name: string): string {
  return name.startsWith(DETAIL_PREFIX) ? name : attributeName(name);
}

/** Titles often lack the manufacturer, which `brand` has. */
function readName({ text }: Item): RawField | undefined {
  const [brand = '', title] = ['brand', 'title'].map(text);
  const isWhole = brand === '' || title?.toLowerCase().includes(brand.toLowerCase()) === true;
  return title === undefined ? undefined : textField(isWhole ? title : `${brand} ${title}`);
}

function readGtin({ text }: Item): RawField | undefined {
  const gtin = text('gtin');
  return gtin !== undefined && isGtin(gtin) ? textField(gtin) : undefined;
}

function readCondition({ text }: Item): RawField | undefined {
  const found = text('condition');
  return found === undefined ? undefined : conditionField(found);
}

function readAvailability({ text: textOf }: Item): RawField | undefined {
  const found = textOf('availability');
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
  textOf: Row['text'],
  excludes: ExcludeMatcher,
): readonly [code: ProductType, field: string, found: string] | undefined {
  const rules = [
    ['google_product_category', productTypeOfCategory],
    ['product_type', (text) => excludes(text) ?? productTypeOfPath(text)],
    ['title', (text) => excludes(text) ?? findProductTypeInName(text)],
  ] as const satisfies readonly (readonly [string, ExcludeMatcher])[];
  for (const [field, typeOf] of rules) {
    const found = textOf(field);
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
