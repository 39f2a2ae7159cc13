import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatPence } from '../../../../data/record/amount.ts';
import { loadSnapshot } from '../../../../server/snapshot/load-snapshot.ts';
import { searchRecords } from '../../../../server/status/search-records.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import type { OracleCatalogue } from '../../../oracle/catalogue.ts';
import { writeSnapshot } from '../../../oracle/write-snapshot.ts';

const root = mkdtempSync(join(tmpdir(), 'deals-deal-rows-'));
afterAll(() => rmSync(root, { recursive: true }));

const NO_REPORT = { notices: [], unmatchedNames: [], faults: [] };
const [first] = FIXTURE.deals;
if (first === undefined) throw new Error('the fixture has no deals');

/** One product with more deals than two lines hold, each of another price, and those of the fixture. */
const MANY: OracleCatalogue = {
  ...FIXTURE,
  deals: [
    ...FIXTURE.deals,
    ...Array.from({ length: 9_000 }, (_, i) => ({
      ...first,
      key: `many-${i}`,
      // Not in the order of the keys.
      totalPence: 100_000 + ((i * 7_919) % 9_000),
    })),
  ],
};

async function findPrices(catalogue: OracleCatalogue, dealsPerLine: number, keys: readonly string[]) {
  const store = join(root, `${catalogue.deals.length}-${dealsPerLine}`);
  const id = writeSnapshot(catalogue, store, { dealsPerLine });
  const snapshot = await loadSnapshot(store, id, { publicUrl: '' });
  const { signal } = new AbortController();
  const found = [];
  for (const key of keys) {
    const { deals } = await searchRecords(store, snapshot, NO_REPORT, key, new Date(0), signal);
    const expected = catalogue.deals
      .filter((deal) => deal.key === key)
      .map(({ totalPence }) => formatPence(totalPence));
    expect(deals.count).toBe(expected.length);
    found.push({ told: deals.items.map(({ prices }) => prices?.totalCost), expected });
  }
  return found;
}

describe('the price of a deal', () => {
  it('is its own, in whichever line of its product it stands', async () => {
    const keys = ['many-0', 'many-1', 'many-4095', 'many-4096', 'many-8999', first.key];
    for (const { told, expected } of await findPrices(MANY, 4_096, keys)) {
      expect(new Set(told)).toEqual(new Set(expected));
    }
  });

  it('is never that of another deal, where lines are shorter than they may be', async () => {
    const keys = [...new Set(FIXTURE.deals.map(({ key }) => key))];
    const found = await findPrices(FIXTURE, 2, keys);
    const judged = found.flatMap(({ told, expected }) =>
      told.map((price) => (price === undefined ? 'untold' : expected.includes(price) ? 'right' : 'wrong')),
    );
    expect(new Set(judged)).toEqual(new Set(['right', 'untold']));
  });
});
