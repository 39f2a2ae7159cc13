import { z } from 'zod';
import { formatPence, parsePence } from '../../data/record/amount.ts';
import { noticeAt } from '../source/errors.ts';
import type { Excluded } from '../source/record.ts';
import { findRequired, type FeedField } from './fields.ts';
import { attributeName, DETAIL_PREFIX, readGoogleItems, type GoogleItem } from './google-items.ts';
import { DATES_SCHEMA, isGtin, isPicture, isWithin, KINDS, parseForeignDate, parseMonths, PROSE } from './kinds.ts';
import type { FeedAdapter, FeedContext, RawDeal, RawField, RawFields } from './parse-deal.ts';
import {
  findLeftOut,
  findOutOfScope,
  findProductType,
  findProductTypeInName,
  isPhoneCategory,
  leaveOutSchema,
  type ProductType,
  type ScopeRule,
} from './product-type.ts';
import {
  checkGivers,
  columnsSchema,
  compileReader,
  constantsSchema,
  reportFault,
  type ColumnTable,
  type Row,
} from './read-record.ts';
import { fieldsIn, patternsSchema } from './text-pattern.ts';

const settings = {
  mapping: columnsSchema
    .default({})
    .describe(
      'the attribute that fills a field: its name, product_detail: and the name of the detail, or several in braces',
    ),
  dates: DATES_SCHEMA,
  patterns: z
    .strictObject({
      title: patternsSchema.optional(),
      description: patternsSchema.optional(),
      link: patternsSchema.optional(),
    })
    .default({})
    .meta({ description: 'how facts stand in a text', examples: [{ title: ['{productName} in {colour}'] }] }),
  leaveOut: leaveOutSchema.default({}).meta({
    description: 'titles that are out of scope, by the code under which they are left out',
    examples: [{ 'not-a-phone': ['{*} screen protector{*}'] }],
  }),
  constants: constantsSchema.default({}).describe('what holds for every deal; may hold fields in braces'),
};

type Settings = z.infer<z.ZodObject<typeof settings>>;

/**
 * Product data in Google's format, which Webgains, CJ and Awin's enhanced feeds use too. The format has no attributes for
 * network and allowances: the configuration maps them.
 */
export const googleMerchant = { settings, check: checkSettings, create: createGoogleMerchantAdapter };

/** The fields that every item has. */
const OWN_FIELDS: readonly FeedField[] = [
  'dealId',
  'productName',
  'contractMonths',
  'upfrontCost',
  'monthlyCost',
  'dealLink',
];

function checkSettings(
  { mapping, patterns, constants, ...feed }: Settings & Pick<FeedContext, 'missingAllowance'>,
  check: z.core.$RefinementCtx,
): void {
  const mapped = Object.keys(mapping);
  const inTexts: readonly string[] = fieldsIn(patterns);
  for (const field of mapped.filter((each) => inTexts.includes(each))) {
    reportFault(check, ['mapping', field], 'one source for a field; patterns gives it too');
  }
  const givers = { mapping: mapped, patterns: inTexts, 'the feed itself': OWN_FIELDS };
  checkGivers(check, constants, givers, findRequired(feed), ['mapping', 'an attribute, a pattern or a constant']);
}

interface Item extends Row {
  readonly cost: GoogleCost['fields'];
}

/** Where every item has a field, unless the configuration maps another attribute. */
const OWN_COLUMNS: ColumnTable<Item> = {
  dealId: 'id',
  productName: { column: 'title', read: readName },
  gtin: { column: 'gtin', read: ({ text }) => [text('gtin')].find(isGtin) },
  condition: { read: ({ text }) => text('condition') },
  colour: 'color',
  contractMonths: { column: 'subscription_cost', read: ({ cost }) => cost.contractMonths },
  upfrontCost: { column: 'price', read: ({ cost }) => cost.upfrontCost },
  monthlyCost: { column: 'subscription_cost', read: ({ cost }) => cost.monthlyCost },
  dealLink: 'link',
  productImage: {
    column: 'image_link',
    read: ({ text }) => ['image_link', 'additional_image_link'].map(text).find(isPicture),
  },
  validTo: 'expiration_date',
  inStock: { column: 'availability', read: readAvailability },
};

