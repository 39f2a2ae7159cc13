import { z } from 'zod';
import { parsePence, TOTAL_TOLERANCE_PENCE } from '../../data/record/amount.ts';
import { saysNotNew } from '../../data/record/condition-words.ts';
import { noticeAt, type RecordLocation } from '../source/errors.ts';
import { quote } from '../source/quote.ts';
import type { Excluded } from '../source/record.ts';
import { checkColumns, readTable } from '../source/table.ts';
import { readTextLines } from '../source/text-lines.ts';
import { AwinRow, CASHBACK, createPlaceFinder, EXTRAS, readCashback, readGift } from './awin-row.ts';
import { REQUIRED_COLUMNS, type FeedField } from './fields.ts';
import { isGtin, isPicture, parseStorageSize } from './kinds.ts';
import type { FeedAdapter, RawDeal, RawField, RawFields } from './parse-deal.ts';
import {
  findLeftOut,
  findOutOfScope,
  findProductType,
  findProductTypeInName,
  leaveOutSchema,
  type ScopeRule,
} from './product-type.ts';
import { checkGivers, compileReader, constantsSchema, type ColumnTable } from './read-record.ts';
import { fieldsIn, patternsSchema } from './text-pattern.ts';

/** The meaning of a merchant's `search_price`, which the feed does not state. */
const SEARCH_PRICES = ['upfront', 'monthly', 'handset'] as const;

/** The fields that every row has. */
const OWN_FIELDS: readonly FeedField[] = ['dealId', 'dealLink', 'retailer'];

const merchantSchema = z
  .strictObject({
    searchPrice: z.enum(SEARCH_PRICES).optional(),
    patterns: z
      .strictObject({
        product_name: patternsSchema.optional(),
        description: patternsSchema.optional(),
        merchant_deep_link: patternsSchema.optional(),
      })
      .default({}),
    leaveOut: leaveOutSchema.default({}),
    constants: constantsSchema.default({}),
    missingAllowance: z.enum(['quarantine', 'unlimited']).optional(),
  })
  .superRefine(({ searchPrice, patterns, constants, leaveOut }, check) => {
    const priced = searchPrice === 'monthly' ? 'monthlyCost' : 'upfrontCost';
    const own = searchPrice === undefined || searchPrice === 'handset' ? [] : [priced];
    const facts = fieldsIn(patterns);
    // A merchant without contracts needs no other fields.
    const hasNoDeals = facts.length === 0 && (searchPrice === 'handset' || Object.keys(leaveOut).length > 0);
    const required = hasNoDeals ? [] : [...REQUIRED_COLUMNS, 'productName' as const];
    const needed = required.filter((field) => !OWN_FIELDS.includes(field));
    const givers = { patterns: facts, 'the feed itself': own };
    checkGivers(check, constants, givers, needed, ['patterns', 'a pattern or a constant']);
  });

type Merchant = z.infer<typeof merchantSchema>;

const settings = {
  merchants: z
    .record(z.string().regex(/^[0-9]{1,12}$/, 'a merchant_id, decimal digits'), merchantSchema)
    .default({})
    .meta({
      description: 'by the merchant_id of rows that have no telecom columns: how their texts are to be read',
      examples: [
        {
          '10402': { leaveOut: { 'not-a-phone': ['{*} broadband{*}'], 'sim-only': ['{*}'] } },
          '10403': { searchPrice: 'handset' },
        },
      ],
    }),
};

/**
 * Awin downloads, with or without the `Telcos:` columns. Columns come in any order; unknown columns get no notice. The
 * settings of its merchant apply to a row without telecom data, also in a file that has telecom columns.
 */
export const awin = { settings, create: createAwinAdapter };

/** Awin writes zeros for never. */
const NEVER = { '0000-00-00': '', '0000-00-00 00:00:00': '' };

/** Where rows of both shapes have a field. */
const SHARED_COLUMNS: ColumnTable<AwinRow> = {
  dealId: 'merchant_product_id',
  // A spreadsheet may have rounded one.
  gtin: { column: 'product_GTIN', read: ({ text }) => ['product_GTIN', 'ean', 'upc'].map(text).find(isGtin) },
  dealLink: { column: ['aw_deep_link', 'merchant_deep_link'] },
  productImage: {
    read: ({ text }) => ['merchant_image_url', 'large_image', 'aw_image_url'].map(text).find(isPicture),
  },
  validFrom: { column: 'valid_from', values: NEVER },
  validTo: { column: 'valid_to', values: NEVER },
  inStock: { read: readStock },
};

