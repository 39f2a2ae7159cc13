import type { NoticeCode } from '../../data/report/notice.ts';
import { showFound } from '../source/quote.ts';
import type { ReadResult } from '../source/record.ts';
import type { FieldError } from '../source/schema-errors.ts';
import { excluded, noticeAt, type RecordLocation } from './adapter.ts';
import { DATE_RANGE_FORMAT, isReversed, parseDateRange, isWithin, type DateRange } from './dates.ts';
import { findProductType, PRODUCT_TYPES } from './product-type.ts';
import { findCurrency, textAt, type AwinColumn, type AwinRow } from './awin-row.ts';

/** The rule that excludes a row, and the column that matched it. */
export interface AwinExclusion {
  readonly code: NoticeCode;
  readonly field: string;
  readonly found: string;
}

const OUT_OF_STOCK = /^(?:0|n|no|false|out[ _-]?of[ _-]?stock|sold[ _-]?out|unavailable)$/i;

const STOCK_COLUMNS = ['in_stock', 'is_for_sale', 'stock_status'] as const satisfies readonly AwinColumn[];

/**
 * The rule that excludes the row, if any. `category_name` and `category_id` are not used: they say `Prepay Mobile Phones`
 * for contracts. An unknown category does not exclude a row: product matching decides whether it is a phone.
 */
export function findAwinExclusion(row: AwinRow, now: Date, errors: FieldError[]): AwinExclusion | undefined {
  return findProductTypeExclusion(row) ?? findContractExclusion(row) ?? findTemporaryExclusion(row, now, errors);
}

/** The rule that excludes a row by its category columns. */
export function findProductTypeExclusion(row: AwinRow): AwinExclusion | undefined {
  const categories: readonly (readonly [string, string | undefined])[] = [
    ['Telcos:device_product_json.product_type', textAt(row.json('Telcos:device_product_json'), 'product_type')],
    ['merchant_category', row.text('merchant_category')],
    ['product_type', row.text('product_type')],
    ['Telcos:contract_type', row.text('Telcos:contract_type')],
  ];
  const rules = categories.flatMap(([field, found]) => {
    const code = found === undefined ? undefined : findProductType(found);
    return code === undefined ? [] : [{ code, field, found: found ?? '' }];
  });
  for (const code of PRODUCT_TYPES) {
    const rule = rules.find((each) => each.code === code);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/**
 * The result for a row that `rule` excludes, or whose prices are in another currency; undefined for other rows.
 *
 * @param readProduct reads the phone of a deal that is excluded only today, for searches
 */
export function excludeRow(
  record: RecordLocation,
  row: AwinRow,
  currency: string,
  rule: AwinExclusion | undefined,
  readProduct: () => object,
): ReadResult | undefined {
  if (rule !== undefined) {
    const isTemporary = rule.code === 'out-of-stock' || rule.code === 'not-valid-today';
    const notice = noticeAt(record, rule.code, { field: rule.field, found: showFound(rule.found) });
    return excluded(notice, isTemporary ? readProduct() : undefined);
  }
  const found = findCurrency(row);
  if (found === undefined || found === currency) return undefined;
  const facts = { field: 'currency', expected: currency, found: showFound(found) };
  return excluded(noticeAt(record, 'wrong-currency', facts));
}

/** The rule that excludes a row today: it is out of stock, or not valid. */
export function findTemporaryExclusion(row: AwinRow, now: Date, errors: FieldError[]): AwinExclusion | undefined {
  return findStockExclusion(row) ?? findValidityExclusion(row, now, errors);
}

function findContractExclusion(row: AwinRow): AwinExclusion | undefined {
  return hasNoContract(row) ? { code: 'no-contract', field: 'Telcos:month_cost', found: '' } : undefined;
}

/** In feeds without a contract type, a phone without a contract has neither a term nor a monthly cost. */
function hasNoContract(row: AwinRow): boolean {
  if (row.text('Telcos:contract_type') !== undefined) return false;
  const cost = row.json('Telcos:deal_cost_json');
  const values = [
    row.text('Telcos:term'),
    row.text('Telcos:month_cost'),
    textAt(cost, 'monthly_total_inc_vat'),
    textAt(cost, 'monthly_device_term_months'),
    textAt(cost, 'monthly_contract_term_months'),
  ];
  return values.every((value) => value === undefined || Number(value) === 0);
}

function findStockExclusion(row: AwinRow): AwinExclusion | undefined {
  for (const field of STOCK_COLUMNS) {
    const found = row.text(field);
    if (found !== undefined && OUT_OF_STOCK.test(found)) return { code: 'out-of-stock', field, found };
  }
  return undefined;
}

function findValidityExclusion(row: AwinRow, now: Date, errors: FieldError[]): AwinExclusion | undefined {
  const from = readDate(row, 'valid_from', errors);
  const to = readDate(row, 'valid_to', errors);
  if (isReversed(from, to)) {
    return { code: 'contradictory-facts', field: 'valid_to', found: row.text('valid_to') ?? '' };
  }
  if (isWithin(now, from, to)) return undefined;
  const field = isWithin(now, from, undefined) ? 'valid_to' : 'valid_from';
  return { code: 'not-valid-today', field, found: row.text(field) ?? '' };
}

/** Awin writes `2026-11-20 08:00:00` without a zone, which we read as UTC, and zeros for never. */
function readDate(row: AwinRow, column: 'valid_from' | 'valid_to', errors: FieldError[]): DateRange | undefined {
  const text = row.text(column);
  if (text === undefined || text.startsWith('0000-00-00')) return undefined;
  const date = parseDateRange(text) ?? parseDateRange(`${text}Z`);
  if (date === undefined) errors.push({ path: column, expected: DATE_RANGE_FORMAT, found: text });
  return date;
}
