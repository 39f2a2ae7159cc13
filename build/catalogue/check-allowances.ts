import type { Allowance } from '../../data/record/allowance.ts';
import type { DealRecord } from '../../data/record/deal.ts';
import type { Finding } from './finding.ts';

export const MEGABYTES_PER_GIGABYTE = 1_000;

/** No plan has more gigabytes and is not unlimited. Megabytes without their unit are soon above it. */
const MAX_GIGABYTES = 1_000;

/** No plan has more minutes or texts and is not unlimited: a month has 44,640 minutes. */
const MAX_COUNT = 10_000;

/** What feeds write for unlimited, and no plan has. */
const UNLIMITED_CODE = 9_999;

/** What no plan has: a number in another unit, or one that means unlimited, which nothing says (INPUTS "Money"). */
export function checkAllowances({ dataMegabytes, callMinutes, textMessages }: DealRecord): Finding | undefined {
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

function checkAllowance(field: string, count: Allowance, maxCount: number): Finding | undefined {
  if (count === 'unlimited' || (count <= maxCount && count !== UNLIMITED_CODE)) return undefined;
  const expected = `at most ${maxCount}, and not ${UNLIMITED_CODE}, or unlimited`;
  return { code: 'allowance-above-ceiling', field, found: String(count), expected };
}
