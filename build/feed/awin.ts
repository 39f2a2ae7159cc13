import { parsePence } from '../../data/record/amount.ts';
import { saysNotNew } from '../../data/record/condition-words.ts';
import type { SupplierReference } from '../../data/record/deal.ts';
import { noticeAt, type RecordLocation } from '../source/notice-at.ts';
import { showFound } from '../source/quote.ts';
import { readTextLines } from '../source/text-lines.ts';
import { readAwinCashback, readAwinGift } from './awin-extras.ts';
import { compileMerchants, readMerchantRow } from './awin-merchant.ts';
import {
  AwinRow,
  findAwinColumns,
  hasTelecomColumns,
  readGtin,
  readImageUrl,
  readStock,
  SHARED_COLUMNS,
} from './awin-row.ts';
import { compileColumns, namesOf, readColumns, type ColumnTable } from './columns.ts';
import type { AwinSettings } from './feed-settings.ts';
import { parseMonths, parseStorageSize } from './kinds.ts';
import { findProductType, PRODUCT_TYPES } from './product-type.ts';
import {
  conditionField,
  excluded,
  locationIn,
  textField,
  type Excluded,
  type FeedAdapter,
  type RawDeal,
  type RawField,
} from './raw-deal.ts';
import { readTable } from './read-table.ts';

/** Some networks write -1 for unlimited. */
const UNLIMITED = { '-1': 'unlimited' };

/** Where a row with telecom columns has each field. `search_price` means another amount in every feed. */
const TELECOM_COLUMNS: ColumnTable = {
  ...SHARED_COLUMNS,
  productName: 'Telcos:device_full_name',
  gtin: 'product_GTIN',
  condition: 'Telcos:device_features_json.condition',
  colour: { column: ['Telcos:device_features_json.colour', 'colour'] },
  retailer: { column: ['merchant_name', 'Telcos:deal_retailer_json.name', 'merchant_id'] },
  network: {
    column: ['Telcos:network', 'Telcos:network_details_json.name', 'Telcos:network_details_json.company_id'],
  },
  contractName: { column: ['Telcos:tariff', 'Telcos:tariff_details_json.tariff_name'] },
  contractMonths: 'Telcos:term',
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
};

const COLUMNS = compileColumns(TELECOM_COLUMNS, { hasExcessZeros: true });

const PLACES = {
  names: {
    ...namesOf(COLUMNS),
    cashbackType: 'Telcos:deal_cashback_json',
    cashbackValue: 'Telcos:deal_cashback_json',
    gift: 'Telcos:gift',
    storage: 'Telcos:storage_size',
  },
};

/**
 * An Awin download, with or without the `Telcos:` columns. Columns come in any order; unknown columns get no notice. The
 * settings of its merchant apply to a row without telecom data, also in a file that has telecom columns.
 */
export function createAwinAdapter(settings: AwinSettings): FeedAdapter {
  const merchants = compileMerchants(settings.merchants);
  return (file, context) =>
    readTable(file, readTextLines(file), {
      readHeader: (names, line) => findAwinColumns(file, names, line),
      readRow: (cells, columns, line) => {
        const row = new AwinRow(cells, columns);
        const location = { ...locationIn(file, line), record: row.text('merchant_product_id') };
        const exclusion = findExcludedCategory(location, row);
        if (exclusion !== undefined) return exclusion;
        const isConfigured = merchants.has(row.text('merchant_id') ?? '');
        const isShort = !hasTelecomColumns(columns) || (isConfigured && !row.hasTelecomData());
        const raw = isShort ? readMerchantRow(location, row, merchants) : readTelecomRow(location, row);
        const currency = findCurrency(row);
        if ('notice' in raw || currency === undefined || currency === context.currency) return raw;
        return { ...raw, otherCurrency: { place: 'currency', found: currency } };
      },
    });
}

const CATEGORY_COLUMNS = [
  'Telcos:device_product_json.product_type',
  'merchant_category',
  'product_type',
  'Telcos:contract_type',
];

/**
 * The rule that excludes a row by its category columns. `category_name` and `category_id` are not used: they say `Prepay
 * Mobile Phones` for contracts. An unknown category does not exclude a row: product matching decides whether it is a phone.
 */
function findExcludedCategory(location: RecordLocation, row: AwinRow): Excluded | undefined {
  const rules = CATEGORY_COLUMNS.flatMap((field) => {
    const found = row.text(field);
    const code = found === undefined ? undefined : findProductType(found);
    return found === undefined || code === undefined ? [] : [{ code, field, found }];
  });
  const [rule] = PRODUCT_TYPES.flatMap((code) => rules.find((each) => each.code === code) ?? []);
  if (rule === undefined) return undefined;
  return excluded(noticeAt(location, rule.code, { field: rule.field, found: showFound(rule.found) }));
}

/** The `currency` column, else the prefix of the price (`GBP129.99`). A feed without either is not checked. */
function findCurrency(row: AwinRow): string | undefined {
  return row.text('currency')?.toUpperCase() ?? /^[A-Z]{3}/.exec(row.text('display_price') ?? '')?.[0];
}

