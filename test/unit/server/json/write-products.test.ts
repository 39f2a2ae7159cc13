import { describe, expect, it } from 'vitest';
import { writeGroups, writeProducts } from '../../../../server/json/write-products.ts';
import { executeProducts } from '../../../../server/query/execute-products.ts';
import { parseQuery } from '../../../../server/query/parse-query.ts';
import { parseQueryString } from '../../../../server/query/query-string.ts';
import type { LoadedSnapshot } from '../../../../server/snapshot/load-snapshot.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import type { OracleDeal } from '../../../oracle/catalogue.ts';
import { openCatalogue } from '../open-catalogue.ts';

function chunksOf(query: string, { index, fragments }: LoadedSnapshot): string[] {
  const parsed = parseQuery({ endpoint: 'products', query: parseQueryString(query) }, index);
  if (parsed.query.kind !== 'products') throw new Error('expected a query for products');
  return [...writeProducts(executeProducts(parsed.query, index, 0), parsed.query, index, fragments)];
}

const openWith = (deals: readonly OracleDeal[]): Promise<LoadedSnapshot> => openCatalogue({ ...FIXTURE, deals });
const openTimes = (times: number) => openWith(Array.from({ length: times }, () => FIXTURE.deals).flat());

interface Body {
  readonly products: readonly Readonly<Record<string, unknown>>[];
  readonly deals: readonly Readonly<Record<string, string>>[];
}
const read = (query: string, snapshot: LoadedSnapshot): Body => JSON.parse(chunksOf(query, snapshot).join('')) as Body;

const [SOME_DEAL] = FIXTURE.deals.filter(({ product }) => FIXTURE.products[product]?.id === '101') as [OracleDeal];

it('a long answer is made in chunks of about 64 KB, which are JSON together', async () => {
  const chunks = chunksOf('expand=deals,images,content', await openTimes(200));
  const { products, deals } = JSON.parse(chunks.join('')) as Body;
  expect([products.length, deals.length]).toEqual([12, 3_800]);
  const filled = chunks.filter((chunk) => chunk !== '');
  expect(filled.length).toBeGreaterThan(3_800 / 80);
  expect(Math.max(...filled.map((chunk) => chunk.length))).toBeLessThan(80 * 1024);
});

describe('money', () => {
  it.each([
    [0, '0.00', '0'],
    [1, '0.01', '0.01'],
    [5, '0.05', '0.05'],
    [10, '0.10', '0.1'],
    [99, '0.99', '0.99'],
    [100, '1.00', '1'],
    [101, '1.01', '1.01'],
    [999, '9.99', '9.99'],
    [1_000, '10.00', '10'],
    [2_990, '29.90', '29.9'],
    [99_999, '999.99', '999.99'],
    [100_000, '1000.00', '1000'],
    [123_456_789, '1234567.89', '1234567.89'],
    [1_000_000_000, '10000000.00', '10000000'],
  ])('of %d pence is "%s" in deals (spec §2.5) and %s in cheapestDeal (spec §2.10)', async (pence, text, number) => {
    const deal = { ...SOME_DEAL, upfrontPence: pence, monthlyPence: pence, totalPence: pence };
    const body = chunksOf('expand=deals,cheapestDeal&filter[id]=eq{101}', await openWith([deal])).join('');
    expect(body).toContain(
      `"productUpfrontCost":"${text}","supplierContractPrice":"${text}","totalDealCost":"${text}","dealLink":"`,
    );
    expect(body).toContain(
      `"upfrontProductCost":${number},"monthlyContractPrice":${number},"totalContractCost":${number},"currencyLabel"`,
    );
  });
});

it('a product without a picture of its own shows the picture of the feed, or nothing (D10)', async () => {
  const position = FIXTURE.products.findIndex(({ images }) => images.largeFrontImageWebp === undefined);
  const pictures = ['https://feed.example/a.jpg', '', 'https://feed.example/"b".jpg'];
  const snapshot = await openWith(
    pictures.map((picture, i) => ({ ...SOME_DEAL, product: position, picture, totalPence: i })),
  );
  const { deals } = read('expand=deals&limit=100', snapshot);
  expect(deals.map(({ productImg }) => productImg)).toEqual(pictures);
});

describe('the groups of an item (D6)', () => {
  it.each<[Parameters<typeof writeGroups>, string]>([
    [[{}, { content: { heading: 'a' } }], ''],
    [[{ content: 'whole' }, { content: { heading: 'a' } }], ',"content":{"heading":"a"}'],
    [[{ content: 'whole' }, {}], ',"content":{}'],
    [[{ content: ['introduction'] }, { content: { heading: 'a' } }], ',"content":{}'],
    [[{ specs: ['os', '4g'] }, { specs: { '4g': 'Yes', cpu: 'x', os: 'A' } }], ',"specs":{"os":"A","4g":"Yes"}'],
    [
      [{ specs: ['4g', 'os'] }, { specs: { os: '"\\\n£📱\ud83d', '4g': '' } }],
      ',"specs":{"4g":"","os":"\\"\\\\\\n£📱\\ud83d"}',
    ],
    [
      [{ images: 'whole', metaData: ['title'] }, { metaData: { title: 't', keywords: 'k' } }],
      ',"metaData":{"title":"t"},"images":{}',
    ],
  ])('%j', (given, text) => {
    expect(writeGroups(...given)).toBe(text);
  });
});
