import type { NoticeCode } from '../../../data/report/notice.ts';
import type { FieldError } from '../../source/schema-errors.ts';
import { DATE_RANGE_FORMAT, isReversed, parseDateRange, type BuildClock, type DateRange } from '../deal/dates.ts';
import { findProductType, PRODUCT_TYPES } from '../mapping/product-type.ts';
import { textAt, type AwinColumn, type AwinRow } from './awin-row.ts';

/** The rule that leaves a row out, and the cell that says so. */
export interface AwinExclusion {
  readonly code: NoticeCode;
  readonly field: string;
  readonly found: string;
}

const OUT_OF_STOCK = /^(?:0|n|no|false|out[ _-]?of[ _-]?stock|sold[ _-]?out|unavailable)$/i;

const STOCK_COLUMNS = ['in_stock', 'is_for_sale', 'stock_status'] as const satisfies readonly AwinColumn[];

/**
 * The rule that leaves the row out of the catalogue, if any. `category_name` and `category_id` are not asked: they
 * say `Prepay Mobile Phones` of contracts. A category that nobody knows is no reason to leave a row out: whether it
 * is a phone shows when it is matched to a product.
 */
export function findAwinExclusion(row: AwinRow, time: BuildClock, faults: FieldError[]): AwinExclusion | undefined {
  return findProductTypeExclusion(row) ?? findContractExclusion(row) ?? findTemporaryExclusion(row, time, faults);
}

/** The rule that leaves a row out for what it sells, by its category columns. */
export function findProductTypeExclusion(row: AwinRow): AwinExclusion | undefined {
  const cells: readonly (readonly [string, string | undefined])[] = [
    ['Telcos:device_product_json.product_type', textAt(row.json('Telcos:device_product_json'), 'product_type')],
    ['merchant_category', row.text('merchant_category')],
    ['product_type', row.text('product_type')],
    ['Telcos:contract_type', row.text('Telcos:contract_type')],
  ];
  const rules = cells.flatMap(([field, found]) => {
    const code = found === undefined ? undefined : findProductType(found);
    return code === undefined ? [] : [{ code, field, found: found ?? '' }];
  });
  for (const code of PRODUCT_TYPES) {
    const rule = rules.find((each) => each.code === code);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** Whether the rule leaves out a deal of a phone, which is looked for by the name of the phone. */
export function isTemporary({ code }: AwinExclusion): boolean {
  return code === 'out-of-stock' || code === 'not-valid-today';
}

/** The rule that leaves a row out today: it is out of stock, or not valid. */
export function findTemporaryExclusion(
  row: AwinRow,
  time: BuildClock,
  faults: FieldError[],
): AwinExclusion | undefined {
  return findStockExclusion(row) ?? findValidityExclusion(row, time, faults);
}

function findContractExclusion(row: AwinRow): AwinExclusion | undefined {
  return hasNoContract(row) ? { code: 'no-contract', field: 'Telcos:month_cost', found: '' } : undefined;
}

/** A phone sold by itself, in feeds that have no contract type: neither a term nor a monthly cost. */
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

function findValidityExclusion(row: AwinRow, time: BuildClock, faults: FieldError[]): AwinExclusion | undefined {
  const from = readDate(row, 'valid_from', faults);
  const to = readDate(row, 'valid_to', faults);
  if (isReversed(from, to)) {
    return { code: 'contradictory-facts', field: 'valid_to', found: row.text('valid_to') ?? '' };
  }
  if (time.isWithin(from, to)) return undefined;
  const field = time.isWithin(from, undefined) ? 'valid_to' : 'valid_from';
  return { code: 'not-valid-today', field, found: row.text(field) ?? '' };
}

/** Awin writes `2026-11-20 08:00:00` without a zone, which we take for UTC, and zeros for never. */
function readDate(row: AwinRow, column: 'valid_from' | 'valid_to', faults: FieldError[]): DateRange | undefined {
  const text = row.text(column);
  if (text === undefined || text.startsWith('0000-00-00')) return undefined;
  const moment = parseDateRange(text) ?? parseDateRange(`${text}Z`);
  if (moment === undefined) faults.push({ path: column, expected: DATE_RANGE_FORMAT, found: text });
  return moment;
}
