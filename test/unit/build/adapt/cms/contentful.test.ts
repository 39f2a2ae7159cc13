import { describe, expect, it } from 'vitest';
import { IMAGE_KEYS } from '../../../../../data/field/image.ts';
import { codesOf, leftOutOf, readSite, type SiteReading } from '../cms-reading.ts';

interface Sys {
  readonly version?: number;
  readonly publishedVersion?: number | null;
  readonly archivedVersion?: number;
  readonly revision?: number;
}

const LOCALES = [
  { code: 'en-GB', default: true, fallbackCode: null },
  { code: 'de-DE', default: false, fallbackCode: 'en-GB' },
  { code: 'fr-FR', default: false, fallbackCode: null },
];

function sysOf(id: string, sys: Sys): object {
  return { id, version: 4, publishedVersion: 3, updatedAt: '2026-11-01T10:00:00.000Z', ...sys };
}

function entry(id: string, type: string, fields: Readonly<Record<string, unknown>>, sys: Sys = {}): object {
  return {
    sys: {
      type: 'Entry',
      ...sysOf(id, sys),
      contentType: { sys: { type: 'Link', linkType: 'ContentType', id: type } },
    },
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { 'en-GB': value }])),
  };
}

function asset(id: string, url: string, contentType = 'image/png', sys: Sys = {}): object {
  return { sys: { type: 'Asset', ...sysOf(id, sys) }, fields: { file: { 'en-GB': { url, contentType } } } };
}

function link(id: string, linkType = 'Entry'): object {
  return { sys: { type: 'Link', linkType, id } };
}

const PHONE = { sku: 101, title: 'Nokia X', slug: 'nokia-x', condition: 'New' };

interface Export {
  readonly entries?: readonly unknown[];
  readonly assets?: readonly object[];
  readonly locales?: readonly object[];
  readonly contentTypes?: readonly object[];
  readonly editorInterfaces?: readonly object[];
}

const MAPPING = { products: { type: 'phone', fields: { id: 'sku' } } };

async function read(content: Export | string, settings: object = {}): Promise<SiteReading> {
  const text = typeof content === 'string' ? content : JSON.stringify({ locales: LOCALES, assets: [], ...content });
  const source = { adapter: 'contentful', files: ['cms/*.json'], mapping: MAPPING, ...settings };
  return readSite({ 'cms/export.json': text }, source);
}

