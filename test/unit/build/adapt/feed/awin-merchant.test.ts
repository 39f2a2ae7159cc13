import { describe, expect, it } from 'vitest';
import { onlyDeal, onlyNotice, readAccounted } from '../accounted-feed.ts';
import { csvOf } from '../feed-reading.ts';

type Cells = Readonly<Record<string, string>>;

/** The columns of a download without the telecom data, in their order. */
const COLUMNS = `
  aw_deep_link product_name aw_product_id merchant_product_id merchant_image_url description
  merchant_category search_price merchant_name merchant_id category_name category_id aw_image_url currency
  store_price delivery_cost merchant_deep_link language last_updated display_price data_feed_id`
  .trim()
  .split(/\s+/);

const NAME = '{productName} on {network} Contract | £{monthlyCost}pm {dataGb} Data | £{upfrontCost} upfront cost';

/** A merchant that says nothing of minutes and texts, and sells everything for 24 months. */
const HIGH_STREET = {
  searchPrice: 'upfront',
  patterns: { product_name: [NAME] },
  constants: {
    contractName: '{network} {dataGb}',
    contractMonths: 24,
    callMinutes: 'unlimited',
    textMessages: 'unlimited',
  },
};

/** One that writes the costs into the link. */
const DIRECT = {
  patterns: {
    product_name: ['{productName}'],
    description: ['{*}{dataGb} of {*} data{*}', '{*}'],
    merchant_deep_link: ['https://direct.example/{*}/{network}-{contractMonths}-month-{monthlyCost}-{upfrontCost}'],
  },
  constants: { contractName: 'Pay monthly' },
  missingAllowance: 'unlimited',
};

const FEED = { adapter: 'awin', merchants: { '900': HIGH_STREET, '901': DIRECT, '902': { searchPrice: 'handset' } } };

const ROW: Cells = {
  aw_deep_link: 'https://www.awin1.example/pclick.php?p=1&a=2&m=900',
  product_name: 'Nokia X Pro 128GB Black on Red Contract | £44pm 100GB Data | £149 upfront cost',
  aw_product_id: '11',
  merchant_product_id: '7001',
  merchant_image_url: 'https://media.example/1.png',
  description: 'A phone.',
  search_price: '149.00',
  merchant_name: 'High Street Phones',
  merchant_id: '900',
  category_name: 'Prepay Mobile Phones',
  category_id: '352',
  currency: 'GBP',
  merchant_deep_link: 'https://shop.example/basket/1',
  display_price: 'GBP149.00',
  data_feed_id: '5',
};

const DIRECT_ROW: Cells = {
  ...ROW,
  merchant_id: '901',
  merchant_name: 'Direct',
  product_name: 'Nokia X Pro 128GB',
  description: 'With 100GB of 5G data and more.',
  merchant_deep_link: 'https://direct.example/nokia-x/red-36-month-25.00-9.99',
};

async function readRows(...rows: readonly Cells[]) {
  const read = await readAccounted(FEED, { 'feed.csv': csvOf(COLUMNS, ...rows) });
  expect(read.account.read).toBe(rows.length);
  return read;
}

