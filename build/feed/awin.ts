import { saysNotNew } from '../../data/record/condition-words.ts';
import { MEGABYTES_PER_GIGABYTE, type Allowance } from '../../data/record/amount.ts';
import type { SupplierReference } from '../../data/record/deal.ts';
import type { Condition } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import { quote, showFound } from '../source/quote.ts';
import type { ReadResult } from '../source/record.ts';
import type { FieldError } from '../source/schema-errors.ts';
import { readTextLines } from '../source/text-lines.ts';
import { excluded, noticeAt, type FeedAdapter, type FeedContext, type RecordLocation } from './adapter.ts';
import { finishDeal, type PartialDeal } from './read-deal.ts';
import { parseAllowance, parseCondition } from './values.ts';
import type { AwinSettings } from './feed-settings.ts';
import { readAwinCashback, readAwinCost, readAwinGift } from './awin-cost.ts';
import { excludeRow, findAwinExclusion } from './awin-exclude.ts';
import { compileMerchants, readMerchantRow, type Merchants } from './awin-merchant.ts';
import {
  AwinRow,
  findAwinColumns,
  hasTelecomColumns,
  isTelecomColumn,
  readGtin,
  readImageUrl,
  textAt,
  type AwinColumn,
} from './awin-row.ts';
import { readTable } from './read-table.ts';

/** The column of each field of the record, for messages. */
const COLUMN_OF_RECORD_KEY: Readonly<Record<string, AwinColumn>> = {
  key: 'merchant_product_id',
  'product.name': 'Telcos:device_full_name',
  retailer: 'merchant_name',
  network: 'Telcos:network',
  contractName: 'Telcos:tariff',
  link: 'aw_deep_link',
  cashbackType: 'Telcos:deal_cashback_json',
  gift: 'Telcos:gift',
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
        const location = { source: file.source, file: file.path, line };
        const row = new AwinRow(cells, columns);
        for (const column of columns.keys()) context.fields.count(column, row.text(column) !== undefined);
        const isShort = !hasTelecomColumns(columns) || (isConfigured(row, merchants) && !hasTelecomData(row, columns));
        if (isShort) return readMerchantRow(location, row, context, merchants);
        countParts(row, context);
        return readTelecomRow(location, row, context);
      },
    });
}

/** Fields within JSON cells that are counted like columns. */
const COUNTED_PARTS = [
  ['Telcos:device_features_json', 'condition'],
  ['Telcos:device_features_json', 'colour'],
  ['Telcos:device_product_edition_json', 'product_edition_id'],
  ['Telcos:device_product_version_json', 'product_version_id'],
  ['Telcos:deal_cost_json', 'monthly_device_term_months'],
  ['Telcos:deal_cost_json', 'tco_inc_vat'],
] as const;

function countParts(row: AwinRow, { fields }: FeedContext): void {
  for (const [column, key] of COUNTED_PARTS) {
    fields.count(`${column}.${key}`, textAt(row.json(column), key) !== undefined);
  }
}

function isConfigured(row: AwinRow, merchants: Merchants): boolean {
  const id = row.text('merchant_id');
  return id !== undefined && merchants.has(id);
}

function hasTelecomData(row: AwinRow, columns: ReadonlyMap<AwinColumn, number>): boolean {
  return [...columns.keys()].some((column) => isTelecomColumn(column) && row.text(column) !== undefined);
}

