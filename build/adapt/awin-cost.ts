import { parsePence } from '../../data/record/money.ts';
import type { SchemaFault } from '../source/schema-fault.ts';
import { textAt, type AwinRow } from './awin-row.ts';

/** As for every feed: the stated total may differ from upfront + monthly x months by the rounding of two amounts. */
const TOLERANCE_PENCE = 2;

const AMOUNT = 'an amount such as 29.99';
const MONTHS = 'a number of months, 1 to 120';

/** What a deal costs, and for how long; absent is what could not be read. */
export interface AwinCost {
  readonly upfrontPence: number | undefined;
  readonly monthlyPence: number | undefined;
  readonly statedTotalPence: number | undefined;
  readonly contractMonths: number | undefined;
}

/**
 * `search_price` is never read: in some feeds it is the upfront cost, in some the monthly, in some the price of the
 * phone.
 */
export function readAwinCost(row: AwinRow, faults: SchemaFault[]): AwinCost {
  const cost = row.json('Telcos:deal_cost_json');
  const upfrontPence = readAmount(
    'Telcos:initial_cost',
    row.text('Telcos:initial_cost') ?? textAt(cost, 'upfront_inc_vat'),
  );
  const monthlyPence = readAmount(
    'Telcos:month_cost',
    row.text('Telcos:month_cost') ?? textAt(cost, 'monthly_total_inc_vat'),
  );
  const total = textAt(cost, 'tco_inc_vat');
  const statedTotalPence = total === undefined ? undefined : readAmount('Telcos:deal_cost_json.tco_inc_vat', total);
  const terms = [
    textAt(cost, 'monthly_device_term_months'),
    row.text('Telcos:term'),
    textAt(cost, 'monthly_contract_term_months'),
  ].flatMap((text) => parseMonths(text) ?? []);
  const contractMonths =
    terms.find((months) => isTotal(upfrontPence, monthlyPence, months, statedTotalPence)) ??
    terms[0] ??
    findMonthsInName(row.text('product_name'));
  if (contractMonths === undefined) {
    faults.push({ path: 'Telcos:term', expected: MONTHS, found: row.text('Telcos:term') });
  }
  return { upfrontPence, monthlyPence, statedTotalPence, contractMonths };

  function readAmount(path: string, text: string | undefined): number | undefined {
    // Some exports write 29.9900: zeros beyond the pence say nothing.
    const pence = text === undefined ? undefined : parsePence(text.replace(/(\.[0-9]{2})0+$/, '$1'));
    if (pence === undefined) faults.push({ path, expected: AMOUNT, found: text });
    return pence;
  }
}

/**
 * The airtime may end before the phone is paid off, and the feed does not say which of the two is meant: the term
 * that makes the stated total true is the length of the contract.
 */
function isTotal(
  upfrontPence: number | undefined,
  monthlyPence: number | undefined,
  months: number,
  totalPence: number | undefined,
): boolean {
  if (upfrontPence === undefined || monthlyPence === undefined || totalPence === undefined) return false;
  return Math.abs(upfrontPence + monthlyPence * months - totalPence) <= TOLERANCE_PENCE;
}

/** `24`, `24 Month(s)` */
function parseMonths(text: string | undefined): number | undefined {
  const match = /^([0-9]{1,3})(?: ?months?| ?month\(s\))?$/i.exec(text ?? '');
  return match === null ? undefined : withinBounds(Number(match[1]));
}

/** `… on O2 Refresh (24 Month(s) contract) with …` */
function findMonthsInName(name: string | undefined): number | undefined {
  const match = /\(([0-9]{1,3}) months?(?:\(s\))? contract\)/i.exec(name ?? '');
  return match === null ? undefined : withinBounds(Number(match[1]));
}

function withinBounds(months: number): number | undefined {
  return months >= 1 && months <= 120 ? months : undefined;
}
