import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readAccounted, type AccountedFeed } from './accounted-feed.ts';
import { csvOf } from './feed-reading.ts';

type Cells = Readonly<Record<string, string>>;

const GENERIC: Cells = {
  aw_deep_link: 'https://www.awin1.example/pclick.php?p=1&m=900',
  product_name: 'Nokia X on Red Contract | £30pm 40GB Data | £49 upfront cost',
  aw_product_id: '11',
  merchant_product_id: '7001',
  merchant_image_url: 'https://media.example/1.png',
  description: 'A phone.',
  merchant_category: 'Mobile Phone - PAYM',
  search_price: '49.00',
  merchant_name: 'Red Mobiles',
  merchant_id: '900',
  category_name: 'Prepay Mobile Phones',
  category_id: '352',
  currency: 'GBP',
  delivery_cost: '',
  display_price: 'GBP49.00',
  data_feed_id: '5',
};

const TELECOM: Cells = {
  ...GENERIC,
  'Telcos:contract_type': 'Phone Contract',
  'Telcos:term': '24',
  'Telcos:initial_cost': '49.00',
  'Telcos:month_cost': '30.00',
  'Telcos:inc_minutes': 'UNLIMITED',
  'Telcos:inc_data': '40000',
  'Telcos:inc_texts': 'UNLIMITED',
  'Telcos:tariff': 'Red Value',
  'Telcos:network': 'Red',
  'Telcos:device_full_name': 'Nokia X',
  'Telcos:device_features_json': '{"colour":"Blue","condition":"New"}',
  'Telcos:device_specifications_json': '{"display_size":"5.1\\""}',
  'Telcos:deal_cost_json': '{"tco_inc_vat":"769.00"}',
};

const SETTINGS = {
  adapter: 'awin',
  merchants: {
    '900': {
      searchPrice: 'upfront',
      patterns: {
        product_name: [
          '{productName} on {network} Contract | £{monthlyCost}pm {dataGb} Data | £{upfrontCost} upfront cost',
        ],
      },
      constants: { contractName: 'Red Value', contractMonths: 24, callMinutes: 'unlimited', textMessages: 'unlimited' },
    },
  },
};

const SHAPES = [
  ['with telecom columns', TELECOM],
  ['without', GENERIC],
] as const;

function fileOf(...rows: readonly Cells[]): string {
  return csvOf(Object.keys(rows[0] ?? {}), ...rows);
}

async function read(content: string | Buffer, name = 'feed.csv'): Promise<AccountedFeed> {
  return readAccounted(SETTINGS, { [name]: content });
}

/** What both shapes make of a sound row. */
const DEAL = {
  key: '7001',
  contractName: 'Red Value',
  contractMonths: 24,
  dataMegabytes: 40_000,
  callMinutes: 'unlimited',
  textMessages: 'unlimited',
  upfrontPence: 4_900,
  monthlyPence: 3_000,
  product: { name: 'Nokia X' },
};

