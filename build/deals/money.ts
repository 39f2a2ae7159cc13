import { formatPence, MEGABYTES_PER_GIGABYTE, type Allowance } from '../../data/record/amount.ts';
import type { DealRecord } from '../../data/record/deal.ts';
import type { BuildConfig } from '../config/config.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';

/** A stated total may differ by this much from what the parts add up to: feeds round months. */
const TOTAL_TOLERANCE_PENCE = 2;

/** The largest amount in the columns of a snapshot: ten million pounds. */
const MAX_PENCE = 1_000_000_000;

export type MoneyCheck =
  | { readonly kind: 'sound'; readonly totalPence: number; readonly notice?: NoticeDetails }
  | { readonly kind: 'quarantined'; readonly details: NoticeDetails };

/**
 * The rules about money, which are the same for all feeds (INPUTS "What must never go out"). The stated total is served
 * if there is one. It gets a notice when it differs from the sum of the parts, and quarantines the deal when it differs
 * too much.
 */
export function checkMoney(deal: DealRecord, rules: BuildConfig['money']): MoneyCheck {
  const { upfrontPence, monthlyPence, contractMonths, statedTotalPence } = deal;
  const sumPence = upfrontPence + monthlyPence * contractMonths;
  const totalPence = statedTotalPence ?? sumPence;
  const maxTotalPence = Math.min(rules.maxUpfrontPence + rules.maxMonthlyPence * contractMonths, MAX_PENCE);
  const maxCashbackPence = Math.min(rules.maxCashbackPence, totalPence);
  const amounts: readonly Amount[] = [
    { field: 'upfrontCost', pence: upfrontPence, maxPence: rules.maxUpfrontPence },
    { field: 'monthlyCost', pence: monthlyPence, maxPence: rules.maxMonthlyPence },
    { field: 'totalCost', pence: totalPence, maxPence: maxTotalPence },
    { field: 'cashbackValue', pence: deal.cashbackPence ?? 0, maxPence: maxCashbackPence },
  ];
  const details =
    findNegative(amounts) ?? (monthlyPence === 0 && !rules.zeroMonthlyCost ? ZERO_MONTHLY : findAboveCeiling(amounts));
  if (details !== undefined) return { kind: 'quarantined', details };
  const differencePence = Math.abs(totalPence - sumPence);
  if (differencePence <= TOTAL_TOLERANCE_PENCE) return { kind: 'sound', totalPence };
  const mismatch = describeMismatch(deal, totalPence, sumPence);
  return differencePence * 2 <= sumPence
    ? { kind: 'sound', totalPence, notice: { code: 'total-mismatch', ...mismatch } }
    : { kind: 'quarantined', details: { code: 'implausible-total', ...mismatch } };
}

interface Amount {
  readonly field: string;
  readonly pence: number;
  readonly maxPence: number;
}

const ZERO_MONTHLY: NoticeDetails = {
  code: 'zero-monthly-cost',
  field: 'monthlyCost',
  found: '0.00',
  expected: 'an amount above zero',
};

function findNegative(amounts: readonly Amount[]): NoticeDetails | undefined {
  const amount = amounts.find(({ pence }) => pence < 0);
  if (amount === undefined) return undefined;
  const { field, pence } = amount;
  return { code: 'negative-money', field, found: formatPence(pence), expected: 'zero or more' };
}

function findAboveCeiling(amounts: readonly Amount[]): NoticeDetails | undefined {
  const amount = amounts.find(({ pence, maxPence }) => pence > maxPence);
  if (amount === undefined) return undefined;
  const { field, pence, maxPence } = amount;
  return {
    code: 'money-above-ceiling',
    field,
    found: formatPence(pence),
    expected: `at most ${formatPence(maxPence)}`,
  };
}

function describeMismatch(deal: DealRecord, totalPence: number, sumPence: number): Omit<NoticeDetails, 'code'> {
  const { upfrontPence, monthlyPence, contractMonths } = deal;
  return {
    field: 'totalCost',
    found: formatPence(totalPence),
    expected: `${formatPence(sumPence)}, which is ${formatPence(upfrontPence)} + ${contractMonths} x ${formatPence(monthlyPence)}`,
  };
}

/** No plan has more gigabytes and is not unlimited. Megabytes without their unit are soon above it. */
const MAX_GIGABYTES = 1_000;

/** No limited plan has more minutes or texts: a month has 44,640 minutes. */
const MAX_COUNT = 10_000;

/** What feeds write for unlimited, and no plan has. */
const UNLIMITED_CODE = 9_999;

/** Allowances that no plan has: a number in another unit, or a code for unlimited (INPUTS "Money"). */
export function checkAllowances({ dataMegabytes, callMinutes, textMessages }: DealRecord): NoticeDetails | undefined {
  return (
    checkAllowance(
      'dataGb',
      dataMegabytes === 'unlimited' ? dataMegabytes : dataMegabytes / MEGABYTES_PER_GIGABYTE,
      MAX_GIGABYTES,
    ) ??
    checkAllowance('callMinutes', callMinutes, MAX_COUNT) ??
    checkAllowance('textMessages', textMessages, MAX_COUNT)
  );
}

function checkAllowance(field: string, count: Allowance, maxCount: number): NoticeDetails | undefined {
  if (count === 'unlimited' || (count <= maxCount && count !== UNLIMITED_CODE)) return undefined;
  const expected = `at most ${maxCount}, and not ${UNLIMITED_CODE}, or unlimited`;
  return { code: 'allowance-above-ceiling', field, found: String(count), expected };
}
