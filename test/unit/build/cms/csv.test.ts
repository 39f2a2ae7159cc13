import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCases, type NamedCase } from '../cases.ts';
import { expectReading, readSite, type ExpectedReading, type SiteReading } from './reading.ts';

function read(files: Readonly<Record<string, string | Buffer>>, settings: object = {}): Promise<SiteReading> {
  const inFolder = Object.fromEntries(Object.entries(files).map(([name, content]) => [`cms/${name}`, content]));
  return readSite(inFolder, { adapter: 'csv', files: ['cms/*'], ...settings });
}

const PHONE = 'id;condition;name;slug\n101;new;Nokia X;nokia-x\n';

/** A sheet of products, and what is read from it. */
interface SheetCase extends ExpectedReading {
  readonly text: string;
  readonly settings?: object;
}

const CASES = readCases(join(import.meta.dirname, 'cases', 'csv.jsonl')) as readonly NamedCase<SheetCase>[];

describe('the csv adapter of a CMS', () => {
  it.each(CASES)('reads %s', async (_what, { text, settings, ...expected }) => {
    expectReading(await read({ 'products.csv': text }, settings), expected);
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