/** Some networks write -1 for unlimited. */
const UNLIMITED = { '-1': 'unlimited' };

const DEVICE_TERM = 'Telcos:deal_cost_json.monthly_device_term_months';
const CONTRACT_TERM = 'Telcos:deal_cost_json.monthly_contract_term_months';

/** Where a row with telecom columns has each field. `search_price` means another amount in every feed. */
const TELECOM = compileReader<AwinRow>({
  ...SHARED_COLUMNS,
  condition: { column: 'Telcos:device_features_json.condition', read: readCondition },
  storage: { column: 'Telcos:storage_size', read: readStorage },
  colour: { column: ['Telcos:device_features_json.colour', 'colour'] },
  retailer: { column: ['merchant_name', 'Telcos:deal_retailer_json.name', 'merchant_id'] },
  network: {
    column: ['Telcos:network', 'Telcos:network_details_json.name', 'Telcos:network_details_json.company_id'],
  },
  dealType: { read: () => 'contract' },
  contractName: { column: ['Telcos:tariff', 'Telcos:tariff_details_json.tariff_name'] },
  dataGb: {
    column: ['Telcos:inc_data', 'Telcos:tariff_allowances_json.data_details.cellular_mb'],
    unit: 'MB',
    values: UNLIMITED,
  },
  callMinutes: {
    column: ['Telcos:inc_minutes', 'Telcos:tariff_allowances_json.mins_details.cross_net_anytime'],
    values: UNLIMITED,
  },
  textMessages: {
    column: ['Telcos:inc_texts', 'Telcos:tariff_allowances_json.texts_details.cross_net_anytime'],
    values: UNLIMITED,
  },
  upfrontCost: { column: ['Telcos:initial_cost', 'Telcos:deal_cost_json.upfront_inc_vat'] },
  monthlyCost: { column: ['Telcos:month_cost', 'Telcos:deal_cost_json.monthly_total_inc_vat'] },
  totalCost: 'Telcos:deal_cost_json.tco_inc_vat',
  contractMonths: { column: ['Telcos:term', DEVICE_TERM, CONTRACT_TERM], read: readMonths },
  gift: { column: ['Telcos:gift', EXTRAS], read: readGift },
  cashbackType: { column: CASHBACK, read: (row) => readCashback(row).cashbackType },
  cashbackValue: { column: CASHBACK, read: (row) => readCashback(row).cashbackValue },
  productName: 'Telcos:device_full_name',
});

/** The columns of the file in which a field is found. */
const columnsInFile = ({ columns }: (typeof TELECOM.columns)[number]): readonly string[] => [
  ...new Set(columns.map((name) => name.split('.', 1).join(''))),
];

/** Without one column of each line no row with telecom data could become a deal. */
const NEEDED_TELECOM_COLUMNS = TELECOM.columns
  .filter(({ field }) => field === 'productName' || REQUIRED_COLUMNS.includes(field))
  .map(columnsInFile);

/** The same without telecom data. */
const NEEDED_SHORT_COLUMNS: readonly (readonly string[])[] = [
  ['merchant_product_id'],
  ['merchant_id'],
  ['product_name'],
  ['aw_deep_link', 'merchant_deep_link'],
];

const TELECOM_COLUMNS: readonly string[] = [
  ...TELECOM.columns.flatMap(columnsInFile).filter((name) => name.startsWith('Telcos:')),
  'Telcos:contract_type',
  'Telcos:device_product_edition_json',
];