describe.each(SHAPES)('the quirks of Awin files %s', (_, row) => {
  it('Q1: with and without a byte order mark', async () => {
    for (const mark of ['', '\uFEFF']) expect((await read(mark + fileOf(row))).deals).toMatchObject([DEAL]);
  });

  it('Q2: quotes only where they are needed, JSON with its own quotes, and `\\` that escapes nothing', async () => {
    const text = fileOf({ ...row, description: 'C:\\phones\\', merchant_name: 'Red "The Red" Mobiles' });
    const { deals } = await read(text);
    expect(deals).toMatchObject([DEAL]);
    expect(deals[0]?.retailer.names).toContain('Red "The Red" Mobiles');
  });

  it('Q3: NUL bytes', async () => {
    expect((await read(fileOf(row).replaceAll('Nokia', 'No\0kia'))).deals).toMatchObject([DEAL]);
  });

  it('Q4: line breaks within a description', async () => {
    const { deals, lines } = await read(fileOf({ ...row, description: 'One\r\ntwo\nand many others' }, row));
    expect(deals).toMatchObject([DEAL, DEAL]);
    expect(lines).toEqual([2, 5]);
  });

  it('Q5: two apostrophes for inches', async () => {
    const { deals } = await read(fileOf({ ...row, description: "6.1'' phone, it's big" }));
    expect(deals).toMatchObject([DEAL]);
  });

  it('Q6: UTF-8 that was taken for windows-1252', async () => {
    const name = GENERIC.product_name?.replaceAll('£', 'Â£') ?? '';
    const text = fileOf({ ...row, product_name: name, merchant_name: 'CafÃ© Mobiles' });
    const { deals } = await read(text);
    expect(deals).toMatchObject([DEAL]);
    expect(deals[0]?.retailer.names).toContain('Café Mobiles');
  });

  it('Q9: prices with and without pence, and the currency glued to a price', async () => {
    const { deals } = await read(fileOf({ ...row, search_price: '49', currency: '' }));
    expect(deals).toMatchObject([DEAL]);
    const { notices } = await read(fileOf({ ...row, currency: '', display_price: 'EUR49.00' }));
    expect(notices).toMatchObject([{ code: 'wrong-currency', found: 'EUR' }]);
  });

  it('Q10: blanks for what is not known, and -1 for an unknown delivery cost', async () => {
    expect((await read(fileOf({ ...row, delivery_cost: '-1' }, row))).deals).toMatchObject([DEAL, DEAL]);
  });

  it('Q11: one deal for every colour goes on to where duplicates are found', async () => {
    const { account } = await read(fileOf(row, { ...row, merchant_product_id: '7002', aw_product_id: '12' }));
    expect(account).toMatchObject({ read: 2, kept: 2 });
  });

  it('Q12: blanks at the end and in the middle of names', async () => {
    const text = fileOf({
      ...row,
      product_name: 'Nokia  X  on Red Contract | £30pm 40GB Data | £49 upfront cost ',
      ...(row === TELECOM && { 'Telcos:device_full_name': 'Nokia  X ' }),
    });
    expect((await read(text)).deals).toMatchObject([DEAL]);
  });

  it('Q13: other names, cases and orders of columns', async () => {
    const renamed = Object.entries(row).map(([name, text]) => [name.toUpperCase().replace(':', '_'), text]);
    expect((await read(fileOf(Object.fromEntries(renamed.toReversed()) as Cells))).deals).toMatchObject([DEAL]);
  });

  it('Q14: links and pictures of http, and pictures with parameters', async () => {
    const picture = 'http://media.example/1.png?h=400&w=400&auto=format&bg=FFFFFF';
    const { deals } = await read(
      fileOf({ ...row, aw_deep_link: 'http://www.awin1.example/p?m=1', merchant_image_url: picture }),
    );
    expect(deals).toMatchObject([{ ...DEAL, link: 'http://www.awin1.example/p?m=1', productImage: picture }]);
  });

  it('Q16: categories that are wrong, and rows that sell something else', async () => {
    const { account, notices } = await read(
      fileOf(
        row,
        { ...row, category_name: 'Pet Food', category_id: '1' },
        { ...row, merchant_category: 'Tablet' },
        { ...row, merchant_category: 'Smartwatch' },
        { ...row, merchant_category: 'Game Console' },
        { ...row, merchant_category: 'SIM Free Mobile Phone' },
        { ...row, merchant_category: 'Mobile Broadband' },
      ),
    );
    expect(account).toEqual({ read: 7, kept: 2, duplicate: 0, outOfScope: 5, quarantined: 0 });
    expect(notices.map(({ code }) => code)).toEqual([
      'not-a-phone',
      'not-a-phone',
      'not-a-phone',
      'no-contract',
      'not-a-phone',
    ]);
  });

  it('Q18: a character that was lost', async () => {
    const { deals } = await read(fileOf({ ...row, merchant_name: 'Caf\uFFFD Mobiles' }));
    expect(deals[0]?.retailer.names).toContain('Caf\uFFFD Mobiles');
  });

  it('Q19: several merchants in one file', async () => {
    const { deals, notices } = await read(fileOf(row, { ...row, merchant_id: '901', merchant_name: 'Blue Mobiles' }));
    const hasTelecomData = row === TELECOM;
    expect(deals.map(({ retailer }) => retailer.feedIds)).toEqual(hasTelecomData ? [['900'], ['901']] : [['900']]);
    expect(notices).toMatchObject(hasTelecomData ? [] : [{ code: 'unknown-merchant', line: 3 }]);
  });

  it('Q20: HTML entities, decoded once', async () => {
    const { deals } = await read(fileOf({ ...row, merchant_name: 'Red &amp; Blue &amp;amp; Co' }));
    expect(deals[0]?.retailer.names).toContain('Red & Blue &amp; Co');
  });

  it('reads a packed file, and one that says it is packed and is not', async () => {
    expect((await read(gzipSync(fileOf(row)), 'feed.csv.gz')).deals).toMatchObject([DEAL]);
    expect((await read(fileOf(row), 'feed.csv.gz')).deals).toMatchObject([DEAL]);
  });

  it('one row with a stray quote and one with too few cells cost no other', async () => {
    const lines = fileOf(row, row, row).trimEnd().split('\n');
    const broken = [lines[0], lines[1], lines[2]?.replace('Nokia', 'No"kia'), '1,2,3', lines[3]].join('\n');
    const { account, notices } = await read(broken);
    expect(account).toMatchObject({ read: 4, kept: 2, quarantined: 2 });
    expect(notices.map(({ code }) => code).toSorted()).toEqual(['column-count', 'malformed-record']);
  });
});

