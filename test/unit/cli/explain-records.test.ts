import { beforeAll, describe, expect, it } from 'vitest';
import {
  findClosestRecords,
  findRecords,
  type FoundRecord,
  type SnapshotRecords,
} from '../../../cli/explain/find-records.ts';
import { NOTICE_CODES, NOTICES, type Notice } from '../../../data/report/notice.ts';
import type { ManifestSource } from '../../../data/report/report.ts';
import type { CatalogueIndex } from '../../../data/snapshot/catalogue-index.ts';
import { rowAt } from '../../../data/snapshot/column.ts';
import { parseRecordQuery } from '../../../data/store/record-query.ts';
import { openCatalogue } from '../server/open-catalogue.ts';

let index: CatalogueIndex;

beforeAll(async () => {
  ({ index } = await openCatalogue());
});

const SOURCES = [
  { name: 'site', kind: 'cms' },
  { name: 'house', kind: 'feed' },
] as unknown as readonly ManifestSource[];

/** The deals of the first product that has two or more, all products in one file, and what is given. */
function recordsWith(parts: {
  readonly leftOut?: readonly Notice[];
  readonly noted?: readonly Notice[];
}): SnapshotRecords {
  const product = index.products.findIndex((_, row) => dealsOf(row) > 1);
  const keys = Array.from({ length: dealsOf(product) }, (_, i) => ['H-1', 'H:2'][i] ?? `K-${i}`);
  const files = {
    'product-origins.ndjson': index.products.map(({ id, condition }, row) => ({
      id,
      condition,
      source: 'site',
      file: 'cms/site.json',
      line: row + 1,
    })),
    'provenance.ndjson': [
      {
        product,
        source: keys.map(() => 'house'),
        file: keys.map(() => 'feeds/house.csv'),
        line: keys.map((_, i) => i + 2),
        key: keys,
        matches: [{ rule: 'gtin', found: '01234567' }],
        match: keys.map(() => 0),
      },
    ],
    'quarantine.ndjson': parts.leftOut ?? [],
    'notices.ndjson': parts.noted ?? [],
  };
  const lines = (file: keyof typeof files) => files[file].map((value) => Buffer.from(JSON.stringify(value)));
  return { index, sources: SOURCES, lines };
}

function dealsOf(row: number): number {
  return index.endOfDeals(rowAt(row)) - index.firstDeal(rowAt(row));
}

function find(records: SnapshotRecords, text: string): readonly FoundRecord[] {
  return findRecords(records, parseRecordQuery(text, index)).records;
}

/** The row of the deal `H-1`. */
function firstDeal(): number {
  return index.firstDeal(rowAt(index.products.findIndex((_, row) => dealsOf(row) > 1)));
}

/** Of the deal that is so many after `H-1`. */
function retailerOf(position: number): string {
  return index.retailers[index.deals.retailer.at(rowAt<'deal'>(firstDeal() + position))]?.slug ?? '';
}

function isIdOfAnother(id: string): boolean {
  return [...index.giftCategories, ...index.networks, ...index.retailers].some((each) => each.id === id);
}