function createAwinAdapter({ merchants }: { readonly merchants: Readonly<Record<string, Merchant>> }): FeedAdapter {
  const readers = new Map(Object.entries(merchants).map(([id, merchant]) => [id, compileMerchant(id, merchant)]));
  return (file, context) =>
    readTable<RawDeal | Excluded>(file, readTextLines(file), (header) => {
      const placeOf = createPlaceFinder(header.names);
      const has = (name: string): boolean => placeOf(name).position !== undefined;
      const isTelecom = TELECOM_COLUMNS.some(has);
      const needed = isTelecom ? NEEDED_TELECOM_COLUMNS : NEEDED_SHORT_COLUMNS;
      checkColumns(header, needed, has, { remedy: 'tick them in the download of the feed' });
      return (cells, place) => {
        const row = new AwinRow(cells, placeOf);
        const location = { ...place, record: row.text('merchant_product_id') };
        const exclusion = findOutOfScope(CATEGORIES, row.text);
        if (exclusion !== undefined) return { notice: noticeAt(location, exclusion) };
        const readMerchantRow = readers.get(row.text('merchant_id') ?? '');
        const hasTelecom =
          isTelecom && (readMerchantRow === undefined || TELECOM_COLUMNS.some((name) => row.text(name)));
        const raw = hasTelecom
          ? readTelecomRow(location, row)
          : (readMerchantRow?.(location, row) ?? readUnknownRow(location, row, [...readers.keys()]));
        const currency = findCurrency(row);
        if ('notice' in raw || currency === undefined || currency === context.currency) return raw;
        return { ...raw, otherCurrency: { place: 'currency', found: currency } };
      };
    });
}

/**
 * The columns of categories that exclude a row. `category_name` and `category_id` are not used: they say `Prepay Mobile
 * Phones` for contracts. An unknown category does not exclude a row: product matching decides whether it is a phone.
 */
const CATEGORIES: readonly ScopeRule[] = [
  ['Telcos:device_product_json.product_type', findProductType],
  ['merchant_category', findProductType],
  ['product_type', findProductType],
  ['Telcos:contract_type', findProductType],
];

/** The `currency` column, else the prefix of the price (`GBP129.99`). A feed without either is not checked. */
function findCurrency(row: AwinRow): string | undefined {
  return row.text('currency')?.toUpperCase() ?? /^[A-Z]{3}/.exec(row.text('display_price') ?? '')?.[0];
}

const OUT_OF_STOCK = /^(?:0|n|no|false|out[ _-]?of[ _-]?stock|sold[ _-]?out|unavailable)$/i;

function readStock(row: AwinRow): RawField | undefined {
  for (const place of ['in_stock', 'is_for_sale', 'stock_status']) {
    const found = row.text(place);
    if (found !== undefined && OUT_OF_STOCK.test(found)) return { text: 'false', found, place };
  }
  return undefined;
}

function readTelecomRow(location: RecordLocation, row: AwinRow): RawDeal | Excluded {
  const { fields, places } = TELECOM.read(location, row);
  const cost = [fields.contractMonths, fields.monthlyCost];
  // In feeds without a contract type, a phone without a contract has neither a term nor a monthly cost.
  if (row.text('Telcos:contract_type') === undefined && cost.every((field) => Number(field?.found ?? 0) === 0)) {
    return { notice: noticeAt(location, { code: 'no-contract', field: 'Telcos:month_cost', found: '' }) };
  }
  return {
    location,
    fields,
    places,
    feedIds: row.list(
      'Telcos:device_product_edition_json.product_edition_id',
      'Telcos:device_product_version_json.product_version_id',
    ),
    retailer: {
      names: row.list('merchant_name', 'Telcos:deal_retailer_json.name'),
      feedIds: row.list('merchant_id'),
    },
    network: {
      names: row.list('Telcos:network', 'Telcos:network_details_json.name'),
      feedIds: row.list('Telcos:network_details_json.company_id'),
    },
    texts: (row.text('product_name') ?? '').split(/ at £| on /, 1),
    // Last, since the parts above read cells of JSON, too.
    conflict: findBrokenJson(location, row),
  };
}

/**
 * Refurbished when the condition or its friendly form says so: some feeds sell used phones as `New` with `Good as New`,
 * and showing a used phone as new is the worse mistake.
 */
function readCondition(row: AwinRow): string | undefined {
  const texts = ['condition', 'Telcos:device_features_json.condition_friendly'].map(row.text);
  const stated = row.text('Telcos:device_features_json.condition') ?? texts[0];
  return [stated, ...texts].find((text) => text !== undefined && saysNotNew(text)) ?? stated;
}

/** The first storage that is one; of a text with other words, the size in it. A number that is no size is an error. */
function readStorage(row: AwinRow): RawField | undefined {
  const texts = [row.text('Telcos:storage_size'), row.text('Telcos:device_features_json.capacity')];
  const found = texts.find((text) => /[1-9]/.test(text ?? ''));
  if (found === undefined) return undefined;
  const text = parseStorageSize(found) ?? /[0-9]{1,4} ?[GT]B\b/i.exec(found)?.[0];
  return text === undefined && !/^[0-9]+$/.test(found) ? undefined : { text, found };
}

