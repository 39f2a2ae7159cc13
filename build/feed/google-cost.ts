import { formatPence, parsePence } from '../../data/record/amount.ts';
import { parseForeignDate, isWithin } from './dates.ts';
import type { FeedField, RawField } from './fields.ts';
import { dropExcessZeros } from './values.ts';
import type { GoogleItem } from './google-item.ts';

export interface GoogleCost {
  readonly fields: ReadonlyMap<FeedField, RawField>;
  readonly otherCurrency: { readonly attribute: string; readonly found: string } | undefined;
}

interface Amount {
  readonly pence: number;
  readonly currency: string;
}

const AMOUNT_FORMAT = 'an amount such as 35.00 GBP';
const SUBSCRIPTION_FORMAT = 'a subscription such as month:24:35.00 GBP, or in years';

const MONTHS_IN_PERIOD: ReadonlyMap<string, number> = new Map([
  ['month', 1],
  ['months', 1],
  ['year', 12],
  ['years', 12],
]);

/**
 * Reads the cost of an item: `price`, or `sale_price` while it is valid, is the upfront cost. `subscription_cost` plus
 * the instalments of the phone is the monthly cost, if both run for the same number of months.
 */
export function readGoogleCost(item: GoogleItem, now: Date, currency: string): GoogleCost {
  const fields = new Map<FeedField, RawField>();
  let otherCurrency: GoogleCost['otherCurrency'];

  const price = readUpfront();
  const subscription = item.parts('subscription_cost');
  if (subscription !== undefined) readSubscription(subscription);
  return { fields, otherCurrency };

  function readUpfront(): number | undefined {
    const sale = readSale(item, now);
    if (sale.kind === 'malformed') {
      fields.set('upfrontCost', sale.field);
      return undefined;
    }
    const attribute = sale.kind === 'holds' ? 'sale_price' : 'price';
    const found = item.text(attribute);
    if (found === undefined) return undefined;
    const amount = readAmount(attribute, found);
    fields.set('upfrontCost', amountField(amount, found));
    return amount?.pence;
  }

  function readSubscription(parts: ReadonlyMap<string, string>): void {
    const found = showParts(parts);
    const unit = MONTHS_IN_PERIOD.get(parts.get('period')?.toLowerCase() ?? '');
    const length = parseCount(parts.get('period_length'));
    const amount = readAmount('subscription_cost', parts.get('amount') ?? '');
    const reject = (expected: string): void => {
      fields.set('contractMonths', { text: undefined, found, expected });
      fields.set('monthlyCost', { text: undefined, found, expected });
    };
    if (unit === undefined || length === undefined || amount === undefined || amount.pence % unit !== 0) {
      return reject(SUBSCRIPTION_FORMAT);
    }
    const months = length * unit;
    const instalment = readInstalment();
    if (instalment === 'malformed') return reject('an installment such as 24:10.00 GBP with it');
    if (instalment !== undefined && instalment.months !== months) {
      return reject(`an installment of as many months, got one of ${instalment.months}`);
    }
    if (instalment?.downpayment !== undefined && instalment.downpayment !== price) {
      return reject('an installment whose downpayment is the price');
    }
    const monthly = amount.pence / unit + (instalment?.pence ?? 0);
    fields.set('contractMonths', { text: String(months), found });
    fields.set('monthlyCost', { text: formatPence(monthly), found });
  }

  function readInstalment():
    | { readonly months: number; readonly pence: number; readonly downpayment: number | undefined }
    | 'malformed'
    | undefined {
    const parts = item.parts('installment');
    if (parts === undefined) return undefined;
    const months = parseCount(parts.get('months'));
    const amount = readAmount('installment', parts.get('amount') ?? '');
    const down = parts.get('downpayment');
    const downpayment = down === undefined ? undefined : readAmount('installment', down);
    if (months === undefined || amount === undefined || (down !== undefined && downpayment === undefined))
      return 'malformed';
    return { months, pence: amount.pence, downpayment: downpayment?.pence };
  }

  function readAmount(attribute: string, text: string): Amount | undefined {
    const amount = parseAmount(text, item.text('currency'));
    if (amount !== undefined && amount.currency !== currency) otherCurrency ??= { attribute, found: text };
    return amount;
  }
}

type Sale =
  | { readonly kind: 'none' }
  | { readonly kind: 'holds' }
  | { readonly kind: 'malformed'; readonly field: RawField };

/** A sale price is valid within its dates, or always when it has none. */
function readSale(item: GoogleItem, now: Date): Sale {
  if (item.text('sale_price') === undefined) return { kind: 'none' };
  const days = item.text('sale_price_effective_date');
  if (days === undefined) return { kind: 'holds' };
  const [from, to, ...others] = days.split('/').map((text) => parseForeignDate(text, 'yyyy-mm-dd'));
  if (from === undefined || to === undefined || others.length > 0) {
    const expected = 'a sale_price_effective_date such as 2026-11-01T00:00Z/2026-11-30T23:59Z';
    return { kind: 'malformed', field: { text: undefined, found: days, expected } };
  }
  return { kind: isWithin(now, from, to) ? 'holds' : 'none' };
}

function amountField(amount: Amount | undefined, found: string): RawField {
  return { text: amount === undefined ? undefined : formatPence(amount.pence), found, expected: AMOUNT_FORMAT };
}

/** `35.00 GBP`, `GBP 1,035.00`, or without the code where the item has a `currency`. */
function parseAmount(text: string, ownCurrency: string | undefined): Amount | undefined {
  const [, before, number, after] = /^([A-Z]{3})? ?(-?[0-9.,]{1,20}) ?([A-Z]{3})?$/i.exec(text) ?? [];
  const currency = (before ?? after ?? ownCurrency)?.toUpperCase();
  if (number === undefined || currency === undefined || (before !== undefined && after !== undefined)) return undefined;
  const plain = /^-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.|$)/.test(number) ? number.replaceAll(',', '') : number;
  const pence = parsePence(dropExcessZeros(plain));
  return pence === undefined ? undefined : { pence, currency };
}

function parseCount(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]{1,3}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

function showParts(parts: ReadonlyMap<string, string>): string {
  return [...parts.values()].join(':');
}
