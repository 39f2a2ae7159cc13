import { beforeAll, describe, expect, it } from 'vitest';
import { createCursors, digest } from '../../../../server/query/pagination.ts';
import { parseQuery } from '../../../../server/query/parse-query.ts';
import { parseQueryString } from '../../../../server/query/query-string.ts';
import type { LoadedSnapshot } from '../../../../server/snapshot/load-snapshot.ts';
import { openCatalogue } from '../open-catalogue.ts';

const CURSOR = `cursor=${createCursors({ content: '0123456789ab', sequence: 1 }, 'walk')(20)}`;

let snapshot: LoadedSnapshot;
beforeAll(async () => {
  snapshot = await openCatalogue();
});

function canonical(query: string) {
  const parsed = parseQuery({ endpoint: 'products', query: parseQueryString(query) }, snapshot.index);
  expect([query, ...parsed.issues]).toEqual([query]);
  return JSON.stringify(parsed.query);
}

describe('a query as text (D15, D18)', () => {
  it.each([
    ['', 'limit=20'],
    ['', 'fields=id,name'],
    ['', 'sort=deals(total-cost-desc)'],
    ['', 'limit=deals(3)'],
    ['', CURSOR],
    ['expand=deals', 'expand=product-deals&sort=deals(total-cost-asc)'],
    ['fields=heading,os', 'expand=content&fields=products{os,heading}'],
    ['fields=heading&expand=specs', 'expand=specs,content&fields=heading'],
    ['filter[networks]=eq{o2,ee}', 'filter[networks]=eq{100,21,ee}'],
    ['filter[name]=has{s24 galaxy}', 'filter[name]=has{Galaxy S24}'],
    ['filter[totalCost]=lt{5}&filter[id]=eq{1,2}', 'filter[id]=eq{2,1}&filter[totalCost]=lt{5.00}'],
    ['filter[dataAllowance]=eq{999999}', 'filter[dataAllowance]=eq{unlimited}'],
  ])('of ?%s is that of ?%s', (one, other) => {
    expect(canonical(other)).toEqual(canonical(one));
  });

  it('has the meaning of each part, records by their slugs', () => {
    const query = 'fields=os&sort=products(name-desc)&limit=5&filter[totalCost]=lt{500.50}&filter[networks]=eq{100}';
    expect(canonical(query)).toBe(
      '{"kind":"products","filters":[{"name":"networks","operator":"eq","values":["ee"]},' +
        '{"name":"totalCost","operator":"lt","values":[50050]}],"projection":{"specs":["os"]},"hasCheapestDeal":false,' +
        '"hasPriceHistory":false,"isGrouped":false,"productSort":{"key":"name","direction":"desc"},"pageLimit":5}',
    );
  });

  it('is digested so that parts cannot run into one another', () => {
    expect(digest('ab', 'c')).not.toBe(digest('a', 'bc'));
    expect(digest('a', '')).not.toBe(digest('a'));
    expect(digest('a')).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});
