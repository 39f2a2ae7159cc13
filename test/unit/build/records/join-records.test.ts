import { describe, expect, it } from 'vitest';
import type { CmsRecords } from '../../../../build/source/record.ts';
import { cmsOf, join, type ProductParts } from '../deals/sample-records.ts';

const phone = (id: string, name: string, more: Partial<ProductParts> = {}): ProductParts => ({
  id,
  name,
  slug: name.toLowerCase().replaceAll(' ', '-'),
  condition: name.startsWith('Refurbished') ? 'refurbished' : 'new',
  ...more,
});

const gift = (id: string, slug = `gift-${id}`): object => ({ id, name: `Gift ${id}`, slug });

function keysOf(cms: CmsRecords): readonly string[] {
  return join(cms).joined.records.products.map(({ record }) => `${record.id}/${record.condition}`);
}

function noticesOf(cms: CmsRecords): readonly object[] {
  const { ledger } = join(cms);
  ledger.check();
  return ledger.notices;
}

describe('the records of the catalogue', () => {
  it('products come by numeric id, new before refurbished', () => {
    const products = [
      phone('10', 'Ten'),
      phone('9', 'Refurbished Nine'),
      phone('9', 'Nine'),
      phone('100', 'Hundred'),
      phone('18446744073709551616', 'Large'),
    ];
    expect(keysOf(cmsOf({ products }))).toEqual([
      '9/new',
      '9/refurbished',
      '10/new',
      '100/new',
      '18446744073709551616/new',
    ]);
  });

  it('every list comes by numeric id, manufacturers by slug', () => {
    const { records } = join(
      cmsOf({
        gifts: [gift('10'), gift('9')],
        giftCategories: [
          { ...gift('20'), gifts: ['10', '9'] },
          { ...gift('3'), gifts: [] },
        ],
        manufacturers: [{ slug: 'b', name: 'Bee' }, { slug: 'a' }],
      }),
    ).joined;
    expect(records.gifts.map(({ record }) => record.id)).toEqual(['9', '10']);
    expect(records.giftCategories.map(({ record }) => [record.id, record.gifts])).toEqual([
      ['3', []],
      ['20', ['10', '9']],
    ]);
    expect(records.networks.map(({ record }) => record.id)).toEqual(['8', '21']);
    expect(records.retailers.map(({ record }) => record.id)).toEqual(['77', '3235']);
    expect(records.manufacturers).toEqual([
      { slug: 'a', name: 'a' },
      { slug: 'b', name: 'Bee' },
    ]);
  });
});

describe('two records of one id (INPUTS "The records")', () => {
  it('are both quarantined, each naming where the other is', () => {
    const cms = cmsOf({ products: [phone('1', 'One'), phone('2', 'Two'), phone('2', 'Another two')] });
    expect(keysOf(cms)).toEqual(['1/new']);
    const common = { code: 'duplicate-id', source: 'site', file: 'cms/site.json', record: '2/new', field: 'id' };
    expect(noticesOf(cms)).toEqual([
      {
        ...common,
        line: 2,
        found: '2',
        expected: 'no other record with this id; 2/new in cms/site.json has it too',
        names: ['two', 'Two'],
      },
      {
        ...common,
        line: 3,
        found: '2',
        expected: 'no other record with this id; 2/new in cms/site.json has it too',
        names: ['another-two', 'Another two'],
      },
    ]);
    expect(join(cms).ledger.account('site')).toMatchObject({ quarantined: 2 });
  });

  it.each(['gifts', 'giftCategories', 'networks', 'retailers'] as const)('holds for %s', (list) => {
    const { joined, ledger } = join(cmsOf({ [list]: [gift('7'), gift('7', 'other'), gift('8')] }));
    ledger.check();
    expect(joined.records[list].map(({ record }) => record.id)).toEqual(['8']);
    expect(ledger.notices.map(({ code, record }) => [code, record])).toEqual([
      ['duplicate-id', '7'],
      ['duplicate-id', '7'],
    ]);
  });
});

