import { createCells, type Cells } from './column.ts';
import type { Plan } from './format.ts';

/** What filters and sorts ask of plans, as columns with one cell a plan. */
export interface PlanColumns {
  readonly network: Cells;
  /** Position in `contractMonths`. */
  readonly months: Cells;
  /** Position in `dataMegabytes`, so that more data is a higher number. */
  readonly data: Cells;
  /** The different lengths of contract, ascending. */
  readonly contractMonths: readonly number[];
  /** The different allowances, ascending; unlimited is Infinity. */
  readonly dataMegabytes: readonly number[];
}

/** Makes the columns of a dictionary of plans; its networks are numbered below `networkCount`. */
export function createPlanColumns(plans: readonly Plan[], networkCount: number): PlanColumns {
  const contractMonths = listDifferent(plans.map((plan) => plan.contractMonths));
  const dataMegabytes = listDifferent(plans.map(megabytesOf));
  const network = createCells(plans.length, networkCount);
  const months = createCells(plans.length, contractMonths.length);
  const data = createCells(plans.length, dataMegabytes.length);
  const monthsPosition = new Map(contractMonths.map((value, position) => [value, position]));
  const dataPosition = new Map(dataMegabytes.map((value, position) => [value, position]));
  plans.forEach((plan, position) => {
    network[position] = plan.network;
    months[position] = monthsPosition.get(plan.contractMonths) as number;
    data[position] = dataPosition.get(megabytesOf(plan)) as number;
  });
  return { network, months, data, contractMonths, dataMegabytes };
}

function megabytesOf({ dataMegabytes }: Plan): number {
  return dataMegabytes === 'unlimited' ? Infinity : dataMegabytes;
}

function listDifferent(values: readonly number[]): readonly number[] {
  // Infinity less Infinity is not a number, and a set has it once.
  return [...new Set(values)].sort((a, b) => (a === b ? 0 : a - b));
}