/** The values of `availability`. */
const AVAILABLE = /^(?:in_?stock|available|limited_availability|pre_?order|backorder)$/;
const UNAVAILABLE = /^(?:out_of_stock|outofstock|sold_out|discontinued)$/;

function createGoogleMerchantAdapter(settings: Settings): FeedAdapter {
  const { mapping, leaveOut } = settings;
  const reader = compileReader<Item>({ ...OWN_COLUMNS, ...mapping }, settings);
  const attributes = new Map(reader.columns.flatMap(({ columns }) => columns.map((name) => [name, attributeOf(name)])));
  const scopeRules: readonly ScopeRule[] = [
    ['google_product_category', productTypeOfCategory],
    ['product_type', (text) => findLeftOut(leaveOut, text) ?? productTypeOfPath(text)],
    ['title', (text) => findLeftOut(leaveOut, text) ?? findProductTypeInName(text)],
  ];
  const required = mapping.monthlyCost === undefined ? ['subscription_cost'] : [];

  return async function* readItems(file, { now, currency }) {
    for await (const batch of readGoogleItems(file, required)) {
      yield batch.map((item) => ('notice' in item ? item : readItem(item)));
    }

    function readItem(item: GoogleItem): RawDeal | Excluded {
      const { text } = item;
      const deal = { ...item.location, record: text('id') };
      const exclusion = findOutOfScope(scopeRules, text);
      if (exclusion !== undefined) return { notice: noticeAt(deal, exclusion) };
      const { fields: cost, otherCurrency } = readGoogleCost(item, now, currency);
      const row = { text: (name: string) => text(attributes.get(name) ?? name), cost };
      const raw = reader.read(deal, row);
      if (raw.fields.monthlyCost === undefined) {
        const expected = 'a subscription such as month:24:35.00 GBP';
        return { notice: noticeAt(deal, { code: 'no-contract', field: 'subscription_cost', expected }) };
      }
      return { ...raw, otherCurrency, texts: [text('title') ?? ''] };
    }
  };
}

function attributeOf(name: string): string {
  return name.startsWith(DETAIL_PREFIX) ? name : attributeName(name);
}

/** Titles often lack the manufacturer, which `brand` has. */
function readName({ text }: Item): string | undefined {
  const [brand = '', title] = ['brand', 'title'].map(text);
  const isWhole = brand === '' || title?.toLowerCase().includes(brand.toLowerCase()) === true;
  return title === undefined || isWhole ? title : `${brand} ${title}`;
}

function readAvailability({ text: textOf }: Item): RawField | undefined {
  const found = textOf('availability');
  if (found === undefined) return undefined;
  const word = found.toLowerCase().replace(/[\s-]+/g, '_');
  const text = AVAILABLE.test(word) ? 'true' : UNAVAILABLE.test(word) ? 'false' : undefined;
  return { text, found, expected: 'in_stock, out_of_stock, preorder or backorder' };
}

/**
 * Numbers of Google's taxonomy: phones, contract phones and unlocked phones; electronics, communications and telephony,
 * which are too wide to tell the product type.
 */
const PHONE_CATEGORIES: readonly string[] = ['267', '543513', '543514', '222', '262', '270'];

/** A number of the taxonomy is exact. */
function productTypeOfCategory(text: string): ProductType | undefined {
  const number = /^[0-9]+/.exec(text)?.[0];
  if (number === undefined) return productTypeOfPath(text);
  if (number === '543512') return 'no-contract';
  if (number === '6030') return 'sim-only';
  return PHONE_CATEGORIES.includes(number) ? undefined : 'not-a-phone';
}

/** The last part of `Electronics > Telephony > Mobile Phones` that tells a product type. */
function productTypeOfPath(text: string): ProductType | undefined {
  for (const part of text.split('>').toReversed()) {
    const kind = findProductType(part.trim());
    if (kind !== undefined || isPhoneCategory(part)) return kind;
  }
  return undefined;
}

/** The cost of an item, and the first amount in another currency. */
interface GoogleCost {
  readonly fields: Pick<RawFields, 'upfrontCost' | 'monthlyCost' | 'contractMonths'>;
  readonly otherCurrency: RawDeal['otherCurrency'];
}