describe('the contentful adapter', () => {
  it('reads entries by the mapping and by convention', async () => {
    const seo = entry('seo1', 'seo', { metaTitle: 'Nokia X deals', metaDescription: 'Cheap', keywords: ['a', 'b'] });
    const brand = entry('brand1', 'manufacturer', { slug: 'nokia', name: 'Nokia' });
    const specs = { os: 'Android 14', '4g': true, nfc: false, weight: 180, sensors: ['gyro', 'compass'] };
    const phone = entry('p1', 'phone', {
      ...PHONE,
      heading: 'Nokia X',
      introduction: 'A phone.',
      seo: link('seo1'),
      manufacturer: link('brand1'),
      specs,
      gtins: ['0840244706500'],
      matchNames: 'X phone\nNokia phone X',
    });
    const mapping = { products: { ...MAPPING.products, feedIds: { awin: 'sys.id' } }, manufacturers: {} };
    const site = await read({ entries: [seo, brand, phone] }, { mapping });
    expect(site.records.manufacturers.map(({ record }) => record)).toEqual([{ slug: 'nokia', name: 'Nokia' }]);
    expect(site.records.products).toEqual([
      {
        record: {
          id: '101',
          condition: 'new',
          name: 'Nokia X',
          slug: 'nokia-x',
          manufacturer: 'nokia',
          content: { heading: 'Nokia X', introduction: 'A phone.' },
          metaData: { title: 'Nokia X deals', description: 'Cheap', keywords: 'a, b' },
          specs: { os: 'Android 14', '4g': 'Yes', nfc: 'No', weight: '180', sensors: 'gyro, compass' },
          matches: {
            gtins: ['0840244706500'],
            names: ['X phone', 'Nokia phone X'],
            feedIds: { awin: ['p1'] },
          },
          status: 'published',
          updatedAt: '2026-11-01T10:00:00.000Z',
        },
        origin: { source: 'site', file: 'cms/export.json', line: 3, list: 'entries' },
      },
    ]);
    expect(site.notices).toEqual([
      { code: 'unmapped-type', source: 'site', file: 'cms/export.json', found: 'seo (1)' },
    ]);
  });

  it('reads gifts of a category by their own ids, in the order of the editor', async () => {
    const entries = [
      entry('c', 'giftCategory', {
        sku: '3',
        name: 'Audio',
        slug: 'audio',
        gifts: [link('g2'), link('g1'), link('g9')],
      }),
      entry('g1', 'gift', { code: '7', name: 'Buds', slug: 'buds' }),
      entry('g2', 'gift', { code: '9', name: 'Phones', slug: 'phones' }),
    ];
    const mapping = { giftCategories: { fields: { id: 'sku' } }, gifts: { fields: { id: 'code' } } };
    const site = await read({ entries }, { mapping });
    expect(site.records.giftCategories[0]?.record.gifts).toEqual(['9', '7']);
    expect(site.notices).toMatchObject([{ code: 'unresolved-link', record: '3', field: 'gifts', found: 'entry g9' }]);
  });

  it.each([
    [{}, []],
    [{ version: 10, publishedVersion: 3 }, ['changed-since-published']],
    [{ version: 1, publishedVersion: null }, ['unpublished']],
    [{ archivedVersion: 5 }, ['unpublished']],
    [{ version: 7, archivedVersion: 5, publishedVersion: null }, ['unpublished']],
    [{ version: undefined, publishedVersion: null, revision: 12 }, []],
  ] as [Sys, string[]][])('of %j says %j', async (sys, codes) => {
    const site = await read({ entries: [entry('p1', 'phone', PHONE, sys)] });
    expect(codesOf(site)).toEqual(codes);
    expect(site.records.products).toHaveLength(codes.includes('unpublished') ? 0 : 1);
    expect(site.account).toMatchObject({ read: 1, outOfScope: codes.includes('unpublished') ? 1 : 0 });
  });

  it('makes every size and format of a picture by the parameters of its URL', async () => {
    const assets = [
      asset('a1', '//images.ctfassets.net/s/a1/h/front.png'),
      asset('a2', 'https://images.ctfassets.net/s/a2/h/back.jpg', 'image/jpeg'),
    ];
    const phone = entry('p1', 'phone', { ...PHONE, imageFront: link('a1', 'Asset'), imageBack: link('a2', 'Asset') });
    const site = await read({ entries: [phone], assets });
    const urls = site.records.products[0]?.record.imageUrls ?? {};
    const front = 'https://images.ctfassets.net/s/a1/h/front.png';
    expect(Object.keys(urls).toSorted()).toEqual(IMAGE_KEYS.toSorted());
    expect(urls).toMatchObject({
      largeFrontImageWebp: `${front}?w=200&h=400&fit=pad&fm=webp`,
      smallFrontImageJpg: `${front}?w=60&h=120&fit=pad&fm=jpg&bg=rgb:ffffff`,
      mediumBackImagePng: 'https://images.ctfassets.net/s/a2/h/back.jpg?w=100&h=200&fit=pad&fm=png',
      largeLeftImagePng: `${front}?w=200&h=400&fit=pad&fm=png`,
    });
    expect(site.notices).toMatchObject([
      { code: 'picture-stand-in', record: '101/new', expected: 'a picture of left, right; front stands in' },
    ]);
  });

  it('gives a gift its three pictures, and suppliers their badges', async () => {
    const entries = [
      entry('g', 'gift', { sku: '7', name: 'Buds', slug: 'buds', image: link('a1', 'Asset') }),
      entry('n', 'network', { sku: '21', name: 'O2', slug: 'o2', logo: link('a1', 'Asset') }),
      entry('r', 'retailer', { sku: '3', name: 'House', slug: 'house', logo: link('a1', 'Asset') }),
    ];
    const id = { fields: { id: 'sku' } };
    const assets = [asset('a1', '//images.ctfassets.net/a.png')];
    const site = await read({ entries, assets }, { mapping: { gifts: id, networks: id, retailers: id } });
    const url = (size: string, format = 'webp'): string =>
      `https://images.ctfassets.net/a.png?${size}&fit=pad&fm=${format}`;
    expect(Object.keys(site.records.gifts[0]?.record.imageUrls ?? {})).toEqual([
      'largeFrontImageWebp',
      'largeFrontImagePng',
      'largeFrontImageJpg',
    ]);
    expect(site.records.networks[0]?.record.logos).toEqual({
      small: url('w=50&h=25'),
      medium: url('w=100&h=50'),
      large: url('w=200&h=100'),
      deal: url('w=100&h=50'),
    });
    expect(site.records.retailers[0]?.record.logos).toEqual({ large: url('w=200&h=100'), deal: url('w=50&h=50') });
  });

  it.each([
    ['an asset that is not there', [], 'asset a1'],
    [
      'a draft',
      [asset('a1', '//images.ctfassets.net/a', 'image/png', { publishedVersion: null })],
      'asset a1, which is draft',
    ],
    ['a film', [asset('a1', '//videos.ctfassets.net/a', 'video/mp4')], 'asset a1, which is no picture'],
    ['no address', [asset('a1', 'javascript:alert(1)')], 'asset a1, which is no picture'],
  ])('serves a product without a picture that is %s', async (_what, assets, found) => {
    const site = await read({ entries: [entry('p1', 'phone', { ...PHONE, image: link('a1', 'Asset') })], assets });
    expect(site.records.products[0]?.record).not.toHaveProperty('imageUrls');
    expect(site.notices).toMatchObject([{ code: 'unresolved-link', field: 'images.front', found }]);
  });

  it('leaves alone a picture that the service cannot convert', async () => {
    const assets = [asset('a1', '//images.ctfassets.net/a.svg', 'image/svg+xml')];
    const site = await read({ entries: [entry('p1', 'phone', { ...PHONE, image: link('a1', 'Asset') })], assets });
    expect(site.records.products[0]?.record.imageUrls?.largeFrontImagePng).toBe('https://images.ctfassets.net/a.svg');
  });

  it('makes plain text of rich text', async () => {
    const text = (value: string): object => ({ nodeType: 'text', value, marks: [], data: {} });
    const block = (nodeType: string, ...content: object[]): object => ({ nodeType, content, data: {} });
    const introduction = block(
      'document',
      block('heading-1', text('A '), text('phone')),
      block('paragraph', text('See '), block('hyperlink', text('this')), text('.')),
      block('paragraph', text('')),
      block(
        'unordered-list',
        block('list-item', block('paragraph', text('one'))),
        block('list-item', block('paragraph', text('two'))),
      ),
      block('embedded-asset-block'),
    );
    const site = await read({ entries: [entry('p1', 'phone', { ...PHONE, introduction })] });
    expect(site.records.products[0]?.record.content?.introduction).toBe('A phone\n\nSee this.\n\none\n\ntwo');
  });

  describe('in a locale', () => {
    const contentTypes = [
      {
        sys: { id: 'phone' },
        fields: [
          { id: 'title', localized: true },
          { id: 'heading', localized: true },
        ],
      },
    ];
    const phone = {
      ...entry('p1', 'phone', PHONE),
      fields: {
        sku: { 'en-GB': 101 },
        slug: { 'en-GB': 'nokia-x' },
        condition: { 'en-GB': 'new' },
        title: { 'en-GB': 'Phone', 'de-DE': 'Telefon', 'fr-FR': 'Téléphone' },
        heading: { 'en-GB': 'Heading' },
      },
    };

    it.each([
      [undefined, 'Phone', { heading: 'Heading' }],
      ['de-DE', 'Telefon', { heading: 'Heading' }],
      ['fr-FR', 'Téléphone', undefined],
    ])('%s: its own text, then that of its fallback', async (locale, name, content) => {
      const site = await read({ entries: [phone], contentTypes }, locale === undefined ? {} : { locale });
      expect(site.records.products[0]?.record.name).toBe(name);
      expect(site.records.products[0]?.record.content).toEqual(content);
    });

    it('takes the first of two that are both the default', async () => {
      const locales = [LOCALES[0] ?? {}, { code: 'de-DE', default: true, fallbackCode: null }];
      const site = await read({ entries: [phone], contentTypes, locales });
      expect(site.records.products[0]?.record.name).toBe('Phone');
    });

    it('does not run in circles', async () => {
      const locales = [
        { code: 'en-GB', default: true, fallbackCode: 'de-DE' },
        { code: 'de-DE', default: false, fallbackCode: 'en-GB' },
      ];
      const site = await read({ entries: [phone], contentTypes, locales }, { locale: 'de-DE' });
      expect(site.records.products[0]?.record.name).toBe('Telefon');
    });

    it('that the space does not have cannot be read', async () => {
      const site = await read({ entries: [phone] }, { locale: 'en' });
      expect(site.states).toMatchObject([{ state: 'failed' }]);
      expect(site.notices).toMatchObject([
        {
          code: 'source-malformed',
          found: 'cms/export.json: expected the locale "en" that the configuration names, got "en-GB, de-DE, fr-FR"',
        },
      ]);
    });
  });

  it.each([
    [{ sku: undefined }, 'missing-field', 'id', undefined, '`sku`', 'id'],
    [{ sku: 'X-1' }, 'malformed-field', 'id', 'X-1', '`sku`', 'id'],
    [{ condition: 'broken' }, 'malformed-field', 'condition', 'broken', '`condition`', 'condition'],
    [{ title: ['a', 'b'] }, 'malformed-field', 'name', '["a","b"]', '`name` or `title`', 'name'],
    [{ title: undefined }, 'missing-field', 'name', undefined, '`name` or `title`', 'name'],
    [
      { heading: { deep: 1 } },
      'malformed-field',
      'content.heading',
      '{"deep":1}',
      '`content.heading` or `heading`',
      'content.heading',
    ],
    [{ gtins: ['12'] }, 'malformed-field', 'matches.gtins[0]', '12', '`gtins` or `gtin`', 'matches.gtins'],
  ])('quarantines %j', async (change, code, field, found, fields, mapped) => {
    const site = await read({
      entries: [entry('p1', 'phone', { ...PHONE, ...change }), entry('p2', 'phone', { ...PHONE, sku: 102 })],
    });
    const [notice] = leftOutOf(site);
    expect(site.account).toMatchObject({ read: 2, kept: 1, quarantined: 1 });
    expect(notice).toMatchObject({ code, field, file: 'cms/export.json', line: 1 });
    expect(notice?.found).toBe(found);
    expect(notice?.remedy).toBe(
      `correct ${fields} of phone in the CMS, or say in \`mapping.products.fields\` where \`${mapped}\` comes from`,
    );
  });

  it.each([[null], ['text'], [{}], [{ sys: { id: 'x' } }], [{ sys: { contentType: { sys: { id: 'phone' } } } }], [[]]])(
    'quarantines what is no entry: %j',
    async (value) => {
      const site = await read({ entries: [value, entry('p1', 'phone', PHONE)] });
      expect(site.account).toMatchObject({ read: 2, kept: 1, quarantined: 1 });
      expect(leftOutOf(site)).toMatchObject([{ code: 'malformed-record', line: 1 }]);
    },
  );

  it.each([
    [[{ ...entry('p1', 'phone', {}), fields: undefined }], 'no fields at all'],
    [[{ ...entry('p1', 'phone', {}), fields: null }], 'null for fields'],
    [[{ ...entry('p1', 'phone', {}), fields: { title: 'not by locale' } }], 'a field without locales'],
  ] as [object[], string][])('quarantines an entry with $1', async (entries) => {
    expect(leftOutOf(await read({ entries }))).toMatchObject([{ code: 'missing-field' }]);
  });

  it('tells of a type that the export does not have, and of those that it has', async () => {
    const site = await read({ entries: [entry('x', 'fone', PHONE), entry('y', 'article', {})] });
    expect(site.account.read).toBe(0);
    expect(site.notices).toEqual([
      {
        code: 'missing-type',
        source: 'site',
        file: 'cms/export.json',
        expected: 'records of type phone for products',
        found: 'article (1), fone (1)',
      },
      { code: 'unmapped-type', source: 'site', file: 'cms/export.json', found: 'article (1), fone (1)' },
    ]);
  });

  it('makes a decimal id of a text that is none, the same every night', async () => {
    const mapping = { products: { type: 'phone', fields: { id: { hashed: 'sys.id' } } } };
    const site = await read({ entries: [entry('15jwOBqpxqSAOy2eOO4S0m', 'phone', PHONE)] }, { mapping });
    expect(site.records.products[0]?.record.id).toBe('832222164707433977');
  });

  it('translates the words of the CMS', async () => {
    const condition = { from: ['state', 'condition'], values: { 'as good as new': 'refurbished' } };
    const mapping = { products: { type: 'phone', fields: { id: 'sku', condition, model: { constant: 'nokia-x' } } } };
    const site = await read({ entries: [entry('p1', 'phone', { ...PHONE, state: 'As good as new' })] }, { mapping });
    expect(site.records.products[0]?.record).toMatchObject({ condition: 'refurbished', model: 'nokia-x' });
  });

  it('may be told to leave a field out', async () => {
    const mapping = { products: { type: 'phone', fields: { id: 'sku', 'content.heading': null } } };
    const site = await read({ entries: [entry('p1', 'phone', { ...PHONE, heading: 'x' })] }, { mapping });
    expect(site.records.products[0]?.record).not.toHaveProperty('content');
  });

  it('is not fooled by keys that stand for prototypes', async () => {
    const text = JSON.stringify({ entries: [entry('p1', 'phone', PHONE)], locales: LOCALES }).replace(
      '"fields":{',
      '"fields":{"__proto__":{"en-GB":{"model":"evil"}},',
    );
    const site = await read(text);
    expect(site.records.products[0]?.record).not.toHaveProperty('model');
  });

  it('does not follow links for ever', async () => {
    const mapping = { products: { type: 'phone', fields: { id: 'sku', model: 'twin.twin.twin.twin.slug' } } };
    const site = await read({ entries: [entry('p1', 'phone', { ...PHONE, twin: link('p1') })] }, { mapping });
    expect(site.records.products[0]?.record.model).toBe('nokia-x');
  });

  it('survives a value of any depth', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const rich = `${'{"nodeType":"document","content":['.repeat(20_000)}${']}'.repeat(20_000)}`;
    const fields = { ...PHONE, title: 'DEEP', introduction: 'RICH', gtins: 'DEEP', heading: 'DEEP', image: 'DEEP' };
    const text = JSON.stringify({ entries: [entry('p1', 'phone', fields)], locales: LOCALES });
    const site = await read(text.replaceAll('"DEEP"', deep).replace('"RICH"', rich));
    expect(leftOutOf(site)).toMatchObject([
      { code: 'malformed-field', field: 'name', found: 'a value nested too deep to be shown' },
    ]);
  });

  it.each([
    ['[]', 'cms/export.json: expected the export of a space, an object with entries, assets and locales, got []'],
    [
      '{"products": []}',
      'cms/export.json: expected the export of a space, an object with entries, assets and locales, got {"products":[]}',
    ],
    ['{"entries": [], "assets": {}}', 'cms/export.json: expected assets to be a list, got {}'],
    [
      '{"entries": []}',
      'cms/export.json: expected the locales of the space, or one that `locale` of the configuration names, got neither',
    ],
    ['{"entries": [', 'cms/export.json:1:14: expected a value, got the end of the file'],
    ['', 'cms/export.json:1:1: expected a value, got the end of the file'],
  ])('refuses the file %j', async (text, found) => {
    const site = await read(text);
    expect(site.states).toMatchObject([{ state: 'failed' }]);
    expect(site.notices).toMatchObject([{ code: 'source-malformed', found }]);
  });

  describe('reads a long text', () => {
    const text = '## Why\n\nA **great** phone, see [deals](https://x.example). 5 * 3 <3';
    const plain = 'Why\n\nA great phone, see deals. 5 * 3 <3';
    const types = (type: string): readonly object[] => [
      { sys: { id: 'phone' }, fields: [{ id: 'introduction', type }] },
    ];
    const editor = (widgetId?: string): readonly object[] => [
      { sys: { contentType: { sys: { id: 'phone' } } }, controls: [{ fieldId: 'introduction', widgetId }] },
    ];

    it.each([
      ['in Markdown', types('Text'), editor('markdown'), text, plain],
      ['in the editor that Contentful takes when none is chosen', types('Text'), editor(), text, plain],
      ['of an export without editors', types('Text'), undefined, text, plain],
      ['of an export without content types, by its marks', undefined, undefined, text, plain],
      ['of plain lines as it is', types('Text'), editor('multipleLine'), text, text],
      [
        'of plain lines that hold HTML',
        types('Text'),
        editor('multipleLine'),
        '<p>*One*</p><p>Two</p>',
        '*One*\n\nTwo',
      ],
      ['that is a short one as it is', types('Symbol'), undefined, 'a **b** _c_', 'a **b** _c_'],
      ['without marks as it is', undefined, undefined, 'Terms* apply_\n#1', 'Terms* apply_\n#1'],
    ])('%s', async (_what, contentTypes, editorInterfaces, introduction, expected) => {
      const phone = entry('p1', 'phone', { ...PHONE, introduction });
      const site = await read({
        entries: [phone],
        ...(contentTypes && { contentTypes }),
        ...(editorInterfaces && { editorInterfaces }),
      });
      expect(site.records.products[0]?.record.content).toEqual({ introduction: expected });
    });

    it('as it is where no text for people is asked for', async () => {
      const contentTypes = [{ sys: { id: 'phone' }, fields: [{ id: 'matchNames', type: 'Text' }] }];
      const phone = entry('p1', 'phone', { ...PHONE, matchNames: 'X_1_ phone\n* Nokia *X*' });
      const site = await read({ entries: [phone], contentTypes });
      expect(site.records.products[0]?.record.matches?.names).toEqual(['X_1_ phone', '* Nokia *X*']);
    });
  });

  describe('makes slugs where a site has none', () => {
    const made = (id: string, createdAt: string, title: string, sku: number, storage?: string): object => {
      const made = entry(id, 'phone', { sku, title, condition: 'new', ...(storage !== undefined && { storage }) }) as {
        readonly sys: object;
      };
      return { ...made, sys: { ...made.sys, createdAt } };
    };
    const FIRST = made('a', '2025-01-01T00:00:00.000Z', 'Nokia X', 500);
    const SECOND = made('b', '2025-02-01T00:00:00.000Z', 'Nokia X', 100);
    const mapping = (slugOf: string): object => ({
      products: { type: 'phone', fields: { id: 'sku', slug: { slugOf } } },
    });

    async function slugsOf(entries: readonly object[], slugOf = 'name'): Promise<Readonly<Record<string, string>>> {
      const site = await read({ entries }, { mapping: mapping(slugOf) });
      return Object.fromEntries(site.records.products.map(({ record: { id, slug } }) => [id, slug]));
    }

    it('of the name, under any name in the CMS', async () => {
      expect(await slugsOf([FIRST])).toEqual({ 500: 'nokia-x' });
      expect(await slugsOf([FIRST], 'title')).toEqual({ 500: 'nokia-x' });
    });

    it('of several fields, which may be empty', async () => {
      const other = made('c', '2025-03-01T00:00:00.000Z', 'Nokia X', 7, '128 GB');
      expect(await slugsOf([FIRST, other], '{name} {storage}')).toEqual({ 500: 'nokia-x', 7: 'nokia-x-128-gb' });
    });

    it('that no record changes which is added, regardless of its id and its place', async () => {
      expect(await slugsOf([FIRST, SECOND])).toEqual({ 500: 'nokia-x', 100: 'nokia-x-100' });
      expect(await slugsOf([SECOND, FIRST])).toEqual({ 500: 'nokia-x', 100: 'nokia-x-100' });
    });

    it('that no record changes which is published later', async () => {
      const draft = entry('a', 'phone', { sku: 500, title: 'Nokia X', condition: 'new' }, { publishedVersion: null });
      const sys = { ...(draft as { readonly sys: object }).sys, createdAt: '2025-01-01T00:00:00.000Z' };
      expect(await slugsOf([SECOND, { ...draft, sys }])).toEqual({ 100: 'nokia-x-100' });
    });

    it('that a category, a product and its maker agree about', async () => {
      const brand = entry('brand1', 'manufacturer', { name: 'Müller & Söhne' });
      const phone = entry('p1', 'phone', { ...PHONE, series: 'X 1', manufacturer: link('brand1') });
      const fields = { id: 'sku', model: { slugOf: 'series' } };
      const manufacturers = { fields: { slug: { slugOf: 'name' } } };
      const site = await read(
        { entries: [brand, phone] },
        { mapping: { products: { type: 'phone', fields }, manufacturers } },
      );
      expect(site.records.manufacturers[0]?.record).toEqual({ slug: 'muller-and-sohne', name: 'Müller & Söhne' });
      expect(site.records.products[0]?.record).toMatchObject({ model: 'x-1', manufacturer: 'muller-and-sohne' });
    });
  });
});