function readTelecomRow(location: RecordLocation, row: AwinRow): RawDeal | Excluded {
  if (hasNoContract(row)) {
    return excluded(noticeAt(location, 'no-contract', { field: 'Telcos:month_cost', found: '' }));
  }
  const fields: RawDeal['fields'] = {
    ...readColumns(COLUMNS, row.text),
    gtin: textField(readGtin(row)),
    condition: readCondition(row),
    storage: readStorage(row),
    productImage: textField(readImageUrl(row)),
    inStock: readStock(row),
    dealType: textField('contract'),
    gift: textField(readAwinGift(row)),
    ...readAwinCashback(row),
  };
  fields.productName ??= textField(joinName(row));
  fields.contractMonths = readMonths(row, fields);
  const edition = row.text('Telcos:device_product_edition_json.product_edition_id');
  const version = row.text('Telcos:device_product_version_json.product_version_id');
  return {
    location,
    fields,
    places: PLACES,
    feedIds: listTexts(edition, version),
    retailer: {
      names: listTexts(row.text('merchant_name'), row.text('Telcos:deal_retailer_json.name')),
      feedIds: listTexts(row.text('merchant_id')),
    },
    network: {
      names: listTexts(row.text('Telcos:network'), row.text('Telcos:network_details_json.name')),
      feedIds: listTexts(row.text('Telcos:network_details_json.company_id')),
    },
    texts: (row.text('product_name') ?? '').split(/ at £| on /, 1),
    conflict: findBrokenJson(location, row),
  };
}

/** In feeds without a contract type, a phone without a contract has neither a term nor a monthly cost. */
function hasNoContract(row: AwinRow): boolean {
  if (row.text('Telcos:contract_type') !== undefined) return false;
  const values = [
    row.text('Telcos:term'),
    row.text('Telcos:month_cost'),
    row.text('Telcos:deal_cost_json.monthly_total_inc_vat'),
    row.text('Telcos:deal_cost_json.monthly_device_term_months'),
    row.text('Telcos:deal_cost_json.monthly_contract_term_months'),
  ];
  return values.every((value) => value === undefined || Number(value) === 0);
}

/** The parts of the name; an edition alone (`32GB Black`) names no phone. */
function joinName(row: AwinRow): string | undefined {
  const product = row.text('Telcos:device_product_json.product_name');
  const version = row.text('Telcos:device_product_version_json.product_version_name');
  if (product === undefined && version === undefined) return undefined;
  const brand = row.text('Telcos:device_product_json.product_brand');
  const edition = row.text('Telcos:device_product_edition_json.product_edition_name');
  return listTexts(brand, product, version, edition).join(' ');
}

/**
 * Refurbished when the condition or its friendly form says so: some feeds sell used phones as `New` with `Good as New`,
 * and showing a used phone as new is the worse mistake.
 */
function readCondition(row: AwinRow): RawField | undefined {
  const stated = row.first('Telcos:device_features_json.condition', 'condition');
  const others = [row.text('condition'), row.text('Telcos:device_features_json.condition_friendly')];
  const used = [stated, ...others].find((text) => text !== undefined && saysNotNew(text));
  return conditionField(used ?? stated);
}

/** The first storage that is one; of a text with other words, the size in it. A number that is no size is an error. */
function readStorage(row: AwinRow): RawField | undefined {
  const texts = [row.text('Telcos:storage_size'), row.text('Telcos:device_features_json.capacity')];
  const found = texts.find((text) => /[1-9]/.test(text ?? ''));
  if (found === undefined) return undefined;
  const text = parseStorageSize(found) ?? /[0-9]{1,4} ?[GT]B\b/i.exec(found)?.[0];
  return text === undefined && !/^[0-9]+$/.test(found) ? undefined : { text, found };
}

/** The stated total may differ from upfront + monthly x months by the rounding of two amounts. */
const TOLERANCE_PENCE = 2;

/**
 * The airtime may end before the phone is paid off: of several terms, the one that gives the stated total is the length
 * of the contract. Without a term, the name may have it: `… on O2 Refresh (24 Month(s) contract) with …`.
 */
function readMonths(row: AwinRow, fields: RawDeal['fields']): RawField | undefined {
  const penceOf = (field: RawField | undefined): number => parsePence(field?.text ?? '') ?? NaN;
  const upfront = penceOf(fields.upfrontCost);
  const monthly = penceOf(fields.monthlyCost);
  const total = penceOf(fields.totalCost);
  const terms = [
    row.text('Telcos:deal_cost_json.monthly_device_term_months'),
    row.text('Telcos:term'),
    row.text('Telcos:deal_cost_json.monthly_contract_term_months'),
  ].flatMap((text) => parseMonths(/^([0-9]{1,3})(?: ?months?| ?month\(s\))?$/i.exec(text ?? '')?.[1]) ?? []);
  const named = /\(([0-9]{1,3}) months?(?:\(s\))? contract\)/i.exec(row.text('product_name') ?? '')?.[1];
  const months =
    terms.find((term) => Math.abs(upfront + monthly * term - total) <= TOLERANCE_PENCE) ??
    terms[0] ??
    parseMonths(named);
  if (months !== undefined) return textField(String(months));
  return fields.contractMonths && { ...fields.contractMonths, text: undefined };
}

function findBrokenJson(location: RecordLocation, { brokenJson }: AwinRow): RawDeal['conflict'] {
  if (brokenJson === undefined) return undefined;
  const { column, found } = brokenJson;
  return noticeAt(location, 'malformed-json', { field: column, expected: 'JSON', found: showFound(found) });
}

/** Each text once, without absent ones and `0`, which means none. */
function listTexts(...texts: readonly (string | undefined)[]): SupplierReference['names'] {
  return [...new Set(texts.flatMap((text) => (text === undefined || text === '0' ? [] : [text])))];
}