/**
 * Reads the cost of an item: `price`, or `sale_price` while it is valid, is the upfront cost. `subscription_cost` plus
 * the instalments of the phone is the monthly cost, if both run for the same number of months.
 */
function readGoogleCost(item: GoogleItem, now: Date, currency: string): GoogleCost {
  let otherCurrency: GoogleCost['otherCurrency'];
  const upfrontCost = readUpfront();
  return { fields: { upfrontCost, ...readSubscription(upfrontCost) }, otherCurrency };

  function readUpfront(): RawField | undefined {
    const days = item.text('sale_price_effective_date');
    const isSale = item.text('sale_price') !== undefined && isSaleOn(days, now);
    if (isSale === undefined) {
      const expected = 'a sale_price_effective_date such as 2026-11-01T00:00Z/2026-11-30T23:59Z';
      return { text: undefined, found: days ?? '', expected };
    }
    const place = isSale ? 'sale_price' : 'price';
    const found = item.text(place);
    if (found === undefined) return undefined;
    const pence = readPence(place, found);
    return {
      text: pence === undefined ? undefined : formatPence(pence),
      found,
      expected: 'an amount such as 35.00 GBP',
    };
  }

  function readSubscription(upfront: RawField | undefined): GoogleCost['fields'] {
    const [parts] = item.listParts('subscription_cost');
    if (parts === undefined) return {};
    const found = [...parts.values()].join(':');
    const months = /^months?$/i.test(parts.get('period') ?? '') ? parseMonths(parts.get('period_length')) : undefined;
    const pence = readPence('subscription_cost', parts.get('amount'));
    if (months === undefined || pence === undefined) {
      return rejected(found, 'a subscription such as month:24:35.00 GBP');
    }
    const instalment = readInstalment(months, upfront);
    if (instalment === undefined) {
      const both = `${found} and ${[...(item.listParts('installment')[0]?.values() ?? [])].join(':')}`;
      return rejected(both, 'an installment of as many months, with the price as its downpayment if it has one');
    }
    return {
      contractMonths: { text: String(months), found },
      monthlyCost: { text: formatPence(pence + instalment), found },
    };
  }

  /** The monthly instalment of the phone in pence; undefined when it does not fit the subscription or the price. */
  function readInstalment(contractMonths: number, upfront: RawField | undefined): number | undefined {
    const [parts] = item.listParts('installment');
    if (parts === undefined) return 0;
    const downpayment = parts.get('downpayment');
    const down = downpayment === undefined ? undefined : readPence('installment', downpayment);
    const isPrice = downpayment === undefined || (down !== undefined && formatPence(down) === upfront?.text);
    const isSameLength = parseMonths(parts.get('months')) === contractMonths;
    return isSameLength && isPrice ? readPence('installment', parts.get('amount')) : undefined;
  }

  /** The pence of `35.00 GBP`, `GBP 1,035.00`, or of an amount without the code where the item has a `currency`. */
  function readPence(place: string, text = ''): number | undefined {
    const [, before, number = '', after] = /^([A-Z]{3})? ?(-?[0-9.,]{1,20}) ?([A-Z]{3})?$/i.exec(text) ?? [];
    const code = (before ?? after ?? item.text('currency'))?.toUpperCase();
    if (code === undefined || (before !== undefined && after !== undefined)) return undefined;
    const pence = parsePence(KINDS.amount.convert?.(number, PROSE) ?? '');
    if (pence !== undefined && code !== currency) otherCurrency ??= { place, found: text };
    return pence;
  }
}

function rejected(found: string, expected: string): GoogleCost['fields'] {
  const field = { text: undefined, found, expected };
  return { contractMonths: field, monthlyCost: field };
}

/** Whether a sale price holds: within its dates, or always when it has none; undefined when they cannot be read. */
function isSaleOn(days: string | undefined, now: Date): boolean | undefined {
  if (days === undefined) return true;
  const [from, to, ...others] = days.split('/').map((text) => parseForeignDate(text, 'yyyy-mm-dd'));
  return from === undefined || to === undefined || others.length > 0 ? undefined : isWithin(now, from, to);
}
