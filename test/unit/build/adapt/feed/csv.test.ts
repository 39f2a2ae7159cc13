import { describe, expect, it } from 'vitest';
import { onlyDeal, onlyNotice, readAccounted, type AccountedFeed } from '../accounted-feed.ts';
import { csvOf } from '../feed-reading.ts';

type Row = Readonly<Record<string, string>>;

/** A sheet as people make them by hand. */
const ROW: Row = {
  'Deal ID': 'S-1',
  'OEM and Device': 'Nokia X Pro 128GB',
  'Price Plan': 'Red Value',
  Operator: 'Red',
  'Contract Term': '24 Month(s)',
  'Once-off Pay-in (incl VAT)': '£1,049.00',
  'Total Subscription Incl Vat': '£35',
  'Total Data': '4GB',
  'Total Minutes': '200min',
  Sms: '0sms',
  'Promo Start date': '11/01/2026',
  'Promo End date': '11/30/2026',
  Available: 'Yes',
  URL: 'https://shop.example/s-1',
  Notes: 'not read',
};

const SETTINGS = {
  adapter: 'csv',
  columns: {
    dealId: 'Deal ID',
    productName: 'OEM and Device',
    contractName: 'Price Plan',
    network: 'Operator',
    contractMonths: 'Contract Term',
    upfrontCost: { column: 'Once-off Pay-in (incl VAT)', strip: ['£', ','] },
    monthlyCost: { column: 'Total Subscription Incl Vat', strip: ['£', ','] },
    dataGb: { column: 'Total Data', unit: 'GB' },
    callMinutes: { column: 'Total Minutes', strip: ['min'], values: { Unl: 'unlimited', 'n/a': '' } },
    textMessages: { column: 'Sms', strip: ['sms'] },
    validFrom: 'Promo Start date',
    validTo: 'Promo End date',
    inStock: { column: 'Available', values: { 'sold out': 'no' } },
    dealLink: 'URL',
  },
  constants: { retailer: 'red-shop' },
  dates: 'mm/dd/yyyy',
};

async function read(rows: readonly Row[], settings: object = {}): Promise<AccountedFeed> {
  const fed = await readAccounted({ ...SETTINGS, ...settings }, { 'feed.csv': csvOf(Object.keys(ROW), ...rows) });
  expect(fed.account.read).toBe(rows.length);
  return fed;
}

