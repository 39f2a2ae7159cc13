import { describe, expect, it } from 'vitest';
import { csvOf, readWith } from './reading.ts';
import { AWIN, AWIN_MERCHANTS, fileOf, type Cells, type FeedForm } from './forms.ts';

const DIRECT_ROW: Cells = {
  ...AWIN_MERCHANTS.row,
  merchant_id: '901',
  merchant_name: 'Direct',
  product_name: 'Nokia X Pro 128GB',
  description: 'With 100GB of 5G data and more.',
  merchant_deep_link: 'https://direct.example/nokia-x/red-36-month-25.00-9.99',
};

/** What both shapes of a download make of their row. */
const SHAPES: readonly (readonly [string, FeedForm, object])[] = [
  [
    'with the telecom columns',
    AWIN,
    {
      key: '7001',
      product: { feedIds: ['70', '60'], name: 'Nokia X Pro (64GB Blue)', colour: 'Blue', condition: 'new' },
      retailer: { names: ['Red Mobiles', 'Red Shop'], feedIds: ['900'] },
      network: { names: ['Red', 'Red UK'], feedIds: ['9'] },
      dealType: 'contract',
      contractName: 'Red Value',
      contractMonths: 24,
      dataMegabytes: 40_000,
      callMinutes: 'unlimited',
      textMessages: 5_000,
      upfrontPence: 4_900,
      monthlyPence: 3_100,
      statedTotalPence: 79_300,
      link: 'https://www.awin1.example/pclick.php?p=1&a=2&m=900',
      productImage: 'https://media.example/edition-70.png?h=400&w=400',
    },
  ],
  [
    'without them',
    AWIN_MERCHANTS,
    {
      key: '7001',
      product: { feedIds: [], name: 'Nokia X Pro 128GB Black' },
      retailer: { names: ['High Street Phones'], feedIds: ['900'] },
      network: { key: 'Red', names: [], feedIds: [] },
      dealType: 'contract',
      contractName: 'Red 100GB',
      contractMonths: 24,
      dataMegabytes: 100_000,
      callMinutes: 'unlimited',
      textMessages: 'unlimited',
      upfrontPence: 14_900,
      monthlyPence: 4_400,
      link: 'https://www.awin1.example/pclick.php?p=1&a=2&m=900',
      productImage: 'https://media.example/1.png',
    },
  ],
];

describe.each(SHAPES)('an Awin download %s', (_, form, deal) => {
  const { row, columns } = form;
  const text = fileOf(form, row);
  const renamed = (rename: (column: string) => string): string =>
    fileOf(
      { ...form, columns: [] },
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [rename(name), cell])),
    );

  it.each([
    ['as it is', text],
    ['with a byte order mark', `\uFEFF${text}`],
    ['in reverse order', csvOf(columns.toReversed(), row)],
    ['in upper case', renamed((column) => column.toUpperCase())],
    ['with an underscore', renamed((column) => column.replace(':', '_'))],
    ['with the colon encoded', renamed((column) => column.replace(':', '%3A'))],
    [
      'without those that are not read',
      csvOf(
        columns.filter((column) => !/description|legal/.test(column)),
        row,
      ),
    ],
  ])('is read with its columns %s', async (_what, content) => {
    const { items, notices } = await readWith(form.settings, content);
    expect(notices).toEqual([]);
    expect(items).toEqual([{ deal, origin: { source: 'feed', file: 'feed.csv', line: 2 }, notices: [] }]);
  });

  it('has several merchants', async () => {
    const content = fileOf(form, row, { ...row, merchant_id: '999', merchant_name: 'Blue Mobiles' });
    const { deals, notices } = await readWith(form.settings, content);
    const isTelecom = form === AWIN;
    expect(deals.map(({ retailer }) => retailer.feedIds)).toEqual(isTelecom ? [['900'], ['999']] : [['900']]);
    expect(notices).toMatchObject(isTelecom ? [] : [{ code: 'unknown-merchant', line: 3 }]);
  });
});

describe('an Awin download with the telecom columns', () => {
  it('is rejected when only some of them are there', async () => {
    const some = AWIN.columns.filter((column) => !column.startsWith('Telcos:') || column === 'Telcos:tariff');
    const missing = 'expected the columns "Telcos:network" or "Telcos:network_details_json", "Telcos:initial_cost" or';
    expect((await readWith(AWIN.settings, csvOf(some, AWIN.row))).fault).toMatchObject({
      code: 'missing-column',
      line: 1,
      found: expect.stringContaining(missing) as string,
    });
  });

  it('may have rows without telecom data, and stand beside a file without the columns', async () => {
    const rows = [{ ...AWIN.row, merchant_product_id: '7002' }, AWIN_MERCHANTS.row];
    const { deals, account } = await readWith(AWIN_MERCHANTS.settings, {
      'feed-1.csv': fileOf(AWIN, ...rows),
      'feed-2.csv': fileOf(AWIN_MERCHANTS, DIRECT_ROW),
    });
    expect(deals.map(({ contractName }) => contractName)).toEqual(['Red Value', 'Red 100GB', 'Pay monthly']);
    expect(account).toMatchObject({ read: 3, kept: 3 });
  });
});