function readTelecomRow(location: RecordLocation, row: AwinRow, context: FeedContext): ReadResult {
  const key = row.text('merchant_product_id');
  const record = { ...location, record: key };
  const errors: FieldError[] = [];

  const rule = findAwinExclusion(row, context.now, errors);
  const exclusion = excludeRow(record, row, context.currency, rule, () => readProduct(row, context, []));
  if (exclusion !== undefined) return exclusion;
  const allowances = readAllowances(row, context, errors);
  const notices: Notice[] = [];
  const deal: PartialDeal = {
    key: required(key, 'merchant_product_id', 'the id of the deal'),
    product: readProduct(row, context, errors),
    retailer: required(readRetailer(row), 'merchant_name', 'a retailer'),
    network: required(readNetwork(row), 'Telcos:network', 'a network'),
    dealType: 'contract',
    contractName: required(readContractName(row), 'Telcos:tariff', 'the name of the contract'),
    ...readAwinCost(row, errors),
    ...allowances.values,
    ...readCashback(record, row, notices),
    gift: readAwinGift(row),
    link: required(row.text('aw_deep_link') ?? row.text('merchant_deep_link'), 'aw_deep_link', 'an http or https URL'),
    productImage: readImageUrl(row),
  };
  if (row.brokenJson !== undefined) {
    const { column, found } = row.brokenJson;
    return excluded(noticeAt(record, 'malformed-json', { field: column, expected: 'JSON', found: showFound(found) }));
  }
  if (allowances.missing !== undefined && errors.length === 0) {
    const facts = { field: allowances.missing, expected: 'a number or UNLIMITED' };
    return excluded(noticeAt(record, 'missing-allowance', facts), deal.product);
  }
  return finishDeal(record, deal, errors, notices, (error) => ({
    ...error,
    path: COLUMN_OF_RECORD_KEY[error.path] ?? error.path,
  }));

  function required<Value>(value: Value | undefined, path: AwinColumn, expected: string): Value | undefined {
    if (value === undefined) errors.push({ path, expected, found: undefined });
    return value;
  }
}

function readProduct(row: AwinRow, { conditionWords }: FeedContext, errors: FieldError[]): object {
  const features = row.json('Telcos:device_features_json');
  const version = row.json('Telcos:device_product_version_json');
  const edition = row.json('Telcos:device_product_edition_json');
  const name =
    row.text('Telcos:device_full_name') ?? joinName(row.json('Telcos:device_product_json'), version, edition);
  const feedIds = listTexts([textAt(edition, 'product_edition_id'), textAt(version, 'product_version_id')]);
  const gtin = readGtin(row);
  const colour = textAt(features, 'colour') ?? row.text('colour');
  if (name === undefined && gtin === undefined && feedIds.length === 0) {
    errors.push({ path: 'Telcos:device_full_name', expected: 'the name of the phone', found: undefined });
  }
  const storage = [row.text('Telcos:storage_size'), textAt(features, 'capacity')].find((text) =>
    /[1-9]/.test(text ?? ''),
  );
  const [title = ''] = (row.text('product_name') ?? '').split(/ at £| on /, 1);
  return {
    feedIds,
    gtin,
    name,
    colour,
    storage,
    condition: readCondition(row, features, errors),
    ...(saysNotNew(title) && { saysNotNew: true }),
    ...(conditionWords === 'refurbished' && { conditionWords }),
  };
}

function joinName(product: unknown, version: unknown, edition: unknown): string | undefined {
  const parts = [
    textAt(product, 'product_brand'),
    textAt(product, 'product_name'),
    textAt(version, 'product_version_name'),
    textAt(edition, 'product_edition_name'),
  ];
  // An edition alone (`32GB Black`) names no phone.
  return parts[1] === undefined && parts[2] === undefined ? undefined : listTexts(parts).join(' ');
}

/**
 * Refurbished when the condition or its friendly form says so: some feeds sell used phones as `New` with `Good as New`,
 * and showing a used phone as new is the worse mistake.
 */
function readCondition(row: AwinRow, features: unknown, errors: FieldError[]): Condition | undefined {
  const stated = textAt(features, 'condition') ?? row.text('condition');
  const texts = [stated, row.text('condition'), textAt(features, 'condition_friendly')];
  if (texts.some((text) => text !== undefined && saysNotNew(text))) return 'refurbished';
  const condition = stated === undefined ? undefined : parseCondition(stated);
  if (condition !== undefined || stated === undefined) return condition;
  errors.push({ path: 'Telcos:device_features_json.condition', expected: 'New or Refurbished', found: stated });
  return undefined;
}