/**
 * The airtime may end before the phone is paid off: of several terms, the one that gives the stated total is the length
 * of the contract.
 */
function readMonths(row: AwinRow, fields: RawFields): string | undefined {
  const penceOf = (field: RawField | undefined): number => parsePence(field?.text ?? '') ?? NaN;
  const rest = penceOf(fields.totalCost) - penceOf(fields.upfrontCost);
  const monthly = penceOf(fields.monthlyCost);
  const terms = row.list(DEVICE_TERM, 'Telcos:term', CONTRACT_TERM);
  const isTotal = (term: string) => Math.abs(monthly * Number.parseInt(term, 10) - rest) <= TOTAL_TOLERANCE_PENCE;
  return terms.find(isTotal) ?? terms.find((term) => Number.parseInt(term, 10) > 0) ?? terms[0];
}

function findBrokenJson(location: RecordLocation, { brokenJson }: AwinRow): RawDeal['conflict'] {
  if (brokenJson === undefined) return undefined;
  const { column, found } = brokenJson;
  return noticeAt(location, { code: 'malformed-json', field: column, expected: 'JSON', found });
}

/** What reads a row without telecom columns: the patterns of the merchant's texts give the deal. */
function compileMerchant(id: string, settings: Merchant) {
  const { searchPrice, leaveOut, constants, missingAllowance } = settings;
  const reader = compileReader<AwinRow>(
    {
      ...SHARED_COLUMNS,
      condition: { column: 'condition', read: (row) => row.text('condition') ?? findUsedCategory(row) },
      colour: 'colour',
      retailer: { column: ['merchant_name', 'merchant_id'] },
      ...(searchPrice === 'upfront' && { upfrontCost: 'search_price' }),
      ...(searchPrice === 'monthly' && { monthlyCost: 'search_price' }),
    },
    { ...settings, patternsPath: `merchants.${id}.patterns` },
  );
  const titles: readonly ScopeRule[] = [
    ['product_name', (text) => findProductTypeInName(text) ?? findLeftOut(leaveOut, text)],
  ];
  return (location: RecordLocation, row: AwinRow): RawDeal | Excluded => {
    const exclusion = findOutOfScope(titles, row.text);
    if (exclusion !== undefined) return { notice: noticeAt(location, exclusion) };
    const raw = reader.read(location, row);
    if (searchPrice === 'handset' && raw.fields.monthlyCost === undefined && raw.conflict === undefined) {
      const found = row.text('search_price') ?? '';
      return { notice: noticeAt(location, { code: 'no-contract', field: 'search_price', found }) };
    }
    const names = row.list('merchant_name');
    const retailer = constants.retailer === undefined ? { names, feedIds: row.list('merchant_id') } : undefined;
    return { ...raw, retailer, texts: [row.text('product_name') ?? '', findUsedCategory(row) ?? ''], missingAllowance };
  };
}

const readUnknownMerchant = compileMerchant('', { patterns: {}, leaveOut: {}, constants: {} });

/** Such a row is quarantined, unless another rule excludes it. */
function readUnknownRow(location: RecordLocation, row: AwinRow, known: readonly string[]): RawDeal | Excluded {
  const raw = readUnknownMerchant(location, row);
  if ('notice' in raw) return raw;
  const id = row.text('merchant_id') ?? '';
  const conflict = noticeAt(location, {
    code: 'unknown-merchant',
    field: 'merchant_id',
    expected: known.length === 0 ? 'a merchant of the configuration' : `one of ${known.join(', ')}`,
    found: `${id} ${row.text('merchant_name') ?? ''}`.trim(),
    remedy: `add ${quote(id)}: { "patterns": { "product_name": [ … ] } } to \`merchants\` of the feed, or { "leaveOut": { "not-a-phone": ["{*}"] } } when it sells no phones`,
  });
  return { ...raw, conflict };
}

/** The category or link of a merchant's used phones, which replaces a missing condition column. */
function findUsedCategory(row: AwinRow): string | undefined {
  return [row.text('merchant_category'), row.text('merchant_deep_link')].find((text) => saysNotNew(text ?? ''));
}