describe('the awin adapter, without telecom columns', () => {
  it('reads what the name of the product says', async () => {
    expect(onlyDeal(await readRows(ROW))).toEqual({
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
    });
  });

  it('reads what description and link say, by the rules of each merchant in one file', async () => {
    const { deals, account } = await readRows(ROW, DIRECT_ROW);
    expect(account.kept).toBe(2);
    expect(deals[1]).toMatchObject({
      product: { name: 'Nokia X Pro 128GB' },
      retailer: { names: ['Direct'], feedIds: ['901'] },
      network: { key: 'red' },
      contractMonths: 36,
      dataMegabytes: 100_000,
      callMinutes: 'unlimited',
      monthlyPence: 2_500,
      upfrontPence: 999,
    });
  });

  it.each([
    [
      { product_name: 'Nokia X 64GB on Red Contract | £9pm Unlimited Data | £149 upfront cost' },
      { dataMegabytes: 'unlimited' },
    ],
    [{ search_price: '149.0000' }, { upfrontPence: 14_900 }],
    [{ merchant_image_url: 'https://x.example/noimage.gif' }, { productImage: undefined }],
    [{ aw_deep_link: '' }, { link: 'https://shop.example/basket/1' }],
    [
      { product_name: 'Nokia X Refurbished on Red Contract | £9pm 1GB Data | £149 upfront cost' },
      { product: { condition: undefined, saysNotNew: true } },
    ],
    [{ merchant_deep_link: 'https://shop.example/used/1' }, { product: { condition: 'refurbished' } }],
  ])('reads %j as %j', async (change, expected) => {
    expect(onlyDeal(await readRows({ ...ROW, ...change }))).toMatchObject(expected);
  });

  it.each([
    [{ product_name: 'Red SIM Only 100GB' }, 'sim-only', 'product_name'],
    [{ product_name: 'Red Travel eSIM 10GB' }, 'sim-only', 'product_name'],
    [{ product_name: '1GB prepay/PAYG SIM' }, 'no-contract', 'product_name'],
    [{ product_name: 'Broadband 150Mbps 24m contract' }, 'not-a-phone', 'product_name'],
    [{ merchant_category: 'SIM Card - PAYM' }, 'sim-only', 'merchant_category'],
    [{ merchant_category: 'Tablets' }, 'not-a-phone', 'merchant_category'],
    [{ merchant_id: '902', product_name: 'Nokia X 64GB', search_price: '199' }, 'no-contract', 'search_price'],
    // Even if more is wrong.
    [{ merchant_id: '999', product_name: 'Red SIM Only 100GB' }, 'sim-only', 'product_name'],
  ])('leaves out %j as %s', async (change, code, field) => {
    const read = await readRows({ ...ROW, ...change }, DIRECT_ROW);
    expect(onlyNotice(read)).toMatchObject({ code, field, record: '7001', line: 2 });
    expect(read.account).toMatchObject({ read: 2, kept: 1, outOfScope: 1 });
  });

  it.each([
    [{ merchant_id: '999', merchant_name: 'New Shop' }, 'unknown-merchant', 'merchant_id', '999 New Shop'],
    [{ merchant_id: '' }, 'unknown-merchant', 'merchant_id', 'High Street Phones'],
    [{ merchant_product_id: '' }, 'missing-field', 'merchant_product_id', undefined],
    [{ aw_deep_link: '', merchant_deep_link: '' }, 'missing-field', 'aw_deep_link', undefined],
    [{ aw_deep_link: 'javascript:x' }, 'malformed-field', 'aw_deep_link', 'javascript:x'],
    [{ currency: 'EUR' }, 'wrong-currency', 'currency', 'EUR'],
    [{ search_price: '44.00' }, 'contradictory-facts', 'upfrontCost', '149 in product_name'],
    [{ search_price: 'n/a' }, 'contradictory-facts', 'upfrontCost', '149 in product_name'],
    [
      { product_name: 'Nokia X Pro 128GB Black on Red | 44 a month' },
      'unmatched-pattern',
      'product_name',
      'Nokia X Pro 128GB Black on Red | 44 a month',
    ],
    [
      { product_name: 'Case on Nokia X on Red Contract | £44pm 1GB Data | £149 upfront cost' },
      'unmatched-pattern',
      'product_name',
      'Case on Nokia X on Red Contract | £44pm 1GB Data | £149 upfront cost',
    ],
    [
      { product_name: 'Nokia X on Red Contract | -£44pm 1GB Data | £149 upfront cost' },
      'unmatched-pattern',
      'product_name',
      'Nokia X on Red Contract | -£44pm 1GB Data | £149 upfront cost',
    ],
    [
      {
        ...DIRECT_ROW,
        merchant_deep_link: 'https://direct.example/old?sku=1',
      },
      'unmatched-pattern',
      'merchant_deep_link',
      'https://direct.example/old?sku=1',
    ],
  ])('quarantines %j as %s, and keeps the others', async (change, code, field, found) => {
    const read = await readRows({ ...ROW, ...change }, DIRECT_ROW);
    const notice = onlyNotice(read);
    expect(notice).toMatchObject({ code, field, line: 2 });
    expect(notice.found).toBe(found);
    expect(read.account).toMatchObject({ read: 2, kept: 1, quarantined: 1 });
  });

  it('says which lines would read an unknown merchant', async () => {
    const { remedy, expected } = onlyNotice(await readRows({ ...ROW, merchant_id: '999' }));
    expect(expected).toBe('one of 900, 901, 902');
    expect(remedy).toBe(
      'add "999": { "patterns": { "product_name": [ … ] } } to `merchants` of the feed, or { "leaveOut": { "not-a-phone": ["{*}"] } } when it sells no phones',
    );
  });

  it('says which pattern is missing', async () => {
    const { remedy } = onlyNotice(await readRows({ ...ROW, product_name: 'Nokia X', search_price: '149' }));
    expect(remedy).toBe(
      'add a pattern with {dataGb}, {monthlyCost}, {network}, {productName} for such texts to merchants.900.patterns.product_name',
    );
  });

  it('does not take a text that cannot be read for a missing allowance', async () => {
    const merchants = {
      '901': { ...DIRECT, patterns: { ...DIRECT.patterns, description: ['{*}{dataGb} of {*} data{*}'] } },
    };
    const text = csvOf(COLUMNS, { ...DIRECT_ROW, description: 'Lots of data' });
    const read = await readAccounted({ ...FEED, merchants }, { 'feed.csv': text });
    expect(onlyNotice(read)).toMatchObject({ code: 'unmatched-pattern', field: 'description' });
  });

  it.each([
    [{ merchant_deep_link: 'https://shop.example/used/1' }, 1],
    [{}, 0],
  ])('does not sell %j as new because the configuration says so', async (change, quarantined) => {
    const merchants = { '900': { ...HIGH_STREET, constants: { ...HIGH_STREET.constants, condition: 'new' } } };
    const read = await readAccounted({ ...FEED, merchants }, { 'feed.csv': csvOf(COLUMNS, { ...ROW, ...change }) });
    expect(read.account.quarantined).toBe(quarantined);
    expect(read.notices.map(({ code, field }) => [code, field])).toEqual(
      quarantined === 0 ? [] : [['contradictory-facts', 'condition']],
    );
  });

  it('leaves out all of a merchant that sells no phones, when the configuration says so', async () => {
    const merchants = { '900': { leaveOut: { 'not-a-phone': ['{*}'] } } };
    const read = await readAccounted({ ...FEED, merchants }, { 'feed.csv': csvOf(COLUMNS, ROW) });
    expect(read.account).toMatchObject({ read: 1, outOfScope: 1 });
  });

  it('reads both shapes in one source, and rows without telecom data in a file that has the columns', async () => {
    const telecom = [
      ...COLUMNS,
      'Telcos:term',
      'Telcos:month_cost',
      'Telcos:initial_cost',
      'Telcos:inc_data',
      'Telcos:inc_minutes',
      'Telcos:inc_texts',
      'Telcos:tariff',
      'Telcos:network',
      'Telcos:device_full_name',
    ];
    const telecomRow = {
      ...ROW,
      merchant_product_id: '7002',
      'Telcos:term': '24',
      'Telcos:month_cost': '31',
      'Telcos:initial_cost': '49',
      'Telcos:inc_data': '40000',
      'Telcos:inc_minutes': 'UNLIMITED',
      'Telcos:inc_texts': 'UNLIMITED',
      'Telcos:tariff': 'Red Value',
      'Telcos:network': 'Red',
      'Telcos:device_full_name': 'Nokia X',
    };
    const costs = JSON.stringify({ tco_inc_vat: '793.00' });
    const read = await readAccounted(FEED, {
      'feed-1.csv': csvOf(
        [...telecom, 'Telcos:deal_cost_json'],
        { ...telecomRow, 'Telcos:deal_cost_json': costs },
        ROW,
      ),
      'feed-2.csv': csvOf(COLUMNS, DIRECT_ROW),
    });
    expect(read.deals.map(({ contractName }) => contractName)).toEqual(['Red Value', 'Red 100GB', 'Pay monthly']);
    expect(read.account).toMatchObject({ read: 3, kept: 3 });
  });
});