/** Awin's ids are feed ids: the CMS may map them. */
function readRetailer(row: AwinRow): Partial<SupplierReference> | undefined {
  const retailer = textAt(row.json('Telcos:deal_retailer_json'), 'name');
  return referenceOf([row.text('merchant_name'), retailer], row.text('merchant_id'));
}

function readNetwork(row: AwinRow): Partial<SupplierReference> | undefined {
  const details = row.json('Telcos:network_details_json');
  return referenceOf([row.text('Telcos:network'), textAt(details, 'name')], textAt(details, 'company_id'));
}

function referenceOf(
  texts: readonly (string | undefined)[],
  id: string | undefined,
): Partial<SupplierReference> | undefined {
  const [names, feedIds] = [listTexts(texts), listTexts([id])];
  return names.length + feedIds.length === 0 ? undefined : { names, feedIds };
}

function readContractName(row: AwinRow): string | undefined {
  return row.text('Telcos:tariff') ?? textAt(row.json('Telcos:tariff_details_json'), 'tariff_name');
}

/** The allowances, and the first column that is blank without a `missingAllowance` in the configuration. */
function readAllowances(
  row: AwinRow,
  context: FeedContext,
  errors: FieldError[],
): { readonly values: Partial<PartialDeal>; readonly missing: AwinColumn | undefined } {
  let missing: AwinColumn | undefined;
  let details: unknown;
  const values = {
    dataMegabytes: read('Telcos:inc_data', ['data_details', 'cellular_mb'], parseData, 'megabytes or UNLIMITED'),
    callMinutes: read('Telcos:inc_minutes', ['mins_details', 'cross_net_anytime'], parseCount, 'a number or UNLIMITED'),
    textMessages: read('Telcos:inc_texts', ['texts_details', 'cross_net_anytime'], parseCount, 'a number or UNLIMITED'),
  };
  return { values, missing };

  function read(
    column: AwinColumn,
    path: readonly string[],
    parse: (text: string) => Allowance | undefined,
    expected: string,
  ): Allowance | undefined {
    const text = row.text(column) ?? textAt((details ??= row.json('Telcos:tariff_allowances_json')), ...path);
    if (text === undefined) {
      if (context.missingAllowance === 'unlimited') return 'unlimited';
      missing ??= column;
      return undefined;
    }
    const allowance = parse(text);
    if (allowance === undefined) errors.push({ path: column, expected, found: text });
    return allowance;
  }
}

/** Megabytes, 1,000 to the gigabyte: `40000`, or with a unit, `40GB`. */
function parseData(text: string): Allowance | undefined {
  const match = /^([0-9.]{1,12}) ?(MB|GB)$/i.exec(text);
  if (match === null) return parseCount(text);
  return parseAllowance(match[1] as string, (match[2] as string).toUpperCase() === 'GB' ? MEGABYTES_PER_GIGABYTE : 1);
}

/** Some networks write `-1` for unlimited. */
function parseCount(text: string): Allowance | undefined {
  return text === '-1' ? 'unlimited' : parseAllowance(text);
}

/** A cashback needs both a type and an amount: half of one is dropped. */
function readCashback(location: RecordLocation, row: AwinRow, notices: Notice[]): Partial<PartialDeal> {
  const cashback = readAwinCashback(row);
  if (cashback === undefined) return {};
  const { type, pence } = cashback;
  if (type !== undefined && pence !== undefined) return { cashbackType: type, cashbackPence: pence };
  notices.push(
    noticeAt(location, 'half-cashback', {
      field: 'Telcos:deal_cashback_json',
      expected: type === undefined ? 'a type with the amount' : `an amount with ${quote(type)}`,
      found: showFound(row.text('Telcos:deal_cashback_json')),
    }),
  );
  return {};
}

/** Each text once, without absent ones and `0`, which means none. */
function listTexts(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined && text !== '0'))] as string[];
}
