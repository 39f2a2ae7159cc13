import { describe, expect, it } from 'vitest';
import { writeGroups } from '../../../../server/json/write-lists.ts';
import { writeProducts } from '../../../../server/json/write-products.ts';
import { executeProducts } from '../../../../server/query/execute-products.ts';
import { parseQuery } from '../../../../server/query/parse-query.ts';
import { parseQueryString } from '../../../../server/query/query-string.ts';
import type { LoadedSnapshot } from '../../../../server/snapshot/load-snapshot.ts';
import { FIXTURE } from '../../../contract/fixture-catalogue.ts';
import type { OracleDeal } from '../../../oracle/catalogue.ts';
import { openCatalogue } from '../open-catalogue.ts';

function write(query: string, { index, fragments }: LoadedSnapshot): Generator<Uint8Array> {
  const parsed = parseQuery({ endpoint: 'products', query: parseQueryString(query) }, index, {
    defaultProducts: 20,
    maxProducts: 100,
  });
  if (parsed.query.kind !== 'products') throw new Error('expected a query for products');
  return writeProducts(executeProducts(parsed.query, index, 0), parsed.query.projection, index, fragments);
}

/** The chunks as text, each read before the next is asked for. */
function chunksOf(query: string, snapshot: LoadedSnapshot): string[] {
  return Array.from(write(query, snapshot), (chunk) => Buffer.from(chunk).toString());
}

const openWith = (deals: readonly OracleDeal[]): Promise<LoadedSnapshot> => openCatalogue({ ...FIXTURE, deals });
const openTimes = (times: number) => openWith(Array.from({ length: times }, () => FIXTURE.deals).flat());

interface Body {
  readonly products: readonly Readonly<Record<string, unknown>>[];
  readonly deals: readonly Readonly<Record<string, string>>[];
}
const read = (query: string, snapshot: LoadedSnapshot): Body => JSON.parse(chunksOf(query, snapshot).join('')) as Body;

const [SOME_DEAL] = FIXTURE.deals.filter(({ product }) => FIXTURE.products[product]?.id === '101') as [OracleDeal];

describe('writing products', () => {
  it('makes a long answer in pieces of less than 64 KB, which are JSON together', async () => {
    const chunks = chunksOf('expand=deals,images,content', await openTimes(200));
    const { products, deals } = JSON.parse(chunks.join('')) as Body;
    expect([products.length, deals.length]).toEqual([12, 3_800]);
    expect(chunks.length).toBeGreaterThan(3_800 / 40);
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(64 * 1024);
  });

  it('writes two answers at a time, each whole', async () => {
    const snapshot = await openTimes(50);
    const queries = ['expand=deals', 'expand=deals,specs&sort=deals(total-cost-desc)'];
    const expected = queries.map((query) => chunksOf(query, snapshot).join(''));
    const writers = queries.map((query) => write(query, snapshot));
    const texts = ['', ''];
    for (let isDone = false; !isDone;) {
      const results = writers.map((writer, i) => {
        const { done, value } = writer.next();
        if (done !== true) texts[i] += Buffer.from(value).toString();
        return done;
      });
      isDone = results.every((done) => done === true);
    }
    expect(texts).toEqual(expected);
  });

  it('of any number of deals ends as any other', async () => {
    for (const count of [1, 26, 27, 28, 54, 64]) {
      const { deals } = read('expand=deals&filter[id]=eq{12}', await openTimes(count));
      expect(deals).toHaveLength(count);
    }
  });

  it('keeps whole groups as they were, asked for once or again', async () => {
    const snapshot = await openTimes(1);
    const query = 'expand=content,page-content,meta-data,specs,images';
    expect(chunksOf(query, snapshot)).toEqual(chunksOf(query, snapshot));
    for (const [row, { images, specs, content }] of read(query, snapshot).products.entries()) {
      const kept = snapshot.index.products[row];
      expect([images, specs, content]).toEqual([kept?.images, kept?.specs, kept?.content]);
    }
  });
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

describe('the own part of a link', () => {
  it.each([10_000, 31_000, 33_000, 63_000, 64_000, 65_536, 200_000])('may have %d bytes', async (length) => {
    const links = ['x', '"', '£'].map((mark) => `https://shop.example/deal?${mark.repeat(length)}&from=us`);
    const snapshot = await openWith(links.map((link, i) => ({ ...SOME_DEAL, link, totalPence: i })));
    const { deals } = read('expand=deals&filter[id]=eq{101}', snapshot);
    expect(
      deals.map(({ dealLink }) => dealLink === links[deals.findIndex((deal) => deal['dealLink'] === dealLink)]),
    ).toEqual([true, true, true]);
    expect(new Set(deals.map(({ dealLink }) => dealLink))).toEqual(new Set(links));
  });
});

describe('a product without a picture of its own', () => {
  it('shows the picture of the feed, or nothing (D10)', async () => {
    const position = FIXTURE.products.findIndex(({ images }) => images.largeFrontImageWebp === undefined);
    const pictures = ['https://feed.example/a.jpg', '', 'https://feed.example/"b".jpg'];
    const snapshot = await openWith(
      pictures.map((picture, i) => ({ ...SOME_DEAL, product: position, picture, totalPence: i })),
    );
    const { deals } = read('expand=deals&limit=100', snapshot);
    expect(deals.map(({ productImg }) => productImg)).toEqual(pictures);
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
