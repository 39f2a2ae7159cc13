import { beforeAll, describe, expect, it } from 'vitest';
import type { CatalogueIndex } from '../../../../data/snapshot/catalogue-index.ts';
import { rowAt } from '../../../../data/snapshot/column.ts';
import { BLOCK_ROWS } from '../../../../data/snapshot/filter-index.ts';
import { DealFilter } from '../../../../server/query/apply-filters.ts';
import { parseQuery } from '../../../../server/query/parse-query.ts';
import { parseQueryString } from '../../../../server/query/query-string.ts';
import { createRandom } from '../../../support/random.ts';
import { NETWORK_COUNT, randomDeals } from '../../data/snapshot/random-deals.ts';
import { openCatalogue } from '../open-catalogue.ts';
import { randomFilters, satisfies } from './random-filters.ts';

let index: CatalogueIndex;
beforeAll(async () => ({ index } = await openCatalogue()));

function filterOf(query: string): DealFilter {
  const parsed = parseQuery({ endpoint: 'products', query: parseQueryString(query) }, index, {
    defaultProducts: 20,
    maxProducts: 100,
  });
  expect(parsed.issues).toEqual([]);
  return new DealFilter(parsed.query.kind === 'products' ? parsed.query.filters : [], index);
}

describe('deal filters (spec §4.3, D13)', () => {
  it('accept every deal, and say so, when there are none', () => {
    const all = filterOf('');
    for (let row = 0; row < index.deals.rowCount; row++) expect(all.accepts(rowAt(row))).toBe(true);
    expect(filterOf('').hasPredicate).toBe(false);
    expect(filterOf('filter[condition]=eq{new}&filter[manufacturers]=eq{apple}').hasPredicate).toBe(false);
  });

  it('find the cheapest deal that qualifies, which need not be the cheapest (D11)', () => {
    const [pixel] = index.rowsOfId('101');
    if (pixel === undefined) throw new Error('the fixture has a product 101');
    const keyOf = (query: string) => {
      const row = filterOf(query).findCheapest(pixel);
      return row === undefined ? undefined : index.deals.linkPart.at(row);
    };
    expect(keyOf('')).toBe('id=P9-C');
    expect(keyOf('filter[upfrontCost]=lt{40}')).toBe('id=P9-A');
    expect(keyOf('filter[offers]=eq{gift}')).toBe('id=P9-D');
    expect(keyOf('filter[contractLength]=eq{1}')).toBeUndefined();
  });
});

describe('a search by blocks finds what asking every deal finds', () => {
  const runLengths = [0, 1, BLOCK_ROWS, BLOCK_ROWS + 1, 400, 0, 1_000];

  it.each([
    ...Array.from({ length: 10 }, (_, seed) => [seed, NETWORK_COUNT] as const),
    // Too many for marks.
    [10, 100],
    // So few that a network has most deals of a product.
    [11, 3],
  ] as const)('with random filters of seed %d among %d networks', (seed, networkCount) => {
    const random = createRandom(seed);
    const { index: searched, deals } = randomDeals(random, runLengths, networkCount);
    for (let i = 0; i < 30; i++) {
      const filters = randomFilters(random, networkCount);
      const filter = new DealFilter(filters, searched);
      expect(filter.hasPredicate).toBe(filters.length > 0);
      const cheapest = filter.findAllCheapest();
      runLengths.forEach((_length, product) => {
        const [first, end] = [searched.firstDeal(rowAt(product)), searched.endOfDeals(rowAt(product))];
        const expected: number[] = [];
        const acceptedRows: number[] = [];
        for (let row: number = first; row < end; row++) {
          const deal = deals[row];
          if (deal !== undefined && satisfies(deal, filters, searched)) expected.push(row);
          if (filter.accepts(rowAt(row))) acceptedRows.push(row);
        }
        const found: number[] = [];
        for (let row = filter.findCheapest(rowAt(product)); row !== undefined;) {
          found.push(row);
          row = filter.findFrom(rowAt(row + 1), rowAt(product));
        }
        const said = { filters, product };
        expect({ ...said, found, acceptedRows }).toEqual({ ...said, found: expected, acceptedRows: expected });
        expect(filter.countOf(rowAt(product))).toBe(expected.length);
        expect(cheapest[product]).toBe(expected[0] === undefined ? 0 : expected[0] + 1);
      });
    }
  });
});
