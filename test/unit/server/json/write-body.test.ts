import { expect, it } from 'vitest';
import { writePage } from '../../../../server/json/write-body.ts';
import { execute } from '../../../../server/query/execute.ts';
import { parseQueryString } from '../../../../server/query/query-text.ts';
import type { LoadedSnapshot } from '../../../../server/snapshot/load-snapshot.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import { openCatalogue, parseAt } from '../open-catalogue.ts';

function chunksOf(query: string, snapshot: LoadedSnapshot): string[] {
  const { index } = snapshot;
  const parsed = parseAt('products', parseQueryString(query), index);
  if (parsed.query.kind !== 'products') throw new Error('expected a query for products');
  return [...writePage(execute(parsed.query, index, 0), parsed.query, snapshot)];
}

it('a long answer is made in chunks of about 64 KB, which are JSON together', async () => {
  const deals = Array.from({ length: 200 }, () => FIXTURE.deals).flat();
  const chunks = chunksOf('expand=deals,images,content', await openCatalogue({ ...FIXTURE, deals }));
  const body = JSON.parse(chunks.join('')) as Record<'products' | 'deals', unknown[]>;
  expect([body.products.length, body.deals.length]).toEqual([12, 3_800]);
  const filled = chunks.filter((chunk) => chunk !== '');
  expect(filled.length).toBeGreaterThan(3_800 / 80);
  expect(Math.max(...filled.map((chunk) => chunk.length))).toBeLessThan(80 * 1024);
});