describe('one slug for two', () => {
  it.each(['networks', 'retailers'] as const)('%s quarantines both', (list) => {
    const { joined, ledger } = join(cmsOf({ [list]: [gift('7', 'same'), gift('8', 'same'), gift('9')] }));
    ledger.check();
    expect(joined.records[list].map(({ record }) => record.id)).toEqual(['9']);
    expect(ledger.notices).toMatchObject(
      ['8', '7'].map((other) => ({
        code: 'duplicate-slug',
        field: 'slug',
        found: 'same',
        expected: `no other record with this slug; ${other} in cms/site.json has it too`,
      })),
    );
  });

  it('manufacturers quarantines both, and a product of the maker shows its slug', () => {
    const manufacturers = [
      { slug: 'same', name: 'One' },
      { slug: 'same', name: 'Two' },
    ];
    const { joined, ledger } = join(
      cmsOf({ manufacturers, products: [phone('1', 'Same Phone', { manufacturer: 'same' })] }),
    );
    ledger.check();
    expect(joined.records.manufacturers).toEqual([{ slug: 'same', name: 'same' }]);
    expect(ledger.notices.map(({ code }) => code).toSorted()).toEqual([
      'duplicate-slug',
      'duplicate-slug',
      'unknown-manufacturer',
    ]);
  });

  it.each([
    ['products', [phone('1', 'One', { slug: 'same' }), phone('2', 'Two', { slug: 'same' })], ['1/new', '2/new']],
    ['gifts', [gift('1', 'same'), gift('2', 'same')], ['1', '2']],
    ['giftCategories', [gift('1', 'same'), gift('2', 'same')], ['1', '2']],
  ] as const)('%s keeps both with a notice, since they are known by id', (list, records, labels) => {
    const { joined, ledger } = join(cmsOf({ [list]: records }));
    ledger.check();
    expect(joined.records[list]).toHaveLength(2);
    expect(ledger.notices).toMatchObject([
      {
        code: 'same-slug',
        record: labels[0],
        found: 'same',
        expected: `no other record with this slug; ${labels[1]} in cms/site.json has it too`,
      },
      {
        code: 'same-slug',
        record: labels[1],
        found: 'same',
        expected: `no other record with this slug; ${labels[0]} in cms/site.json has it too`,
      },
    ]);
  });
});

describe('what is served with a notice', () => {
  it.each([
    [
      'a refurbished product whose name does not say so',
      { products: [phone('1', 'One', { condition: 'refurbished' })] },
      { code: 'name-without-refurbished', record: '1/refurbished', field: 'name', found: 'One' },
    ],
    [
      'a maker without an entry',
      { products: [phone('1', 'One', { manufacturer: 'kestrel' })] },
      { code: 'unknown-manufacturer', record: '1/new', field: 'manufacturer', found: 'kestrel' },
    ],
    [
      'a maker whose entry has no name',
      { products: [phone('1', 'One', { manufacturer: 'kestrel' })], manufacturers: [{ slug: 'kestrel' }] },
      { code: 'unknown-manufacturer', record: '1/new', field: 'manufacturer', found: 'kestrel' },
    ],
    [
      'a gift category with a gift that is not there',
      { gifts: [gift('7')], giftCategories: [{ ...gift('3'), gifts: ['9', '7'] }] },
      { code: 'dead-reference', record: '3', field: 'gifts', found: '9', expected: 'the id of a published gift' },
    ],
  ])('%s', (_, lists, notice) => {
    expect(noticesOf(cmsOf(lists))).toMatchObject([notice]);
  });

  it('a dead gift leaves the category, and the category stays', () => {
    const { records } = join(
      cmsOf({ gifts: [gift('7')], giftCategories: [{ ...gift('3'), gifts: ['9', '7'] }] }),
    ).joined;
    expect(records.giftCategories[0]?.record.gifts).toEqual(['7']);
  });

  it('two products of one name and condition (D10)', () => {
    const products = [
      phone('1', 'One', { slug: 'a' }),
      phone('2', 'One', { slug: 'b' }),
      phone('3', 'One', { slug: 'c', condition: 'refurbished' }),
    ];
    const notices = noticesOf(cmsOf({ products })).filter((notice) => 'code' in notice && notice.code === 'same-name');
    expect(notices).toMatchObject([
      { record: '1/new', found: 'One', expected: 'no other record with this name; 2/new in cms/site.json has it too' },
      { record: '2/new', found: 'One', expected: 'no other record with this name; 1/new in cms/site.json has it too' },
    ]);
  });
});

describe('products on the `exclude` list', () => {
  const products = [phone('1', 'One'), phone('1', 'Refurbished One'), phone('2', 'Two')];

  it.each([
    ['1', ['2/new']],
    ['1/refurbished', ['1/new', '2/new']],
    ['3', ['1/new', '1/refurbished', '2/new']],
  ])('%s leaves %j', (name, expected) => {
    const cms = cmsOf({ products });
    const { joined, ledger } = join(cms, [{ product: name, reason: 'recalled' }]);
    ledger.check();
    expect(joined.records.products.map(({ record }) => `${record.id}/${record.condition}`)).toEqual(expected);
    expect(joined.suppressed).toHaveLength(3 - expected.length);
    expect(ledger.account('site').outOfScope).toBe(3 - expected.length);
  });

  it.each([
    ['2026-11-19', 3],
    ['2026-11-20', 1],
    ['2026-11-21', 1],
  ])('until %s, on 2026-11-20, leaves %i', (until, count) => {
    const { joined } = join(cmsOf({ products }), [{ product: '1', reason: 'recalled', until }]);
    expect(joined.records.products).toHaveLength(count);
  });

  it('a notice says which rule', () => {
    const { ledger } = join(cmsOf({ products }), [{ product: '2', reason: 'recalled' }]);
    expect(ledger.notices).toMatchObject([
      { code: 'excluded', record: '2/new', field: 'exclude', found: '{"product":"2","reason":"recalled"}' },
    ]);
  });
});
