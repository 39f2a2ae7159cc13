import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../server/query/parse-query.ts';
import { executeProducts } from '../../../server/query/execute-products.ts';
import { writeGroups, writeProducts } from '../../../server/respond/write-products.ts';
import { FIXTURE } from '../../spec/fixture-catalogue.ts';
import { openCatalogue } from '../open-catalogue.ts';

async function chunksOf(query: string, times: number): Promise<string[]> {
  const deals = Array.from({ length: times }, () => FIXTURE.deals).flat();
  const { index, fragments } = await openCatalogue({ ...FIXTURE, deals });
  const parsed = parseQuery({ endpoint: 'products', query }, index, { defaultProducts: 20, maxProducts: 100 });
  if (parsed.query.kind !== 'products') throw new Error('expected a query for products');
  return [...writeProducts(executeProducts(parsed.query, index, 0), parsed.query.projection, index, fragments)];
}

describe('writing products', () => {
  it('makes a long answer in pieces of less than 64 KB, which are JSON together', async () => {
    const chunks = await chunksOf('expand=deals,images,content', 200);
    const { products, deals } = JSON.parse(chunks.join('')) as Record<string, unknown[]>;
    expect([products?.length, deals?.length]).toEqual([12, 3_800]);
    expect(chunks.length).toBeGreaterThan(3_800 / 32);
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(64 * 1024);
  });

  it.each([
    ['filter[id]=eq{424242}', '{"products":[]}'],
    ['filter[id]=eq{424242}&expand=deals', '{"products":[],"deals":[]}'],
    ['filter[id]=eq{9}', '{"products":[{"id":"9","name":"Nokia 105","slug":"nokia-105"}]}'],
    [
      'filter[id]=eq{1000}&expand=deals,cheapestDeal,specs',
      '{"products":[{"id":"1000","name":"Quoted \\"phone\\" </script> 📱","slug":"quoted-phone-script","specs":{}}],"deals":[]}',
    ],
  ])('%s is %s', async (query, body) => {
    expect((await chunksOf(query, 1)).join('')).toBe(body);
  });

  it('of exactly as many deals as a piece holds ends as any other', async () => {
    for (const count of [31, 32, 33, 64]) {
      const body = (await chunksOf(`expand=deals&filter[id]=eq{12}`, count)).join('');
      expect((JSON.parse(body) as { deals: unknown[] }).deals).toHaveLength(count);
    }
  });
});

describe('the groups of an item (D6)', () => {
  it.each<[Parameters<typeof writeGroups>, string]>([
    [[{}, { content: { heading: 'a' } }], ''],
    [[{ content: 'whole' }, { content: { heading: 'a' } }], ',"content":{"heading":"a"}'],
    [[{ content: 'whole' }, {}], ',"content":{}'],
    [[{ content: ['introduction'] }, { content: { heading: 'a' } }], ',"content":{}'],
    [[{ specs: ['os', '4g'] }, { specs: { '4g': 'Yes', cpu: 'x', os: 'A' } }], ',"specs":{"os":"A","4g":"Yes"}'],
    [
      [{ images: 'whole', metaData: ['title'] }, { metaData: { title: 't', keywords: 'k' } }],
      ',"metaData":{"title":"t"},"images":{}',
    ],
  ])('%j', (given, text) => {
    expect(writeGroups(...given)).toBe(text);
  });
});
