import { describe, expect, it } from 'vitest';
import { summariseCatalogue } from '../../../../build/gate/summary.ts';
import type { Catalogue } from '../../../../build/records/catalogue.ts';
import { catalogueSummarySchema } from '../../../../data/report/summary.ts';
import { createCatalogue } from '../encode/example-catalogue.ts';

/** The example catalogue: three deals of one plan for two products, at 500, 700 and 600 pounds. */
function createExample(): Catalogue {
  return createCatalogue();
}

function withDeals(parts: Partial<Catalogue['deals']>): (catalogue: Catalogue) => Catalogue {
  return (catalogue) => ({ ...catalogue, deals: { ...catalogue.deals, ...parts } });
}

describe('the summary of a catalogue', () => {
  it('has the figures of every source, retailer and network', () => {
    const summary = summariseCatalogue(createExample(), 'GBP');
    expect(catalogueSummarySchema.parse(summary)).toEqual(summary);
    const figures = {
      deals: 3,
      products: 2,
      zeroUpfront: 3,
      zeroMonthly: 0,
      unlimitedData: 0,
      links: 3,
      medianTotalPence: 60_000,
    };
    expect(summary).toMatchObject({
      currency: 'GBP',
      cms: [{ name: 'site', products: 3 }],
      feeds: [
        {
          name: 'house',
          ...figures,
          retailers: [{ id: '31', slug: 'phone-barn', ...figures }],
          networks: [{ id: '21', slug: 'aurora', ...figures }],
        },
      ],
    });
  });

  it('parts the deals by source, in order of name', () => {
    const originAt = (row: number) => ({ source: row === 0 ? 'zed' : 'abc', file: 'x.csv', line: row + 1 });
    const { feeds } = summariseCatalogue(withDeals({ originAt })(createExample()), 'GBP');
    expect(feeds.map(({ name, deals }) => [name, deals])).toEqual([
      ['abc', 2],
      ['zed', 1],
    ]);
  });

  it('has nothing of a source without a record', () => {
    const { records, deals } = createExample();
    const empty = {
      records: { ...records, products: [] },
      deals: { ...deals, rowCount: 0, rangeStart: new Uint32Array(1) },
    };
    expect(summariseCatalogue(empty, 'EUR')).toMatchObject({
      currency: 'EUR',
      cms: [{ name: 'site', products: 0, parts: { texts: 0, specs: 0, pictures: 0 } }],
      feeds: [],
      serverBytes: 120_030_560,
    });
    // A server has two snapshots while it loads.
    expect(summariseCatalogue(empty, 'EUR', ['20666 0', '20666 0'])).toMatchObject({
      serverBytes: 120_030_560 + 2 * 14,
    });
  });
});
