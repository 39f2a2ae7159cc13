import { describe, expect, it } from 'vitest';
import { encodeWindows1252 } from '../../../../build/source/clean-text.ts';
import { expectReading, readSite, type ExpectedReading, type SiteReading } from './reading.ts';

function read(files: Readonly<Record<string, string | Buffer>>, settings: object = {}): Promise<SiteReading> {
  const inFolder = Object.fromEntries(Object.entries(files).map(([name, content]) => [`cms/${name}`, content]));
  return readSite(inFolder, { adapter: 'csv', files: ['cms/*'], ...settings });
}

const PHONE = 'id;condition;name;slug\n101;new;Nokia X;nokia-x\n';

/** A sheet of products, and what is read from it. */
interface SheetCase extends ExpectedReading {
  readonly settings?: object;
}

const SHEETS: readonly (readonly [what: string, text: string | Buffer | undefined, expected: SheetCase])[] = [
  [
    'nested columns and lists',
    'id,condition,name,slug,content.heading,specs.4g,matches.names,matches.gtins,matches.feedIds.awin,images.front\n' +
      '101,Used,Nokia X,nokia-x,A phone,Yes,"X; Nokia X, blue | X2\nX3","08402447065, 08402447066",4511;4512,images\\x.png\n',
    {
      product: {
        condition: 'refurbished',
        content: { heading: 'A phone' },
        specs: { '4g': 'Yes' },
        matches: {
          names: ['X', 'Nokia X, blue', 'X2', 'X3'],
          gtins: ['08402447065', '08402447066'],
          feedIds: { awin: ['4511', '4512'] },
        },
        images: { front: 'images/x.png' },
      },
    },
  ],
  [
    'a mark, ends of lines and semicolons of Excel',
    `\ufeff${PHONE.replaceAll('\n', '\r\n')}`,
    { product: { id: '101' } },
  ],
  ['windows-1252', encodeWindows1252(PHONE.replace('Nokia', 'Nókia')), { product: { name: 'Nókia X' } }],
  ['tabs', PHONE.replaceAll(';', '\t'), { product: { id: '101' } }],
  ['ids that Excel made decimals', PHONE.replace('101', '101.0'), { product: { id: '101' } }],
  ['headers in any case', PHONE.replace('id;condition', ' ID ;Condition'), { product: { id: '101' } }],
  [
    'empty rows and columns',
    `${PHONE.replaceAll(';', ';;').replaceAll('\n', ';;\n')};;;;;;;;\n\n`,
    { product: { id: '101' } },
  ],
  [
    'rows without their empty cells',
    'id;condition;name;slug;model;manufacturer\n101;new;Nokia X;nokia-x\n',
    { product: { slug: 'nokia-x', model: null } },
  ],
  [
    'a cell beyond the last column',
    PHONE.replace('nokia-x', 'nokia-x;my note'),
    { product: null, notices: [{ code: 'column-count', file: 'cms/products.csv', line: 2 }] },
  ],
  [
    'a number that Excel has rounded',
    PHONE.replace('101', '1,01E+11'),
    {
      product: null,
      notices: [
        {
          code: 'malformed-field',
          line: 2,
          remedy: 'format the column of `id` as text in the spreadsheet, and type the number again',
        },
      ],
    },
  ],
  [
    'a bar code that Excel has rounded',
    'id,condition,name,slug,matches.gtins\n101,new,Nokia X,nokia-x,"8,40245E+11"\n',
    { product: null, notices: [{ code: 'malformed-field', field: 'matches.gtins[0]', found: '8,40245E+11' }] },
  ],
  [
    'a missing text',
    PHONE.replace('Nokia X', ' '),
    {
      product: null,
      notices: [
        {
          code: 'missing-field',
          field: 'name',
          remedy:
            'correct `name` of products in the spreadsheet, or say in `mapping.products.fields` where `name` comes from',
        },
      ],
    },
  ],
  [
    'a draft',
    'id;condition;name;slug;status\n101;new;Nokia X;nokia-x;draft\n',
    { product: null, notices: [{ code: 'unpublished', field: 'status', found: 'draft' }] },
  ],
  [
    'unknown columns',
    'id;condition;name;slug;heading;content.introducton;Margin\n101;new;Nokia X;nokia-x;a;b;c\n',
    {
      product: { content: null },
      notices: [
        { code: 'unknown-column', field: 'Margin', expected: null },
        { code: 'unknown-column', field: 'content.introducton', expected: 'perhaps content.introduction' },
        { code: 'unknown-column', line: 1, field: 'heading', expected: 'perhaps content.heading' },
      ],
    },
  ],
  [
    'a header that names its columns otherwise',
    'sku;state;title;slug\n101;new;Nokia X;nokia-x\n',
    {
      state: 'failed',
      notices: [
        {
          code: 'missing-column',
          found:
            'cms/products.csv:1: expected the columns "id", "condition", "name" (perhaps "title"), got "sku,state,title,slug"; name them so, or say in `mapping` what they are called',
        },
      ],
    },
  ],
  [
    'a mapping',
    'Handset,State,SKU,Maker,Heading.Long\nNokia X,As new,101,Nokia Oy,A heading\n',
    {
      settings: {
        mapping: {
          products: {
            fields: {
              id: 'SKU',
              name: 'Handset',
              slug: { slugOf: '{name}' },
              condition: { from: 'State', values: { 'as new': 'refurbished' } },
              manufacturer: { slugOf: 'Maker' },
              'content.heading': 'heading.long',
            },
          },
        },
      },
      product: {
        id: '101',
        name: 'Nokia X',
        slug: 'nokia-x',
        condition: 'refurbished',
        manufacturer: 'nokia-oy',
        content: { heading: 'A heading' },
      },
    },
  ],
  [
    'a mapping of a column that is not there',
    PHONE,
    {
      settings: { mapping: { products: { fields: { model: 'Familiy' } } } },
      state: 'failed',
      notices: [{ code: 'missing-column' }],
    },
  ],
  [
    'a title above the header',
    `Our phones\n\n${PHONE}`,
    { settings: { headerLine: 3, delimiter: ';' }, product: { id: '101' } },
  ],
  ['a column twice', PHONE.replace('slug', 'Name'), { state: 'failed', notices: [{ code: 'source-malformed' }] }],
  ['a file that ends within a row', `${PHONE}102;ne`, { state: 'failed', notices: [{ code: 'source-malformed' }] }],
  ['a page of a login', '<!doctype html><html></html>', { state: 'failed', notices: [{ code: 'source-malformed' }] }],
  ['nothing', '', { state: 'failed', notices: [{ code: 'source-malformed' }] }],
];

