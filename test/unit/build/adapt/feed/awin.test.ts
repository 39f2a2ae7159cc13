import { describe, expect, it } from 'vitest';
import { createAwinAdapter } from '../../../../../build/adapt/feed/awin.ts';
import type { DealRecord } from '../../../../../data/record/deal.ts';
import { csvOf, dealOf, noticeOf, readWith } from '../feed-reading.ts';

const readAwin = createAwinAdapter({ merchants: {} });

type Cells = Readonly<Record<string, string>>;

/** All columns of a download with the telecom data ticked, in its order. */
const COLUMNS: readonly string[] = `
  aw_deep_link product_name aw_product_id merchant_product_id merchant_image_url description
  merchant_category search_price merchant_name merchant_id category_name category_id aw_image_url
  currency store_price delivery_cost merchant_deep_link language last_updated display_price
  data_feed_id Telcos:contract_type Telcos:term Telcos:initial_cost Telcos:month_cost Telcos:gift
  Telcos:inc_minutes Telcos:inc_data Telcos:connectivity Telcos:inc_texts Telcos:tariff
  Telcos:storage_size Telcos:special_offer Telcos:network Telcos:operating_system
  Telcos:device_product_json Telcos:device_product_version_json Telcos:device_product_edition_json
  Telcos:device_full_name Telcos:device_description Telcos:device_images_json
  Telcos:device_features_json Telcos:device_specifications_json Telcos:network_details_json
  Telcos:tariff_group_details_json Telcos:tariff_details_json Telcos:tariff_allowances_json
  Telcos:tariff_out_of_plan_charges_json Telcos:deal_tags_json Telcos:deal_type_json
  Telcos:deal_promo_info Telcos:deal_retailer_json Telcos:deal_cost_json Telcos:deal_discounts_json
  Telcos:deal_cashback_json Telcos:deal_legal_info Telcos:subscription_name
  Telcos:subscription_price_effective Telcos:subscription_renewal`
  .trim()
  .split(/\s+/);

const COST = {
  upfront_inc_vat: '49.00',
  upfront_exc_vat: '40.83',
  monthly_total_inc_vat: '31.00',
  monthly_device_inc_vat: '',
  monthly_device_term_months: '24',
  monthly_contract_term_months: '24',
  tco_inc_vat: '793.00',
};

const DEAL: Cells = {
  aw_deep_link: 'https://www.awin1.example/pclick.php?p=1&a=2&m=900',
  product_name: 'Nokia X Pro 64GB Blue at £49.00 on Red Value (24 Month contract) with Unlimited mins',
  aw_product_id: '11',
  merchant_product_id: '7001',
  merchant_image_url: 'https://media.example/edition-70.png?h=400&w=400',
  description: 'A phone, with "quotes"\nand two lines.',
  merchant_category: 'Mobile Phone - PAYM',
  search_price: '49.00',
  merchant_name: 'Red Mobiles',
  merchant_id: '900',
  category_name: 'Prepay Mobile Phones',
  category_id: '352',
  currency: 'GBP',
  display_price: 'GBP49.00',
  'Telcos:contract_type': 'Phone Contract',
  'Telcos:term': '24',
  'Telcos:initial_cost': '49.00',
  'Telcos:month_cost': '31',
  'Telcos:inc_minutes': 'UNLIMITED',
  'Telcos:inc_data': '40000',
  'Telcos:inc_texts': '5000',
  'Telcos:tariff': 'Red Value',
  'Telcos:network': 'Red',
  'Telcos:device_product_json':
    '{"product_id":"5","product_name":"X","product_brand":"Nokia","product_type":"Mobile Phone"}',
  'Telcos:device_product_version_json': '{"product_version_id":"60","product_version_name":"X Pro"}',
  'Telcos:device_product_edition_json': '{"product_edition_id":"70","product_edition_name":"64GB Blue"}',
  'Telcos:device_full_name': 'Nokia X Pro (64GB Blue)',
  'Telcos:device_features_json': '{"colour":"Blue","colour_group":"Blue","condition":"New","condition_friendly":""}',
  'Telcos:device_specifications_json': '{"display_size":"5.1\\""}',
  'Telcos:network_details_json': '{"name":"Red UK","company_id":"9"}',
  'Telcos:tariff_details_json': '{"tariff_name":"Red Value 24","tariff_type":"Phone Contract"}',
  'Telcos:tariff_allowances_json':
    '{"mins_details":{"cross_net_anytime":"500"},"texts_details":{"cross_net_anytime":250},"data_details":{"cellular_mb":"3000"}}',
  'Telcos:deal_retailer_json': '{"name":"Red Shop","company_id":"9"}',
  'Telcos:deal_cost_json': JSON.stringify(COST),
};