describe('the quirks of Awin files that only the telecom columns have', () => {
  it.each(['UNLIMITED', 'Unlimited', 'unlimited', '-1'])('Q7: %s is no limit', async (text) => {
    const { deals } = await read(fileOf({ ...TELECOM, 'Telcos:inc_data': text, 'Telcos:inc_minutes': text }));
    expect(deals).toMatchObject([{ dataMegabytes: 'unlimited', callMinutes: 'unlimited' }]);
  });

  it('Q7: null is missing, and quarantined', async () => {
    const { notices } = await read(fileOf({ ...TELECOM, 'Telcos:inc_texts': 'null' }));
    expect(notices).toMatchObject([{ code: 'missing-allowance', field: 'Telcos:inc_texts' }]);
  });

  it.each([
    ['40000', 40_000],
    ['2GB', 2_000],
    ['3000MB', 3_000],
    ['300 GB', 300_000],
  ])('Q8: %s is %d megabytes', async (text, megabytes) => {
    expect((await read(fileOf({ ...TELECOM, 'Telcos:inc_data': text }))).deals).toMatchObject([
      { dataMegabytes: megabytes },
    ]);
  });

  it('Q13: `Month(s)` beside months', async () => {
    expect((await read(fileOf({ ...TELECOM, 'Telcos:term': '24 Month(s)' }))).deals).toMatchObject([DEAL]);
  });

  it('Q15: the term that makes the total true', async () => {
    const costs = { tco_inc_vat: '1129.00', monthly_device_term_months: '36', monthly_contract_term_months: '24' };
    const { deals } = await read(fileOf({ ...TELECOM, 'Telcos:deal_cost_json': JSON.stringify(costs) }));
    expect(deals).toMatchObject([{ contractMonths: 36, statedTotalPence: 112_900 }]);
  });

  it('Q17: numbers where there were texts', async () => {
    const costs = { tco_inc_vat: 769, monthly_total_inc_vat: 30, upfront_inc_vat: 49 };
    const { deals } = await read(
      fileOf({
        ...TELECOM,
        'Telcos:month_cost': '',
        'Telcos:initial_cost': '',
        'Telcos:deal_cost_json': JSON.stringify(costs),
      }),
    );
    expect(deals).toMatchObject([DEAL]);
  });
});

describe('the quirks of Awin files as they stand in names', () => {
  const nameWith = (data: string): string => `Nokia X on Red Contract | £30pm ${data} Data | £49 upfront cost`;

  it.each([
    ['UNLIMITED', 'unlimited'],
    ['Unlimited', 'unlimited'],
    ['40000MB', 40_000],
    ['15GB', 15_000],
    ['0.5GB', 500],
  ])('Q7, Q8: %s', async (data, megabytes) => {
    const { deals } = await read(fileOf({ ...GENERIC, product_name: nameWith(data) }));
    expect(deals).toMatchObject([{ dataMegabytes: megabytes }]);
  });

  it.each(['-1', '40000', 'null', '15 TB'])('Q7, Q8: %s is quarantined, since no pattern reads it', async (data) => {
    const { notices } = await read(fileOf({ ...GENERIC, product_name: nameWith(data) }));
    expect(notices).toMatchObject([{ code: 'unmatched-pattern', field: 'product_name' }]);
  });

  it('Q15: a term in the name that is not the merchant’s is quarantined', async () => {
    const patterns = {
      product_name: [`{productName} on {network} {contractMonths} months | £{monthlyCost}pm {dataGb} Data{*}`],
      description: ['{*}{contractMonths} month device plan{*}', '{*}'],
    };
    const merchants = {
      '900': {
        ...SETTINGS.merchants['900'],
        patterns,
        constants: { ...SETTINGS.merchants['900'].constants, contractMonths: undefined },
      },
    };
    const text = fileOf({
      ...GENERIC,
      product_name: 'Nokia X on Red 24 months | £30pm 40GB Data',
      description: 'With a 36 month device plan.',
    });
    const { notices } = await readAccounted({ adapter: 'awin', merchants }, { 'feed.csv': text });
    expect(notices).toMatchObject([
      {
        code: 'contradictory-facts',
        field: 'contractMonths',
        expected: '24 as in product_name',
        found: '36 in description',
      },
    ]);
  });

  it('Q17: numbers as numbers are the same texts in a table', async () => {
    const { deals } = await read(fileOf({ ...GENERIC, search_price: '49', data_feed_id: '18901' }));
    expect(deals).toMatchObject([DEAL]);
  });
});