describe('the csv adapter', () => {
  it('reads a sheet by its mapping', async () => {
    expect(onlyDeal(await read([ROW]))).toEqual({
      key: 'S-1',
      product: { feedIds: [], name: 'Nokia X Pro 128GB' },
      retailer: { key: 'red-shop', names: [], feedIds: [] },
      network: { key: 'Red', names: [], feedIds: [] },
      dealType: 'contract',
      contractName: 'Red Value',
      contractMonths: 24,
      dataMegabytes: 4_000,
      callMinutes: 200,
      textMessages: 0,
      upfrontPence: 104_900,
      monthlyPence: 3_500,
      link: 'https://shop.example/s-1',
    });
  });

  it.each([
    [{ 'Total Data': '500 MB' }, { dataMegabytes: 500 }],
    [{ 'Total Data': '4' }, { dataMegabytes: 4_000 }],
    [{ 'Total Data': '0.5gb' }, { dataMegabytes: 500 }],
    [{ 'Total Data': 'UNLIMITED' }, { dataMegabytes: 'unlimited' }],
    [{ 'Total Minutes': 'unl' }, { callMinutes: 'unlimited' }],
    [{ 'Contract Term': '36' }, { contractMonths: 36 }],
    [{ 'Contract Term': '12 months' }, { contractMonths: 12 }],
    [{ 'Total Subscription Incl Vat': '£ 29.99' }, { monthlyPence: 2_999 }],
    [{ 'Total Subscription Incl Vat': '-5' }, { monthlyPence: -500 }],
    [{ 'Promo End date': '11/20/2026' }, { key: 'S-1' }],
    [{ 'Promo Start date': '', 'Promo End date': '' }, { key: 'S-1' }],
    [{ 'OEM and Device': '  Nokia\u00A0 X  ' }, { product: { name: 'Nokia X' } }],
  ])('reads %j as %j', async (change, expected) => {
    expect(onlyDeal(await read([{ ...ROW, ...(change as Row) }]))).toMatchObject(expected);
  });

  it.each([
    [
      { 'Once-off Pay-in (incl VAT)': '1.049,00', 'Total Subscription Incl Vat': '35,5' },
      { upfrontPence: 104_900, monthlyPence: 3_550 },
    ],
    [
      { 'Once-off Pay-in (incl VAT)': '1049', 'Total Subscription Incl Vat': '35' },
      { upfrontPence: 104_900, monthlyPence: 3_500 },
    ],
  ])('reads %j with a decimal comma as %j', async (change, expected) => {
    const columns = {
      ...SETTINGS.columns,
      upfrontCost: { column: 'Once-off Pay-in (incl VAT)', strip: ['.'] },
      monthlyCost: 'Total Subscription Incl Vat',
    };
    expect(onlyDeal(await read([{ ...ROW, ...change }], { columns, decimal: ',' }))).toMatchObject(expected);
  });

  it.each([
    ['dd/mm/yyyy', '20/11/2026'],
    ['dd/mm/yyyy', '20.11.2026'],
    ['mm/dd/yyyy', '11-20-2026'],
    ['yyyy-mm-dd', '2026-11-20'],
    ['yyyy-mm-dd', '2026-11-20T23:00:00Z'],
    ['yyyy-mm-dd', '2026-11-20 23:00'],
    ['yyyy-mm-dd', '20.11.2026'],
    ['dd.mm.yyyy', '20.11.2026'],
    ['dd.mm.yyyy', '20.11.2026 23:00:00'],
    ['dd.mm.yyyy', '20.11.2026, 03:30+0100'],
    ['dd/mm/yyyy', '20/11/2026 9:30'],
  ])('reads days as %s: %s', async (dates, day) => {
    const fed = await read([{ ...ROW, 'Promo Start date': '', 'Promo End date': day }], { dates });
    expect(fed.account.kept).toBe(1);
  });

  it.each([';', '|', '\t'])('reads cells apart by %j', async (delimiter) => {
    const header = Object.keys(ROW).join(delimiter);
    const cells = Object.values(ROW).join(delimiter);
    const fed = await readAccounted({ ...SETTINGS, delimiter }, { 'feed.csv': `${header}\n${cells}\n` });
    expect(onlyDeal(fed).key).toBe('S-1');
  });

  it('reads a header that stands below a title, regardless of its case and spacing', async () => {
    const sheet = csvOf(Object.keys(ROW), ROW).replace('Deal ID', ' deal  id ');
    const fed = await readAccounted({ ...SETTINGS, headerLine: 3 }, { 'feed.csv': `Deals,of,the,day\n\n${sheet}` });
    expect(onlyDeal(fed).key).toBe('S-1');
    expect(fed.lines).toEqual([4]);
    expect(fed.account.read).toBe(1);
  });

  it.each([
    [{ Available: 'No' }, 'out-of-stock', 'Available', 'No'],
    [{ Available: 'Sold out', 'Total Data': 'lots' }, 'out-of-stock', 'Available', 'Sold out'],
    [{ 'Promo End date': '11/19/2026' }, 'not-valid-today', 'Promo End date', '11/19/2026'],
    [{ 'Promo Start date': '12/01/2026', 'Promo End date': '' }, 'not-valid-today', 'Promo Start date', '12/01/2026'],
  ])('leaves out %j as %s', async (change, code, field, found) => {
    const fed = await read([{ ...ROW, ...(change as Row) }, ROW]);
    expect(onlyNotice(fed)).toMatchObject({ code, field, found, record: 'S-1', line: 2 });
    expect(fed.account).toMatchObject({ read: 2, kept: 1, outOfScope: 1 });
  });

  it.each([
    [{ 'Deal ID': '' }, 'missing-field', 'Deal ID', undefined, 'a text'],
    [{ 'OEM and Device': '' }, 'missing-field', 'productId', undefined, 'one of productId, OEM and Device, gtin'],
    [{ Operator: ' ' }, 'missing-field', 'Operator', undefined, 'an id, slug, name or alias'],
    [
      { 'Once-off Pay-in (incl VAT)': 'POA' },
      'malformed-field',
      'Once-off Pay-in (incl VAT)',
      'POA',
      'an amount such as 29.99',
    ],
    [
      { 'Total Subscription Incl Vat': '£29,99' },
      'malformed-field',
      'Total Subscription Incl Vat',
      '£29,99',
      'an amount such as 29.99',
    ],
    [
      { 'Total Subscription Incl Vat': '£1.234.56' },
      'malformed-field',
      'Total Subscription Incl Vat',
      '£1.234.56',
      'an amount such as 29.99',
    ],
    [
      { 'Total Subscription Incl Vat': '£29.999' },
      'malformed-field',
      'Total Subscription Incl Vat',
      '£29.999',
      'an amount such as 29.99',
    ],
    [
      { 'Total Subscription Incl Vat': '£' },
      'malformed-field',
      'Total Subscription Incl Vat',
      '£',
      'an amount such as 29.99',
    ],
    [{ 'Contract Term': '24.5' }, 'malformed-field', 'Contract Term', '24.5', 'a whole number of months, 1 to 120'],
    [{ 'Contract Term': '0' }, 'malformed-field', 'Contract Term', '0', 'a whole number of months, 1 to 120'],
    [{ 'Total Data': '4TB' }, 'malformed-field', 'Total Data', '4TB', 'an allowance such as 4GB, 500MB or unlimited'],
    [
      { 'Total Data': '0.0001GB' },
      'malformed-field',
      'Total Data',
      '0.0001GB',
      'an allowance such as 4GB, 500MB or unlimited',
    ],
    [{ 'Total Minutes': '200 mins' }, 'malformed-field', 'Total Minutes', '200 mins', 'a whole number or unlimited'],
    [{ 'Total Minutes': 'N/A' }, 'missing-allowance', 'Total Minutes', undefined, 'a number or unlimited'],
    [{ 'Promo End date': '30/11/2026' }, 'malformed-field', 'Promo End date', '30/11/2026', 'a day such as 11/20/2026'],
    [{ 'Promo End date': '2/30/2026' }, 'malformed-field', 'Promo End date', '2/30/2026', 'a day such as 11/20/2026'],
    [{ 'Promo End date': 'Nov 30' }, 'malformed-field', 'Promo End date', 'Nov 30', 'a day such as 11/20/2026'],
    [{ Available: 'maybe' }, 'malformed-field', 'Available', 'maybe', 'true or false'],
    [{ URL: 'shop.example' }, 'malformed-field', 'URL', 'shop.example', 'an http or https URL'],
  ])('quarantines %j as %s, and keeps the others', async (change, code, field, found, expected) => {
    const fed = await read([{ ...ROW, ...(change as Row) }, ROW]);
    const notice = onlyNotice(fed);
    expect(notice).toMatchObject({ code, field, line: 2 });
    expect(notice.found).toBe(found);
    expect(notice.expected).toContain(expected);
    expect(fed.account).toEqual({ read: 2, kept: 1, duplicate: 0, outOfScope: 0, quarantined: 1 });
  });

  it.each([
    ['20/11/2026', 'say `"dates": "dd/mm/yyyy"` for the feed'],
    ['10/11/2026', 'say `"dates": "dd/mm/yyyy"` or `"mm/dd/yyyy"` for the feed'],
  ])('does not guess which number of %s is the day', async (day, remedy) => {
    const fed = await read([{ ...ROW, 'Promo Start date': '', 'Promo End date': day }], { dates: 'yyyy-mm-dd' });
    expect(onlyNotice(fed)).toMatchObject({ code: 'malformed-field', found: day, remedy });
  });

  it.each([
    ['{Make} {Model} {Size} ({Colour})', 'Nokia X Pro 128GB (Fog)'],
    ['{Make} {Empty} {Model} {Size} ({Empty})', 'Nokia X Pro 128GB'],
    ['Nokia {Model}, {size}', 'Nokia X Pro, 128GB'],
  ])('joins columns as %j', async (productName, name) => {
    const row = { ...ROW, Make: 'Nokia', Model: ' X  Pro', Size: '128GB', Colour: 'Fog', Empty: ' ' };
    const columns = { ...SETTINGS.columns, productName, dealId: '{Deal ID}-{Size}' };
    const fed = await readAccounted({ ...SETTINGS, columns }, { 'feed.csv': csvOf(Object.keys(row), row) });
    expect(onlyDeal(fed)).toMatchObject({ key: 'S-1-128GB', product: { name } });
  });

  it('has no text where all columns that are joined are empty', async () => {
    const columns = { ...SETTINGS.columns, productName: 'Nokia {Notes}' };
    expect(onlyNotice(await read([{ ...ROW, Notes: '' }], { columns }))).toMatchObject({ code: 'missing-field' });
  });

  it('fails as a whole for a column that is missing in a text that joins columns', async () => {
    const columns = { ...SETTINGS.columns, productName: '{OEM and Device} {Storag}' };
    await expect(read([ROW], { columns })).rejects.toMatchObject({ code: 'missing-column' });
  });

  it.each([
    ['Nokia X Pro', '128', { storage: '128GB' }],
    ['Nokia X Pro', '1 tb', { storage: '1TB' }],
    ['Nokia X Pro 8GB', '128GB', { storage: '128GB' }],
    ['Nokia X Pro', '8GB RAM/128GB', { storage: '128GB' }],
    ['Nokia X Pro 128 GB', '128GB', { storage: '128GB' }],
    // For matching to compare.
    ['Nokia X Pro 256GB', '128GB', { storage: '128GB' }],
    ['Nokia X Pro', '', {}],
  ])('reads the storage and the colour of %j from their columns, %j', async (name, size, product) => {
    const row = { ...ROW, 'OEM and Device': name, Size: size, Colour: 'Fog Blue' };
    const columns = { ...SETTINGS.columns, storage: 'Size', colour: 'Colour' };
    const fed = await readAccounted({ ...SETTINGS, columns }, { 'feed.csv': csvOf(Object.keys(row), row) });
    expect(onlyDeal(fed).product).toEqual({ feedIds: [], name, colour: 'Fog Blue', ...product });
  });

  it.each([
    ['Contract Term', '24 Mon.', 'say `"contractMonths": {"column":"Contract Term","strip":["Mon."]}` in `columns`'],
    [
      'Total Minutes',
      'ca. 1.000 Min',
      'say `"callMinutes": {"column":"Total Minutes","strip":["min","ca.","Min"]}` in `columns`',
    ],
    [
      'Total Data',
      '4TB',
      'say in `columns` what it means, `"dataGb": {"column":"Total Data","values":{"4TB":"…"}}`, or correct it in the source',
    ],
    [
      'Contract Term',
      '2 years',
      'say in `columns` what it means, `"contractMonths": {"column":"Contract Term","values":{"2 years":"…"}}`, or correct it in the source',
    ],
    [
      'Available',
      'maybe',
      'say in `columns` what it means, `"inStock": {"column":"Available","values":{"maybe":"…"}}`, or correct it in the source',
    ],
    [
      'Once-off Pay-in (incl VAT)',
      '$49',
      'say in `columns` what it means, `"upfrontCost": {"column":"Once-off Pay-in (incl VAT)","values":{"$49":"…"}}`, or correct it in the source',
    ],
  ])('says what setting reads the %s %j', async (column, found, remedy) => {
    expect(onlyNotice(await read([{ ...ROW, [column]: found }]))).toMatchObject({
      code: 'malformed-field',
      found,
      remedy,
    });
  });

  it('drops half a cashback with a notice, as in every feed', async () => {
    const columns = { ...SETTINGS.columns, cashbackValue: 'Notes' };
    const fed = await read([{ ...ROW, Notes: '50' }], { columns });
    expect(onlyNotice(fed)).toMatchObject({ code: 'half-cashback', found: '50' });
    expect(fed.account.kept).toBe(1);
  });

  it('takes a missing allowance for unlimited when the configuration says so', async () => {
    const { textMessages: _, ...columns } = SETTINGS.columns;
    const fed = await read([ROW], { columns, missingAllowance: 'unlimited' });
    expect(onlyDeal(fed).textMessages).toBe('unlimited');
  });

  it.each([
    [
      'a column that is missing',
      csvOf(Object.keys(ROW), ROW).replace('Operator', 'Operater'),
      'missing-column',
      'feed.csv:1: expected the columns "Operator" (perhaps "Operater"), got "Deal ID,',
    ],
    [
      'a column that is there twice',
      csvOf(Object.keys(ROW), ROW).replace('Notes', 'URL'),
      'source-malformed',
      'feed.csv:1: expected the column "URL" once, got it twice',
    ],
    [
      'another delimiter',
      csvOf(Object.keys(ROW), ROW).replaceAll(',', ';'),
      'missing-column',
      'correct `columns`, `delimiter` or `headerLine` of feed',
    ],
    [
      'a quote that stays open',
      `${csvOf(Object.keys(ROW), ROW)}"S-2,x\n`,
      'source-malformed',
      'a quote that stays open',
    ],
    ['an empty file', '', 'source-malformed', 'a row that names the columns'],
  ])('fails as a whole for %s', async (_, text, code, found) => {
    await expect(readAccounted(SETTINGS, { 'feed.csv': text })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(found) as string,
    });
  });
});
