import { formatPence, parsePence } from '../../data/record/amount.ts';
import { isWithin, parseForeignDate } from './dates.ts';
import type { GoogleItem } from './google-item.ts';
import { dropExcessZeros } from './kinds.ts';
import type { RawDeal, RawField, RawFields } from './raw-deal.ts';

interface Amount {
  readonly pence: number;
  readonly currency: string;
}

const AMOUNT_FORMAT = 'an amount such as 35.00 GBP';
const SUBSCRIPTION_FORMAT = 'a subscription such as month:24:35.00 GBP, or in years';
const SALE_DATES_FORMAT = 'a sale_price_effective_date such as 2026-11-01T00:00Z/2026-11-30T23:59Z';

const MONTHS_IN_PERIOD: ReadonlyMap<string, number> = new Map([
  ['month', 1],
  ['months', 1],
  ['year', 12],
  ['years', 12],
]);

/** The cost of an item, and the first amount in another currency. */
export interface GoogleCost {
  readonly fields: Pick<RawFields, 'upfrontCost' | 'monthlyCost' | 'contractMonths'>;
  readonly otherCurrency: RawDeal['otherCurrency'];
}

/**
 * Reads the cost of an item: `price`, or `sale_price` while it is valid, is the upfront cost. `subscription_cost` plus
 * the instalments of the phone is the monthly cost, if both run for the same number of months.
 */
export function readGoogleCost(item: GoogleItem, now: Date, currency: string): GoogleCost {
  let otherCurrency: GoogleCost['otherCurrency'];
  const upfrontCost = readUpfront();
  return { fields: { upfrontCost, ...readSubscription(upfrontCost) }, otherCurrency };

  function readUpfront(): RawField | undefined {
    const sale = item.text('sale_price') === undefined ? 'over' : findSale(item.text('sale_price_effective_date'), now);
    if (sale === 'malformed') {
      return { text: undefined, found: item.text('sale_price_effective_date') ?? '', expected: SALE_DATES_FORMAT };
    }
    const place = sale === 'on' ? 'sale_price' : 'price';
    const found = item.text(place);
    if (found === undefined) return undefined;
    const amount = readAmount(place, found);
    return { text: amount && formatPence(amount.pence), found, expected: AMOUNT_FORMAT };
  }

  function readSubscription(upfront: RawField | undefined): GoogleCost['fields'] {
    const parts = item.parts('subscription_cost');
    if (parts === undefined) return {};
    const found = [...parts.values()].join(':');
    const unit = MONTHS_IN_PERIOD.get(parts.get('period')?.toLowerCase() ?? '');
    const length = parseCount(parts.get('period_length'));
    const amount = readAmount('subscription_cost', parts.get('amount') ?? '');
    if (unit === undefined || length === undefined || amount === undefined || amount.pence % unit !== 0) {
      return rejected(found, SUBSCRIPTION_FORMAT);
    }
    const instalment = readInstalment(length * unit, upfront);
    if (typeof instalment === 'string') return rejected(found, instalment);
    return {
      contractMonths: { text: String(length * unit), found },
      monthlyCost: { text: formatPence(amount.pence / unit + instalment), found },
    };
  }

  /** The monthly instalment of the phone in pence, or what is expected of it. */
  function readInstalment(contractMonths: number, upfront: RawField | undefined): number | string {
    const parts = item.parts('installment');
    if (parts === undefined) return 0;
    const months = parseCount(parts.get('months'));
    const amount = readAmount('installment', parts.get('amount') ?? '');
    const down = parts.get('downpayment');
    const downpayment = down === undefined ? undefined : readAmount('installment', down);
    if (months === undefined || amount === undefined || (down !== undefined && downpayment === undefined)) {
      return 'an installment such as 24:10.00 GBP with it';
    }
    if (months !== contractMonths) return `an installment of as many months, got one of ${months}`;
    const isPrice = downpayment === undefined || formatPence(downpayment.pence) === upfront?.text;
    return isPrice ? amount.pence : 'an installment whose downpayment is the price';
  }

  function readAmount(place: string, text: string): Amount | undefined {
    const amount = parseAmount(text, item.text('currency'));
    if (amount !== undefined && amount.currency !== currency) otherCurrency ??= { place, found: text };
    return amount;
  }
}

function rejected(found: string, expected: string): GoogleCost['fields'] {
  const field = { text: undefined, found, expected };
  return { contractMonths: field, monthlyCost: field };
}

/** Whether a sale price holds: within its dates, or always when it has none. */
function findSale(days: string | undefined, now: Date): 'on' | 'over' | 'malformed' {
  if (days === undefined) return 'on';
  const [from, to, ...others] = days.split('/').map((text) => parseForeignDate(text, 'yyyy-mm-dd'));
  if (from === undefined || to === undefined || others.length > 0) return 'malformed';
  return isWithin(now, from, to) ? 'on' : 'over';
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
