import { formatPence, MEGABYTES_PER_GIGABYTE, type Allowance } from '../../data/record/amount.ts';
import type { DealRecord } from '../../data/record/deal.ts';
import type { BuildConfig } from '../config/config.ts';
import type { Found, NoticeDetails } from '../ledger/ledger.ts';

/** A stated total may differ by this much from what the parts add up to: feeds round months. */
const TOTAL_TOLERANCE_PENCE = 2;

/** The largest amount in the columns of a snapshot: ten million pounds. */
const MAX_PENCE = 1_000_000_000;

/** The total that is served, with a notice about it. */
type MoneyCheck = Found<{ readonly totalPence: number; readonly notice?: NoticeDetails }>;

/**
 * The rules about money, which are the same for all feeds (INPUTS "What must never go out"). The stated total is served
 * if there is one. It gets a notice when it differs from the sum of the parts, and quarantines the deal when it differs
 * too much.
 */
export function checkMoney(deal: DealRecord, rules: BuildConfig['money']): MoneyCheck {
  const { upfrontPence, monthlyPence, contractMonths, statedTotalPence, cashbackPence = 0 } = deal;
  const sumPence = upfrontPence + monthlyPence * contractMonths;
  const totalPence = statedTotalPence ?? sumPence;
  const maxTotalPence = Math.min(rules.maxUpfrontPence + rules.maxMonthlyPence * contractMonths, MAX_PENCE);
  const amounts: readonly (readonly [field: string, pence: number, maxPence: number])[] = [
    ['upfrontCost', upfrontPence, rules.maxUpfrontPence],
    ['monthlyCost', monthlyPence, rules.maxMonthlyPence],
    ['totalCost', totalPence, maxTotalPence],
    ['cashbackValue', cashbackPence, Math.min(rules.maxCashbackPence, totalPence)],
  ];
  const refuse = (code: NoticeDetails['code'], field: string, pence: number, expected: string): MoneyCheck => ({
    excluded: { code, field, found: formatPence(pence), expected },
  });
  for (const [field, pence] of amounts) if (pence < 0) return refuse('negative-money', field, pence, 'zero or more');
  if (monthlyPence === 0 && !rules.zeroMonthlyCost) {
    return refuse('zero-monthly-cost', 'monthlyCost', 0, 'an amount above zero');
  }
  for (const [field, pence, maxPence] of amounts) {
    if (pence > maxPence) return refuse('money-above-ceiling', field, pence, `at most ${formatPence(maxPence)}`);
  }
  const differencePence = Math.abs(totalPence - sumPence);
  if (differencePence <= TOTAL_TOLERANCE_PENCE) return { totalPence };
  const parts = `${formatPence(upfrontPence)} + ${contractMonths} x ${formatPence(monthlyPence)}`;
  const expected = `${formatPence(sumPence)}, which is ${parts}`;
  if (differencePence * 2 > sumPence) return refuse('implausible-total', 'totalCost', totalPence, expected);
  const notice = { code: 'total-mismatch', field: 'totalCost', found: formatPence(totalPence), expected } as const;
  return { totalPence, notice };
}

/** No plan has more gigabytes and is not unlimited. Megabytes without their unit are soon above it. */
const MAX_GIGABYTES = 1_000;

/** No limited plan has more minutes or texts: a month has 44,640 minutes. */
const MAX_COUNT = 10_000;

/** What feeds write for unlimited, and no plan has. */
const UNLIMITED_CODE = 9_999;

/** Allowances that no plan has: a number in another unit, or a code for unlimited (INPUTS "Money"). */
export function checkAllowances({ dataMegabytes, callMinutes, textMessages }: DealRecord): NoticeDetails | undefined {
  const gigabytes = dataMegabytes === 'unlimited' ? dataMegabytes : dataMegabytes / MEGABYTES_PER_GIGABYTE;
  return (
    checkAllowance('dataGb', gigabytes, MAX_GIGABYTES) ??
    checkAllowance('callMinutes', callMinutes, MAX_COUNT) ??
    checkAllowance('textMessages', textMessages, MAX_COUNT)
  );
}

function checkAllowance(field: string, count: Allowance, maxCount: number): NoticeDetails | undefined {
  if (count === 'unlimited' || (count <= maxCount && count !== UNLIMITED_CODE)) return undefined;
  const expected = `at most ${maxCount}, and not ${UNLIMITED_CODE}, or unlimited`;
  return { code: 'allowance-above-ceiling', field, found: String(count), expected };
}
