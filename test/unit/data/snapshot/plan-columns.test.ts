import { expect, it } from 'vitest';
import { createPlanColumns } from '../../../../data/snapshot/deal-columns.ts';
import type { Plan } from '../../../../data/snapshot/format.ts';

it('plans as columns number lengths and allowances in ascending order, unlimited last', () => {
  const plan = (network: number, contractMonths: number, dataMegabytes: Plan['dataMegabytes']): Plan => ({
    network,
    contractMonths,
    dataMegabytes,
    dealType: 'contract',
    contractName: 'plan',
    callMinutes: 0,
    textMessages: 0,
  });
  const plans = [plan(2, 24, 'unlimited'), plan(0, 1, 4000), plan(1, 24, 250), plan(1, 12, 'unlimited')];
  const columns = createPlanColumns(plans, 3);
  expect(columns.contractMonths).toEqual([1, 12, 24]);
  expect(columns.dataMegabytes).toEqual([250, 4000, Infinity]);
  expect([...columns.network]).toEqual([2, 0, 1, 1]);
  expect([...columns.months]).toEqual([2, 0, 2, 1]);
  expect([...columns.data]).toEqual([2, 1, 0, 2]);
});