describe('findRecords', () => {
  const leftOutCodes = NOTICE_CODES.filter((code) =>
    ['quarantined', 'out-of-scope', 'duplicate'].includes(NOTICES[code].outcome),
  );

  it.each(leftOutCodes)('finds a record that %s leaves out, by its name and by its place', (code) => {
    const deal: Notice = { code, source: 'house', file: 'feeds/house.csv', line: 9, record: 'H-9' };
    const product: Notice = {
      ...deal,
      source: 'site',
      file: 'cms/site.json',
      line: 99,
      record: '999/new',
      names: ['x', 'X Y'],
    };
    const records = recordsWith({ leftOut: [deal, product] });
    for (const text of ['H-9', `${retailerOf(0)}:H-9`, 'feeds/house.csv:9']) {
      expect(find(records, text)).toEqual([{ kind: 'left-out', of: 'feed', notice: deal }]);
    }
    for (const text of ['999', '999/new', 'x', ' x  y', 'cms/site.json:99']) {
      expect(find(records, text)).toEqual([{ kind: 'left-out', of: 'cms', notice: product }]);
    }
  });

  it('takes a retailer by its slug, id or name, and a key with a colon as it is', () => {
    const records = recordsWith({});
    const { id, name } = index.retailers[index.deals.retailer.at(rowAt(firstDeal() + 1))] ?? {};
    for (const text of [
      'H:2',
      `${retailerOf(1)}:H:2`,
      `${id}:H:2`,
      `${name?.toUpperCase()}:H:2`,
      'feeds/house.csv:3',
    ]) {
      expect(find(records, text)).toMatchObject([
        { kind: 'deal', row: firstDeal() + 1, key: 'H:2', match: { rule: 'gtin' } },
      ]);
    }
    const other = index.retailers.find(({ slug }) => slug !== retailerOf(1))?.slug;
    expect(find(records, `${other}:H:2`)).toEqual([]);
  });

  it('does not take a deal of another retailer, and takes one whose retailer was never read', () => {
    const common: Notice = { code: 'negative-money', source: 'house', file: 'feeds/house.csv', line: 9, record: 'H-9' };
    const [retailer, other] = index.retailers.map(({ slug }) => slug);
    expect(find(recordsWith({ leftOut: [{ ...common, retailer: retailer ?? '' }] }), `${other}:H-9`)).toEqual([]);
    expect(find(recordsWith({ leftOut: [common] }), `${other}:H-9`)).toHaveLength(1);
  });

  it('finds the findings about what is served, of that source, file and line only', () => {
    const own: Notice = { code: 'total-mismatch', source: 'house', file: 'feeds/house.csv', line: 2, record: 'H-1' };
    const noted = [own, { ...own, line: 3 }, { ...own, source: 'site' }, { ...own, code: 'unknown-column' } as const];
    expect(find(recordsWith({ noted }), 'H-1')).toMatchObject([{ kind: 'deal', notices: [own] }]);
    const { id, condition, slug } = index.products[0] ?? {};
    const ofProduct: Notice = {
      code: 'same-slug',
      source: 'site',
      file: 'cms/site.json',
      line: 1,
      record: `${id}/${condition}`,
    };
    const records = recordsWith({ noted: [ofProduct, { ...ofProduct, record: '7' }] });
    expect(find(records, slug ?? '')).toContainEqual({
      kind: 'product',
      row: 0,
      origin: { source: 'site', file: 'cms/site.json', line: 1 },
      isExact: true,
      leftOut: new Map(),
      notices: [ofProduct],
    });
  });

  it('finds what is neither a product nor a deal, by slug and name, and by an id that is of nothing else', () => {
    const records = recordsWith({});
    const lists = {
      gift: index.gifts,
      'gift category': index.giftCategories,
      network: index.networks,
      retailer: index.retailers,
      manufacturer: index.manufacturers,
    };
    for (const [of, [first]] of Object.entries(lists)) {
      for (const text of [first?.slug ?? '', ` ${first?.name.toUpperCase()}`]) {
        expect(find(records, text)).toContainEqual(
          expect.objectContaining({ kind: 'editorial', of, name: first?.name }),
        );
      }
    }
    const { id } = index.products[0] ?? {};
    expect(find(records, id ?? '').map(({ kind }) => kind)).not.toContain('editorial');
    const retailer = index.retailers.find((each) => index.products.every((product) => product.id !== each.id));
    expect(find(records, retailer?.id ?? '')).toContainEqual(
      expect.objectContaining({ kind: 'editorial', of: 'retailer', id: retailer?.id }),
    );
  });

  it('finds them by the place of a finding, and the finding alone where several have its id', () => {
    const at = { source: 'site', file: 'cms/gifts.json' };
    const gift = index.gifts.find(({ id }) => !isIdOfAnother(id));
    const own: Notice = { code: 'unknown-key', ...at, line: 905, record: gift?.id ?? '', field: 'specs' };
    const nobodys: Notice = { code: 'same-slug', ...at, line: 906, record: '987654321' };
    const ofProduct: Notice = { code: 'same-slug', ...at, line: 907, record: '987654321/new' };
    const records = recordsWith({ noted: [own, nobodys, ofProduct] });
    const { id, slug, name } = gift ?? {};
    expect(find(records, 'cms/gifts.json:905')).toEqual([
      { kind: 'editorial', of: 'gift', id, slug, name, notices: [own] },
    ]);
    expect(find(records, 'cms/gifts.json:906')).toEqual([{ kind: 'noted', notice: nobodys }]);
    expect(find(records, 'cms/gifts.json:907')).toEqual([]);
  });

  it('follows a deal to the one that stands for it, over another that is left out too', () => {
    const at = (line: number, record: string) => ({ source: 'house', file: 'feeds/house.csv', line, record });
    const repeated: Notice = { code: 'duplicate-id', ...at(9, 'H-9'), other: at(8, 'H-9') };
    const duplicate: Notice = { code: 'duplicate-deal', ...at(8, 'H-9'), other: at(2, 'H-1') };
    const [first] = find(recordsWith({ leftOut: [repeated, duplicate] }), 'feeds/house.csv:9');
    expect(first).toMatchObject({
      notice: repeated,
      other: { kind: 'left-out', notice: duplicate, other: { kind: 'deal', key: 'H-1' } },
    });
  });

  it('offers the nearest names for what it does not know', () => {
    const records = recordsWith({ leftOut: [{ code: 'unpublished', source: 'site', record: 'quarantined-thing' }] });
    const nearest = (text: string) => findClosestRecords(records, parseRecordQuery(text, index));
    const slug = index.products[0]?.slug ?? '';
    expect(nearest(`${slug.slice(0, -1)}#`)).toContain(slug);
    expect(nearest('quarantined-thong')).toEqual(['quarantined-thing']);
    expect(nearest('~~~~~~~~')).toEqual([]);
  });
});