describe('the csv adapter of a CMS', () => {
  it.each(SHEETS)('reads %s', async (_what, text, { settings, ...expected }) => {
    expectReading(await read({ 'products.csv': text ?? '' }, settings), expected);
  });

  it('finds what a file lists by its name', async () => {
    const site = await read({
      'Products.csv': PHONE,
      'gift_categories.csv': 'id,name,slug,gifts\n3,Audio,audio,"9.0, 7"\n',
      'gifts.csv': 'id,name,slug\n7,Buds,buds\n9,Speaker,speaker\n',
      'networks.csv':
        'id,name,slug,aliases,feedIds.awin,logos.large\n21,O2,o2,O2 UK | O2,21,https://x.example/o2.png\n',
      'retailers.csv': 'id,name,slug,logo\n31,Shop,shop,https://x.example/shop.png\n',
      'manufacturers.csv': 'slug,name\nnokia,Nokia\n',
      'prices.csv': 'id,price\n101,7\n',
    });
    expectReading(site, {
      account: { read: 7, kept: 7 },
      notices: [{ code: 'unmapped-type', found: 'prices (1)' }],
      records: {
        products: [{ id: '101' }],
        giftCategories: [{ gifts: ['9', '7'] }],
        gifts: [{ id: '7' }, { id: '9' }],
        networks: [
          { aliases: ['O2 UK', 'O2'], feedIds: { awin: ['21'] }, logos: { large: 'https://x.example/o2.png' } },
        ],
        retailers: [{ logos: { large: 'https://x.example/shop.png', deal: 'https://x.example/shop.png' } }],
        manufacturers: [{ name: 'Nokia' }],
      },
    });
  });

  it('takes every file for the one list of the mapping', async () => {
    const site = await read({ 'a.csv': PHONE, 'b.csv': PHONE.replace('101', '102') }, { mapping: { products: {} } });
    expectReading(site, { records: { products: [{ id: '101' }, { id: '102' }] } });
  });

  it('does not guess what a file lists', async () => {
    expect((await read({ 'phones.csv': PHONE })).notices).toMatchObject([
      {
        code: 'source-malformed',
        found:
          'cms/phones.csv: expected one of products.csv, gift-categories.csv, gifts.csv, networks.csv, retailers.csv, manufacturers.csv; rename the file, or say in `mapping` what it lists',
      },
    ]);
  });
});
