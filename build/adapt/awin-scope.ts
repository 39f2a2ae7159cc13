import type { NoticeCode } from '../../data/report/notice.ts';
import type { SchemaFault } from '../source/schema-fault.ts';
import type { AwinColumn } from './awin-column.ts';
import { textAt, type AwinRow } from './awin-row.ts';
import { findSoldKind, SOLD_KINDS } from './sold-kind.ts';
import { isReversed, MOMENT_FORMAT, parseMoment, type BuildTime, type Moment } from './validity.ts';

/** The rule that leaves a row out, and the cell that says so. */
export interface AwinScopeRule {
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
export function findAwinScopeRule(row: AwinRow, time: BuildTime, faults: SchemaFault[]): AwinScopeRule | undefined {
  return findKindRule(row) ?? findContractRule(row) ?? findTimeRule(row, time, faults);
}

/** The rule that leaves a row out for what it sells, by its category columns. */
export function findKindRule(row: AwinRow): AwinScopeRule | undefined {
  const cells: readonly (readonly [string, string | undefined])[] = [
    ['Telcos:device_product_json.product_type', textAt(row.json('Telcos:device_product_json'), 'product_type')],
    ['merchant_category', row.text('merchant_category')],
    ['product_type', row.text('product_type')],
    ['Telcos:contract_type', row.text('Telcos:contract_type')],
  ];
  const rules = cells.flatMap(([field, found]) => {
    const code = found === undefined ? undefined : findSoldKind(found);
    return code === undefined ? [] : [{ code, field, found: found ?? '' }];
  });
  for (const code of SOLD_KINDS) {
    const rule = rules.find((each) => each.code === code);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** Whether the rule leaves out a deal of a phone, which is looked for by the name of the phone. */
export function isTimeRule({ code }: AwinScopeRule): boolean {
  return code === 'out-of-stock' || code === 'not-valid-today';
}

/** The rule that leaves a row out today: it is out of stock, or not valid. */
export function findTimeRule(row: AwinRow, time: BuildTime, faults: SchemaFault[]): AwinScopeRule | undefined {
  return findStockRule(row) ?? findValidityRule(row, time, faults);
}

function findContractRule(row: AwinRow): AwinScopeRule | undefined {
  return saysNothingOfContract(row) ? { code: 'no-contract', field: 'Telcos:month_cost', found: '' } : undefined;
}

/** A phone sold by itself, in feeds that have no contract type: neither a term nor a monthly cost. */
function saysNothingOfContract(row: AwinRow): boolean {
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

function findStockRule(row: AwinRow): AwinScopeRule | undefined {
  for (const field of STOCK_COLUMNS) {
    const found = row.text(field);
    if (found !== undefined && OUT_OF_STOCK.test(found)) return { code: 'out-of-stock', field, found };
  }
  return undefined;
}

function findValidityRule(row: AwinRow, time: BuildTime, faults: SchemaFault[]): AwinScopeRule | undefined {
  const from = readMoment(row, 'valid_from', faults);
  const to = readMoment(row, 'valid_to', faults);
  if (isReversed(from, to)) {
    return { code: 'contradictory-facts', field: 'valid_to', found: row.text('valid_to') ?? '' };
  }
  if (time.isWithin(from, to)) return undefined;
  const field = time.isWithin(from, undefined) ? 'valid_to' : 'valid_from';
  return { code: 'not-valid-today', field, found: row.text(field) ?? '' };
}

/** Awin writes `2026-11-20 08:00:00` without a zone, which we take for UTC, and zeros for never. */
function readMoment(row: AwinRow, column: 'valid_from' | 'valid_to', faults: SchemaFault[]): Moment | undefined {
  const text = row.text(column);
  if (text === undefined || text.startsWith('0000-00-00')) return undefined;
  const moment = parseMoment(text) ?? parseMoment(`${text}Z`);
  if (moment === undefined) faults.push({ path: column, expected: MOMENT_FORMAT, found: text });
  return moment;
}
