import { parsePence } from '../../data/record/amount.ts';
import type { FieldError } from '../source/schema-errors.ts';
import { AMOUNT_FORMAT, dropExcessZeros } from './values.ts';
import { textAt, type AwinColumn, type AwinRow } from './awin-row.ts';

/** The stated total may differ from upfront + monthly x months by the rounding of two amounts. */
const TOLERANCE_PENCE = 2;

const MONTHS = 'a number of months, 1 to 120';

/** The cost and the length of a deal; undefined is what could not be read. */
export interface AwinCost {
  readonly upfrontPence: number | undefined;
  readonly monthlyPence: number | undefined;
  readonly statedTotalPence: number | undefined;
  readonly contractMonths: number | undefined;
}

/** `search_price` is not read: it is the upfront cost, the monthly cost or the price of the phone, depending on the feed. */
export function readAwinCost(row: AwinRow, errors: FieldError[]): AwinCost {
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
    errors.push({ path: 'Telcos:term', expected: MONTHS, found: row.text('Telcos:term') });
  }
  return { upfrontPence, monthlyPence, statedTotalPence, contractMonths };

  function readAmount(path: string, text: string | undefined): number | undefined {
    const pence = text === undefined ? undefined : parsePence(dropExcessZeros(text));
    if (pence === undefined) errors.push({ path, expected: AMOUNT_FORMAT, found: text });
    return pence;
  }
}

/**
 * The airtime may end before the phone is paid off. The term that gives the stated total is the length of the contract.
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

export interface AwinCashback {
  readonly type: string | undefined;
  readonly pence: number | undefined;
}

const AMOUNT_KEY = /value|amount/i;
const TYPE_KEY = /type/i;
const NAME_KEY = /name|title/i;
const DESCRIPTION_KEY = /description/i;

/** Deeper than any list of extras. The shape is not documented, so it needs a limit. */
const MAX_EXTRAS_DEPTH = 4;

const NO_GIFT = /^(?:0|no|none|n\/?a|-)$/i;

/**
 * The cashback of a deal. The shape of the cell is not documented: an object with an amount and a type, a list of such
 * objects, or a text with both.
 */
export function readAwinCashback(row: AwinRow): AwinCashback | undefined {
  for (const texts of readEntries(row, 'Telcos:deal_cashback_json')) {
    const all = [...texts.values()].join(' ');
    const amount = findText(texts, AMOUNT_KEY) ?? findAmount(texts.get(''));
    const given = findText(texts, TYPE_KEY);
    const cashback = {
      type: cashbackTypeOf(given ?? all) ?? given,
      pence: amount === undefined ? undefined : parsePence(amount.replace(/^(?:£|GBP) ?/, '')),
    };
    if (cashback.pence !== 0 && (cashback.type !== undefined || cashback.pence !== undefined)) return cashback;
  }
  return undefined;
}

/** The gift of a deal: its own column, else the names of the deal's extras. */
export function readAwinGift(row: AwinRow): string | undefined {
  const gift = row.text('Telcos:gift');
  if (gift !== undefined && !NO_GIFT.test(gift)) return gift;
  const names = readEntries(row, 'Telcos:deal_extras_json').flatMap(
    (texts) => findText(texts, NAME_KEY) ?? findText(texts, DESCRIPTION_KEY) ?? texts.get('') ?? [],
  );
  return names.filter((name) => !NO_GIFT.test(name)).join(' + ') || undefined;
}

/** The usual names of the two types; undefined when the text is neither. */
function cashbackTypeOf(text: string): string | undefined {
  if (/redempt|redeem|claim/i.test(text)) return 'Cashback by redemption';
  return /\bauto(?:matic)?/i.test(text) ? 'Automatic Cashback' : undefined;
}

/** The texts of every object in a JSON cell, by key; a cell of plain text is one entry with an empty key. */
function readEntries(row: AwinRow, column: AwinColumn): readonly ReadonlyMap<string, string>[] {
  const text = row.text(column);
  if (text === undefined) return [];
  if (!/^[[{"]/.test(text)) return [new Map([['', text]])];
  const entries: ReadonlyMap<string, string>[] = [];
  collectEntries(row.json(column), entries, MAX_EXTRAS_DEPTH);
  return entries;
}

function collectEntries(value: unknown, entries: ReadonlyMap<string, string>[], depth: number): void {
  if (depth === 0 || value === null || value === undefined) return;
  if (typeof value !== 'object') {
    const text = textAt(value);
    if (text !== undefined) entries.push(new Map([['', text]]));
    return;
  }
  if (!Array.isArray(value)) {
    const texts = Object.keys(value).flatMap((key): [string, string][] => {
      const text = textAt(value, key);
      return text === undefined ? [] : [[key, text]];
    });
    if (texts.length > 0) entries.push(new Map(texts));
  }
  for (const child of Object.values(value)) {
    if (Array.isArray(value) || typeof child === 'object') collectEntries(child, entries, depth - 1);
  }
}

function findText(texts: ReadonlyMap<string, string>, key: RegExp): string | undefined {
  for (const [name, text] of texts) {
    if (key.test(name)) return text;
  }
  return undefined;
}

/** `£50 automatic cashback` */
function findAmount(text: string | undefined): string | undefined {
  return /£ ?([0-9]{1,5}(?:\.[0-9]{2})?)/.exec(text ?? '')?.[1];
}
