import { describe, expect, it } from 'vitest';
import type { SnapshotContent } from '../../../../build/publish/publish.ts';
import { type DealsLine, MAX_DEALS_PER_LINE } from '../../../../data/snapshot/format.ts';
import { createContent } from '../publish/snapshot-content.ts';
import { createCatalogue, createNoPictures, exampleDeal } from './example-catalogue.ts';

function linesOf(file: keyof SnapshotContent, ...parts: Parameters<typeof createContent>): string[] {
  return [...createContent(...parts)[file]()];
}

describe('products.ndjson', () => {
  it('holds every expansion of a product, without empty texts (D6)', () => {
    expect(linesOf('products.ndjson')[0]).toBe(
      '{"id":"101","condition":"new","name":"Nova One","slug":"nova-one","model":"nova-one","manufacturer":"nova",' +
        '"content":{"heading":"Nova One"},"pageContent":{},"metaData":{},"specs":{"os":"Nova OS","4g":"Yes"},"images":{},' +
        '"priceHistory":"20666 0"}',
    );
  });

  it('writes the attributes in one order, regardless of the order of the export', () => {
    const specs = { '4g': 'Yes', os: 'Nova OS' };
    const metaData = { keywords: 'k', title: 't', description: 'd' };
    const product = { id: '101', condition: 'new', name: 'Nova One', slug: 'nova-one', specs, metaData };
    const catalogue = createCatalogue({ products: [product] }, []);
    expect(linesOf('products.ndjson', catalogue)[0]).toContain(
      '"metaData":{"title":"t","description":"d","keywords":"k"},"specs":{"os":"Nova OS","4g":"Yes"}',
    );
  });
});

describe('gift-categories.ndjson', () => {
  it('lists gifts in the order of the editor (D9)', () => {
    expect(linesOf('gift-categories.ndjson')).toEqual([
      '{"id":"3","name":"Audio","slug":"audio","content":{},"metaData":{},"images":{},"pageContent":{},' +
        '"gifts":[{"id":"9","name":"Watch","slug":"watch"},{"id":"7","name":"Buds","slug":"buds"}]}',
    ]);
  });
});

describe('dictionaries.json', () => {
  it('holds networks and retailers without deals too (D13)', () => {
    const dictionaries: unknown = JSON.parse(linesOf('dictionaries.json')[0] ?? '');
    expect(dictionaries).toMatchObject({
      currency: { code: 'GBP', label: '£' },
      networks: [{ id: '21' }, { id: '22', name: 'Borealis', slug: 'borealis' }],
      retailers: [{ id: '31', logos: { large: '', deal: '' } }],
    });
  });

  it('shows the picture of a gift that is a record, and none of a gift that is a text (D10)', () => {
    const catalogue = createCatalogue();
    const image = '/images/0123456789abcdef/large.webp';
    const pictures = { ...createNoPictures(catalogue), gifts: [{ largeFrontImageWebp: image }, {}] };
    const dictionaries: unknown = JSON.parse(linesOf('dictionaries.json', catalogue, pictures)[0] ?? '');
    expect(dictionaries).toMatchObject({
      gifts: [
        { name: 'Buds', image },
        { name: 'A mug', image: '' },
      ],
    });
  });
});

describe('deals.ndjson', () => {
  it('holds a line for each product with deals, in order of total cost', () => {
    const lines = linesOf('deals.ndjson').map((line) => JSON.parse(line) as DealsLine);
    expect(lines).toEqual([
      {
        product: 0,
        rank: [0, 2],
        plan: [0, 0],
        retailer: [0, 0],
        totalPence: [50000, 70000],
        upfrontPence: [0, 0],
        monthlyPence: [2083, 2916],
        gift: [0, 1],
        cashback: [1, 0],
        linkTemplate: [0, 0],
        linkPart: ['/D-0', '/D-1'],
      },
      {
        product: 2,
        rank: [1],
        plan: [0],
        retailer: [0],
        totalPence: [60000],
        upfrontPence: [0],
        monthlyPence: [2500],
        gift: [2],
        picture: [1],
        linkTemplate: [0],
        linkPart: ['/D-2'],
      },
    ]);
  });

  it('holds at most 4,096 deals a line, and provenance runs beside it', () => {
    const count = MAX_DEALS_PER_LINE + 1;
    const deals = Array.from({ length: count }, (_, row) => exampleDeal('101', 24 * (row + 1)));
    const catalogue = createCatalogue({}, deals);
    const lengthsOf = (file: keyof SnapshotContent, name: string) =>
      linesOf(file, catalogue).map((line) => (JSON.parse(line) as Record<string, unknown[]>)[name]?.length);
    expect(lengthsOf('deals.ndjson', 'linkPart')).toEqual([MAX_DEALS_PER_LINE, 1]);
    expect(lengthsOf('provenance.ndjson', 'key')).toEqual([MAX_DEALS_PER_LINE, 1]);
  });
});

describe('notices', () => {
  it.each([
    ['quarantine.ndjson', 'duplicate-id'],
    ['notices.ndjson', 'same-name'],
  ] as const)('are in %s, with their keys in one order', (file, code) => {
    const place = { field: 'id', record: '9', line: 3, file: 'a.json', source: 'site' };
    const notices = (['duplicate-id', 'same-name'] as const).map((each) => ({ ...place, code: each }));
    expect(linesOf(file, undefined, undefined, notices)).toEqual([
      `{"code":"${code}","source":"site","file":"a.json","line":3,"record":"9","field":"id"}`,
    ]);
  });
});
