import { beforeAll, describe, expect, it } from 'vitest';
import type { CatalogueIndex } from '../../../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow } from '../../../../data/snapshot/column.ts';
import { BLOCK_ROWS } from '../../../../data/snapshot/filter-index.ts';
import { DealFilter } from '../../../../server/query/apply-filters.ts';
import { isSelected } from '../../../../server/query/deal-predicate.ts';
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

/** The feed's ids of all deals that a filter accepts. */
function accepted(query: string): string[] {
  const filter = filterOf(query);
  const rows = Array.from({ length: index.deals.rowCount }, (_, position): DealRow => rowAt(position));
  return rows.filter((row) => filter.accepts(row)).map((row) => index.deals.linkPart.at(row).replace('id=', ''));
}

describe('deal filters (spec §4.3, D13)', () => {
  it('accept every deal, and say so, when there are none', () => {
    expect(accepted('')).toHaveLength(19);
    expect(filterOf('').hasPredicate).toBe(false);
    expect(filterOf('filter[condition]=eq{new}&filter[manufacturers]=eq{apple}').hasPredicate).toBe(false);
  });

  it.each<[string, string[]]>([
    ['filter[upfrontCost]=eq{29.99}', ['P9-B']],
    ['filter[upfrontCost]=eq{0.01,99.99}', ['P256-A', 'P256-B']],
    ['filter[upfrontCost]=gt{99.99}', ['P8-A', 'Z-A']],
    ['filter[upfrontCost]=gte{99.99}', ['P256-B', 'P8-A', 'Z-A']],
    ['filter[upfrontCost]=gt{0}&filter[upfrontCost]=lt{29.99}', ['P256-A']],
    ['filter[upfrontCost]=gt{0}&filter[upfrontCost]=lte{29.99}&filter[upfrontCost]=ne{0.01}', ['P9-B']],
    ['filter[upfrontCost]=lt{0}', []],
    ['filter[upfrontCost]=gt{999999999.99}', []],
    ['filter[monthlyCost]=lte{5}', ['N-A', 'N-B', 'Z-A']],
    ['filter[totalCost]=eq{339.77}', ['P8-A']],
    ['filter[contractLength]=lt{12}', ['N-A', 'N-B']],
    ['filter[contractLength]=eq{36,12}', ['R9-A', 'R9-B', 'P9-D']],
    ['filter[dataAllowance]=eq{unlimited}', ['P9-D']],
    ['filter[dataAllowance]=gt{100}', ['P9-D']],
    ['filter[dataAllowance]=lte{0.25}', ['N-A', 'R9-B']],
    ['filter[dataAllowance]=lt{unlimited}&filter[dataAllowance]=gte{100}', ['N-B']],
    ['filter[networks]=eq{zeta-mobile}', ['N-A', 'N-B', '3310-A']],
    ['filter[networks]=eq{three}', []],
    ['filter[retailers]=eq{100}', ['N-A', 'I-2', '3310-A']],
    ['filter[retailers]=ne{3,20}', ['N-A', 'I-2', '3310-A']],
    ['filter[offers]=eq{cashback}', ['P9-C', 'RI-A']],
    ['filter[offers]=eq{cashback,gift}', ['P9-C', 'RI-A', 'R9-B', 'P9-D', 'Z-A']],
    ['filter[offers]=eq{cashback}&filter[offers]=ne{gift}', ['P9-C']],
    ['filter[offers]=eq{gift}&filter[monthlyCost]=lt{5}', ['Z-A']],
    ['filter[offers]=eq{gift}&filter[monthlyCost]=lt{1}', []],
  ])('%s', (query, keys) => {
    expect(accepted(query).toSorted()).toEqual(keys.toSorted());
    expect(filterOf(query).hasPredicate).toBe(true);
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

  it('eq of a list is any of them, ne none of them', () => {
    expect([isSelected('eq', true), isSelected('eq', false)]).toEqual([true, false]);
    expect([isSelected('ne', true), isSelected('ne', false)]).toEqual([false, true]);
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