/** A deal of which some cells, and some values of `Telcos:deal_cost_json`, are others. */
function row(change: Cells = {}, cost: Readonly<Record<string, string | number>> = {}): Cells {
  return { ...DEAL, 'Telcos:deal_cost_json': JSON.stringify({ ...COST, ...cost }), ...change };
}

async function readRow(cells: Cells, missingAllowance: 'quarantine' | 'unlimited' = 'quarantine') {
  const columns = [...new Set([...COLUMNS, ...Object.keys(cells)])];
  const { items, notes } = await readWith(readAwin, csvOf(columns, cells), { missingAllowance });
  expect(notes).toEqual([]);
  expect(items).toHaveLength(1);
  return items[0];
}

async function dealFrom(change: Cells, cost: Readonly<Record<string, string | number>> = {}): Promise<DealRecord> {
  return dealOf(await readRow(row(change, cost)));
}

describe('the awin adapter', () => {
  it('reads a row with the telecom columns', async () => {
    expect(await readRow(row())).toEqual({
      kind: 'deal',
      deal: {
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
      origin: { source: 'feed', file: 'feed.csv', line: 2 },
      notices: [],
    });
  });

  it.each([
    ['in reverse order', (columns: readonly string[]) => columns.toReversed()],
    ['in upper case', (columns: readonly string[]) => columns.map((column) => column.toUpperCase())],
    ['with an underscore', (columns: readonly string[]) => columns.map((column) => column.replace(':', '_'))],
    ['with the colon encoded', (columns: readonly string[]) => columns.map((column) => column.replace(':', '%3A'))],
    [
      'without those that are not read',
      (columns: readonly string[]) => columns.filter((column) => !/description|legal/.test(column)),
    ],
  ])('reads columns %s', async (_, rename) => {
    const columns = rename(COLUMNS);
    const values = new Map(Object.entries(DEAL).map(([name, text]) => [name.toLowerCase().replace(':', '_'), text]));
    const cells = Object.fromEntries(
      columns.map((column) => [column, values.get(column.toLowerCase().replace(/:|%3a/, '_')) ?? '']),
    );
    const { items } = await readWith(readAwin, csvOf(columns, cells));
    expect(dealOf(items[0])).toMatchObject({ key: '7001', monthlyPence: 3_100 });
  });

  it('refuses a download with only some of the telecom columns', async () => {
    const some = COLUMNS.filter((column) => !column.startsWith('Telcos:') || column === 'Telcos:tariff');
    await expect(readWith(readAwin, csvOf(some, DEAL))).rejects.toMatchObject({
      code: 'missing-column',
      line: 1,
      message: expect.stringContaining(
        'expected the columns Telcos:device_full_name or Telcos:device_product_json, Telcos:network or Telcos:network_details_json,',
      ) as string,
    });
  });

  it.each([
    [{ 'Telcos:contract_type': 'Mobile Broadband Contract' }, 'not-a-phone', 'Telcos:contract_type'],
    [{ 'Telcos:contract_type': 'SIM/Contract Free' }, 'no-contract', 'Telcos:contract_type'],
    [{ 'Telcos:contract_type': 'Phone Pre-pay' }, 'no-contract', 'Telcos:contract_type'],
    [{ merchant_category: 'SIM Card - PAYM' }, 'sim-only', 'merchant_category'],
    [{ merchant_category: 'SIM Card - PAYG' }, 'sim-only', 'merchant_category'],
    [{ merchant_category: 'Tablet' }, 'not-a-phone', 'merchant_category'],
    [{ merchant_category: 'Smartwatch' }, 'not-a-phone', 'merchant_category'],
    [{ merchant_category: 'Headphones' }, 'not-a-phone', 'merchant_category'],
    [{ merchant_category: 'Phone Cases' }, 'not-a-phone', 'merchant_category'],
    [{ merchant_category: 'Mobile Wi-Fi' }, 'not-a-phone', 'merchant_category'],
    [{ merchant_category: 'Mobile Phone - PAYG' }, 'no-contract', 'merchant_category'],
    [{ product_type: 'Game Console' }, 'not-a-phone', 'product_type'],
    [
      { 'Telcos:device_product_json': '{"product_type":"Laptop"}' },
      'not-a-phone',
      'Telcos:device_product_json.product_type',
    ],
    [{ merchant_category: 'Tablet', 'Telcos:month_cost': 'broken' }, 'not-a-phone', 'merchant_category'],
    [{ in_stock: '0' }, 'out-of-stock', 'in_stock'],
    [{ in_stock: 'no' }, 'out-of-stock', 'in_stock'],
    [{ is_for_sale: '0' }, 'out-of-stock', 'is_for_sale'],
    [{ stock_status: 'Out of Stock' }, 'out-of-stock', 'stock_status'],
    [{ valid_to: '2026-11-19 23:59:59' }, 'not-valid-today', 'valid_to'],
    [{ valid_from: '2026-11-21 00:00:00', valid_to: '2026-11-19 23:59:59' }, 'contradictory-facts', 'valid_to'],
    [{ valid_from: '2026-11-21' }, 'not-valid-today', 'valid_from'],
  ])('leaves out %j as %s', async (change: Cells, code, field) => {
    expect(noticeOf(await readRow(row(change)))).toMatchObject({ code, field, record: '7001', line: 2 });
  });

  it('leaves out a phone that is sold by itself, in a feed without contract types', async () => {
    const cells = row({
      'Telcos:contract_type': '',
      merchant_category: 'Mobile Phone',
      'Telcos:term': '',
      'Telcos:month_cost': '',
      'Telcos:deal_cost_json': '',
    });
    expect(noticeOf(await readRow(cells)).code).toBe('no-contract');
  });

  it.each([
    { merchant_category: 'Mobile Phone' },
    { merchant_category: 'Pay Monthly' },
    { merchant_category: 'Mobile Phones & Tablets' },
    { merchant_category: 'Camera Phones' },
    { 'Telcos:contract_type': '', merchant_category: 'Mobile Phone' },
    {
      in_stock: '1',
      is_for_sale: 'yes',
      stock_status: 'in stock',
      valid_from: '2026-01-01 00:00:00',
      valid_to: '0000-00-00 00:00:00',
    },
  ])('keeps %j', async (change) => {
    expect((await dealFrom(change)).key).toBe('7001');
  });

  it.each([
    [
      'the device term, when it makes the total true',
      { 'Telcos:term': '24' },
      { monthly_device_term_months: 36, tco_inc_vat: '1165.00' },
      36,
    ],
    [
      'the stated term, when it does',
      { 'Telcos:term': '12' },
      { monthly_device_term_months: '36', tco_inc_vat: '421.00' },
      12,
    ],
    [
      'the airtime term, when it does',
      { 'Telcos:term': '12' },
      { monthly_device_term_months: '36', monthly_contract_term_months: '18', tco_inc_vat: '607.01' },
      18,
    ],
    [
      'the device term, when none does',
      { 'Telcos:term': '24' },
      { monthly_device_term_months: '36', tco_inc_vat: '1.00' },
      36,
    ],
    [
      'the device term, without a total',
      { 'Telcos:term': '24' },
      { monthly_device_term_months: '36', tco_inc_vat: '' },
      36,
    ],
    [
      'the stated term, without a device term',
      { 'Telcos:term': '30 Month(s)' },
      { monthly_device_term_months: '', tco_inc_vat: '' },
      30,
    ],
    [
      'the term in the name, without any',
      { 'Telcos:term': '' },
      { monthly_device_term_months: '', monthly_contract_term_months: '', tco_inc_vat: '' },
      24,
    ],
  ])('takes for the length of the contract %s', async (_, change, cost: Record<string, string | number>, months) => {
    expect((await dealFrom(change as Cells, cost)).contractMonths).toBe(months);
  });

  it.each([
    [{ 'Telcos:initial_cost': '' }, { upfrontPence: 4_900 }],
    [{ 'Telcos:month_cost': 'null' }, { monthlyPence: 3_100 }],
    [{ 'Telcos:initial_cost': '0', search_price: '31.00' }, { upfrontPence: 0 }],
    [{ 'Telcos:month_cost': '-5' }, { monthlyPence: -500 }],
    [{ 'Telcos:month_cost': '31.0000' }, { monthlyPence: 3_100 }],
    [{ 'Telcos:tariff': '' }, { contractName: 'Red Value 24' }],
    [{ 'Telcos:tariff': 'Red £10 Caf&eacute; &amp; More' }, { contractName: 'Red £10 Café & More' }],
    [{ 'Telcos:tariff': 'Red Â£10' }, { contractName: 'Red £10' }],
    [{ 'Telcos:tariff': 'Red Â£10 and £5' }, { contractName: 'Red Â£10 and £5' }],
    [{ 'Telcos:tariff': ' Red\u0000  \n Value ' }, { contractName: 'Red Value' }],
    [{ 'Telcos:inc_data': 'Unlimited' }, { dataMegabytes: 'unlimited' }],
    [{ 'Telcos:inc_data': '-1' }, { dataMegabytes: 'unlimited' }],
    [{ 'Telcos:inc_data': '300GB' }, { dataMegabytes: 300_000 }],
    [{ 'Telcos:inc_data': '500MB' }, { dataMegabytes: 500 }],
    [{ 'Telcos:inc_data': '0' }, { dataMegabytes: 0 }],
    [
      { 'Telcos:inc_data': '', 'Telcos:inc_minutes': '', 'Telcos:inc_texts': '' },
      { dataMegabytes: 3_000, callMinutes: 500, textMessages: 250 },
    ],
    [
      { 'Telcos:network_details_json': '', 'Telcos:deal_retailer_json': '' },
      { network: { names: ['Red'], feedIds: [] }, retailer: { names: ['Red Mobiles'], feedIds: ['900'] } },
    ],
    [{ aw_deep_link: '', merchant_deep_link: 'https://shop.example/x' }, { link: 'https://shop.example/x' }],
    [
      { merchant_image_url: 'https://x.example/noimage.gif', large_image: 'https://x.example/l.png' },
      { productImage: 'https://x.example/l.png' },
    ],
    [{ merchant_image_url: '', aw_image_url: 'http://x.example/a.png' }, { productImage: 'http://x.example/a.png' }],
    [{ merchant_image_url: 'not a url' }, { productImage: undefined }],
    [{ 'Telcos:gift': 'Wireless earbuds' }, { gift: 'Wireless earbuds' }],
    [{ 'Telcos:gift': 'None' }, { gift: undefined }],
    [
      { 'Telcos:deal_extras_json': '[{"extra_name":"Case","image":"https://x.example/1.png"},{"name":"Charger"}]' },
      { gift: 'Case + Charger' },
    ],
    [{ 'Telcos:deal_extras_json': '{"description":"A watch"}' }, { gift: 'A watch' }],
    [{ 'Telcos:deal_extras_json': '[]' }, { gift: undefined }],
    [
      { 'Telcos:deal_cashback_json': '{"deal_cashback":"","value":"50.00","type":"By Redemption"}' },
      { cashbackType: 'Cashback by redemption', cashbackPence: 5_000 },
    ],
    [
      { 'Telcos:deal_cashback_json': '[{"cashback_amount":75,"cashback_type":"Automatic"}]' },
      { cashbackType: 'Automatic Cashback', cashbackPence: 7_500 },
    ],
    [
      { 'Telcos:deal_cashback_json': '{"cashbacks":[{"amount":"£20","description":"Auto cashback"}]}' },
      { cashbackType: 'Automatic Cashback', cashbackPence: 2_000 },
    ],
    [
      { 'Telcos:deal_cashback_json': '£50 automatic cashback' },
      { cashbackType: 'Automatic Cashback', cashbackPence: 5_000 },
    ],
  ])('reads %j as %j', async (change, expected) => {
    expect(await dealFrom(change)).toMatchObject(expected);
  });

  it.each([
    [{ 'Telcos:device_full_name': '' }, { name: 'Nokia X X Pro 64GB Blue' }],
    [
      { 'Telcos:device_full_name': '', 'Telcos:device_product_version_json': '' },
      { name: 'Nokia X 64GB Blue', feedIds: ['70'] },
    ],
    [{ 'Telcos:device_full_name': 'Honor X 8a ' }, { name: 'Honor X 8a' }],
    [{ 'Telcos:device_product_edition_json': '{"product_edition_id":70}' }, { feedIds: ['70', '60'] }],
    [{ ean: '5000000000000', product_GTIN: '0840244706500' }, { gtin: '0840244706500' }],
    [{ ean: '8.40E+12' }, { gtin: undefined }],
    [
      { 'Telcos:device_features_json': '', colour: 'Red' },
      { colour: 'Red', condition: undefined },
    ],
    [{ 'Telcos:device_features_json': '{"condition":"Refurbished"}' }, { condition: 'refurbished' }],
    [
      { 'Telcos:device_features_json': '{"condition":"New","condition_friendly":"Good as New"}' },
      { condition: 'refurbished' },
    ],
    [{ 'Telcos:device_features_json': '', condition: 'used' }, { condition: 'refurbished' }],
    [{ 'Telcos:device_features_json': '', condition: 'Brand New' }, { condition: 'new' }],
    [
      { 'Telcos:device_features_json': '', 'Telcos:device_full_name': 'Nokia X (64GB, Used Grade A)' },
      { condition: undefined },
    ],
    [
      { 'Telcos:device_features_json': '', product_name: 'Nokia X Pre-owned at £9 on Red' },
      { condition: undefined, saysNotNew: true },
    ],
    [{ 'Telcos:device_features_json': '', product_name: 'Nokia X at £9 on Refurb Tariff' }, { condition: undefined }],
    [{ 'Telcos:storage_size': '128GB' }, { storage: '128GB' }],
    [
      { 'Telcos:storage_size': '0', 'Telcos:device_features_json': '{"capacity":"64GB","condition":"New"}' },
      { storage: '64GB', condition: 'new' },
    ],
  ])('reads the product of %j as %j', async (change, expected) => {
    expect((await dealFrom(change)).product).toMatchObject(expected);
  });

  it.each([
    [{ merchant_product_id: '' }, 'missing-field', 'merchant_product_id', undefined],
    [
      { merchant_id: '', merchant_name: '', 'Telcos:deal_retailer_json': '' },
      'missing-field',
      'merchant_name',
      undefined,
    ],
    [{ 'Telcos:network': '', 'Telcos:network_details_json': '' }, 'missing-field', 'Telcos:network', undefined],
    [{ 'Telcos:tariff': '', 'Telcos:tariff_details_json': '' }, 'missing-field', 'Telcos:tariff', undefined],
    [{ aw_deep_link: '' }, 'missing-field', 'aw_deep_link', undefined],
    [{ aw_deep_link: 'javascript:alert(1)' }, 'malformed-field', 'aw_deep_link', 'javascript:alert(1)'],
    [{ 'Telcos:month_cost': '£31' }, 'malformed-field', 'Telcos:month_cost', '£31'],
    [{ 'Telcos:inc_data': 'See terms' }, 'malformed-field', 'Telcos:inc_data', 'See terms'],
    [{ 'Telcos:inc_data': '', 'Telcos:tariff_allowances_json': '' }, 'missing-allowance', 'Telcos:inc_data', undefined],
    [
      { 'Telcos:device_features_json': '{"condition":"Pristine"}' },
      'malformed-field',
      'Telcos:device_features_json.condition',
      'Pristine',
    ],
    [
      {
        'Telcos:device_full_name': '',
        'Telcos:device_product_json': '',
        'Telcos:device_product_version_json': '',
        'Telcos:device_product_edition_json': '',
      },
      'missing-field',
      'Telcos:device_full_name',
      undefined,
    ],
    [
      { 'Telcos:device_features_json': '{"colour":"Blue"' },
      'malformed-json',
      'Telcos:device_features_json',
      '{"colour":"Blue"',
    ],
    [{ 'Telcos:deal_cashback_json': '{"value":' }, 'malformed-json', 'Telcos:deal_cashback_json', '{"value":'],
    [{ currency: 'EUR' }, 'wrong-currency', 'currency', 'EUR'],
    [{ currency: '', display_price: 'USD49.00' }, 'wrong-currency', 'currency', 'USD'],
    [{ valid_to: 'soon' }, 'malformed-field', 'valid_to', 'soon'],
  ])('quarantines %j as %s', async (change, code, field, found) => {
    const notice = noticeOf(await readRow(row(change)));
    expect(notice).toMatchObject({ code, field });
    expect(notice.found).toBe(found);
  });

  it.each([
    [
      { 'Telcos:term': 'soon', product_name: '' },
      { monthly_device_term_months: '', monthly_contract_term_months: '' },
      'malformed-field',
      'Telcos:term',
      'soon',
    ],
    [{ 'Telcos:initial_cost': '' }, { upfront_inc_vat: '' }, 'missing-field', 'Telcos:initial_cost', undefined],
    [{}, { tco_inc_vat: 'n/a' }, 'malformed-field', 'Telcos:deal_cost_json.tco_inc_vat', 'n/a'],
  ])(
    'quarantines %j with the costs %j as %s',
    async (change: Cells, cost: Record<string, string>, code, field, found) => {
      const notice = noticeOf(await readRow(row(change, cost)));
      expect(notice).toMatchObject({ code, field });
      expect(notice.found).toBe(found);
    },
  );

  it('does not mind broken JSON in a cell that is not read', async () => {
    expect(
      (await dealFrom({ 'Telcos:device_specifications_json': '{"x":', 'Telcos:tariff_allowances_json': '{' })).key,
    ).toBe('7001');
  });

  it('drops half a cashback with a notice', async () => {
    const item = await readRow(row({ 'Telcos:deal_cashback_json': '{"value":"50.00"}' }));
    expect(dealOf(item)).not.toHaveProperty('cashbackPence');
    expect(item).toMatchObject({
      notices: [{ code: 'half-cashback', expected: 'a type with the amount', record: '7001' }],
    });
  });

  it.each(['{"value":"0","type":"Automatic"}', '{"value":"","type":""}', '[]', 'null'])(
    'takes the cashback %j for none',
    async (cell) => {
      const item = await readRow(row({ 'Telcos:deal_cashback_json': cell }));
      expect(dealOf(item)).not.toHaveProperty('cashbackType');
      expect(item).toMatchObject({ notices: [] });
    },
  );

  it('takes a missing allowance for unlimited when the configuration says so', async () => {
    const cells = row({ 'Telcos:inc_minutes': 'null', 'Telcos:tariff_allowances_json': '' });
    expect(dealOf(await readRow(cells, 'unlimited')).callMinutes).toBe('unlimited');
  });

  it('reads windows-1252, NUL bytes and line ends of Windows', async () => {
    const text = csvOf(COLUMNS, row({ 'Telcos:tariff': 'Café £5', 'Telcos:device_full_name': 'Nokia X' }));
    const bytes = Buffer.from(text.replaceAll('\n', '\r\n').replace('Nokia X', 'Nok\0ia X'), 'latin1');
    const { items } = await readWith(readAwin, bytes);
    expect(dealOf(items[0])).toMatchObject({ contractName: 'Café £5', product: { name: 'Nokia X' } });
  });
});
