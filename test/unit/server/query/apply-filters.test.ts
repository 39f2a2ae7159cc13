import { describe, expect, it } from 'vitest';
import { rowAt } from '../../../../data/snapshot/column.ts';
import { DealFilter } from '../../../../server/query/apply-filters.ts';
import type { Filter } from '../../../../server/query/query.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import { openCatalogue } from '../open-catalogue.ts';

/** From the lowest to the highest. */
const PENCE = [5, 8, 4101, 4104, 8197, 8200, 12_293, 1_000_000_000];

describe('a list of amounts (D13)', () => {
  const [deal] = FIXTURE.deals;
  if (deal === undefined) throw new Error('the fixture has deals');
  const deals = PENCE.map((upfrontPence, i) => ({ ...deal, key: String(i), upfrontPence }));

  it.each<[readonly number[]]>([
    [[5]],
    [[5, 8200]],
    [[8, 4101, 12_293]],
    [[4096, 8191]],
    [[5, 1_000_000_000]],
    [[8197, 99_999_999_999]],
    [[99_999_999_999]],
    [PENCE],
  ])('has %j and no other', async (values) => {
    const { index } = await openCatalogue({ ...FIXTURE, deals });
    const accepted = (operator: Filter['operator']): number[] => {
      const filter = new DealFilter([{ name: 'upfrontCost', operator, values }], index);
      const rows = PENCE.map((_, row) => rowAt<'deal'>(row)).filter((row) => filter.accepts(row));
      return rows.map((row) => index.deals.upfrontPence.at(row)).sort((a, b) => a - b);
    };
    expect(accepted('eq')).toEqual(PENCE.filter((pence) => values.includes(pence)));
    expect(accepted('ne')).toEqual(PENCE.filter((pence) => !values.includes(pence)));
  });
});
