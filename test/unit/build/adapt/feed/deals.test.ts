import { describe, expect, it } from 'vitest';
import { DEALS_COLUMNS } from '../../../../../build/adapt/deal/fields.ts';
import { readDeals } from '../../../../../build/adapt/feed/deals.ts';
import { formatNotice } from '../../../../../build/report/describe-build.ts';
import { csvOf, dealOf, noticeOf, readWith } from '../feed-reading.ts';

type Row = Readonly<Record<string, string>>;

const DEAL: Row = {
  dealId: 'H-1',
  productId: '101',
  retailer: 'house',
  network: 'O2',
  contractName: 'O2 Plan',
  contractMonths: '24',
  dataGb: '50',
  callMinutes: 'unlimited',
  textMessages: '5000',
  upfrontCost: '29.99',
  monthlyCost: '30',
  dealLink: 'https://shop.example/d/1?a=1&b=2',
};

function csv(...changes: readonly Row[]): string {
  return csvOf(DEALS_COLUMNS, ...changes.map((change) => ({ ...DEAL, ...change })));
}

async function readOne(change: Row, missingAllowance: 'quarantine' | 'unlimited' = 'quarantine') {
  const { items } = await readWith(readDeals, csv(change), { missingAllowance });
  expect(items).toHaveLength(1);
  return items[0];
}

describe('the deals adapter', () => {
  it.each([
    [4511, '4511'],
    [0, '0'],
  ])('takes the whole number %j for an id', async (dealId, key) => {
    const { items } = await readWith(readDeals, JSON.stringify({ ...DEAL, dealId, productId: 101 }));
    expect(dealOf(items[0])).toMatchObject({ key, product: { id: '101' } });
  });

  it.each([45.5, 2 ** 60])('takes no other number for an id: %j', async (dealId) => {
    const { items } = await readWith(readDeals, JSON.stringify({ ...DEAL, dealId }));
    expect(noticeOf(items[0])).toMatchObject({ code: 'malformed-field', field: 'dealId', found: String(dealId) });
  });

  it('reads a row of CSV', async () => {
    const { items, notes } = await readWith(readDeals, csv({}));
    expect(notes).toEqual([]);
    expect(items).toEqual([
      {
        kind: 'deal',
        deal: {
          key: 'H-1',
          product: { id: '101', feedIds: [] },
          retailer: { key: 'house', names: [], feedIds: [] },
          network: { key: 'O2', names: [], feedIds: [] },
          dealType: 'contract',
          contractName: 'O2 Plan',
          contractMonths: 24,
          dataMegabytes: 50_000,
          callMinutes: 'unlimited',
          textMessages: 5_000,
          upfrontPence: 2_999,
          monthlyPence: 3_000,
          link: 'https://shop.example/d/1?a=1&b=2',
        },
        origin: { source: 'feed', file: 'feed.csv', line: 2 },
        notices: [],
      },
    ]);
  });

  it('reads the optional fields', async () => {
    const deal = dealOf(
      await readOne({
        productId: '',
        productName: 'Pixel 9',
        gtin: '0840244706500',
        condition: 'refurbished',
        dealType: 'upgrade',
        totalCost: '749.99',
        cashbackType: 'Automatic Cashback',
        cashbackValue: '50',
        gift: 'Earbuds',
        productImage: 'http://images.example/1.png',
        validFrom: '2026-11-20',
        validTo: '2026-11-20',
        inStock: 'TRUE',
      }),
    );
    expect(deal).toMatchObject({
      product: { name: 'Pixel 9', gtin: '0840244706500', condition: 'refurbished' },
      dealType: 'upgrade',
      statedTotalPence: 74_999,
      cashbackType: 'Automatic Cashback',
      cashbackPence: 5_000,
      gift: 'Earbuds',
      productImage: 'http://images.example/1.png',
    });
  });

  it('reads columns in any order, with blanks around their names, after a byte order mark', async () => {
    const columns = [...DEALS_COLUMNS].reverse();
    const content = `\uFEFF${csvOf(columns, DEAL).replace('dealId', ' dealId ')}`;
    const { items } = await readWith(readDeals, content);
    expect(dealOf(items[0]).key).toBe('H-1');
  });

  it('reads NDJSON, money as number or text', async () => {
    const lines = [
      { ...DEAL, dataGb: 0.5, upfrontCost: 29.99, monthlyCost: '30.00', contractMonths: 24, inStock: true, gift: null },
      { ...DEAL, dealId: 'H-2', monthlyCost: -1 },
    ];
    const { items } = await readWith(readDeals, `\n${lines.map((line) => JSON.stringify(line)).join('\n\n')}\n`);
    expect(items.map((item) => [dealOf(item).key, dealOf(item).monthlyPence])).toEqual([
      ['H-1', 3_000],
      ['H-2', -100],
    ]);
    expect(dealOf(items[0])).toMatchObject({ dataMegabytes: 500, upfrontPence: 2_999 });
    expect(items[1]).toMatchObject({ origin: { line: 4 } });
  });

  it.each([
    ['dataGb', '0.5', 'dataMegabytes', 500],
    ['dataGb', '0.001', 'dataMegabytes', 1],
    ['dataGb', '1.005', 'dataMegabytes', 1_005],
    ['dataGb', '0', 'dataMegabytes', 0],
    ['dataGb', '999999', 'dataMegabytes', 'unlimited'],
    ['dataGb', 'Unlimited', 'dataMegabytes', 'unlimited'],
    ['callMinutes', '999999', 'callMinutes', 'unlimited'],
    ['textMessages', '0', 'textMessages', 0],
    ['upfrontCost', '0', 'upfrontPence', 0],
    ['monthlyCost', '-5.50', 'monthlyPence', -550],
    ['totalCost', '-1', 'statedTotalPence', -100],
  ])('reads %s %s as %s %s', async (column, text, field, value) => {
    expect(dealOf(await readOne({ [column]: text }))).toMatchObject({ [field]: value });
  });

  it.each([
    ['dealId', '', 'missing-field', 'a text', undefined],
    ['productId', '', 'missing-field', 'one of productId, productName, gtin', undefined],
    ['productId', '007', 'malformed-field', 'decimal digits without a leading zero, such as "101"', '007'],
    ['gtin', '0840244706501', 'malformed-field', '8, 12, 13 or 14 digits that end in the check digit', '0840244706501'],
    ['condition', 'New', 'malformed-field', '"new" or "refurbished"', 'New'],
    ['condition', 'used', 'malformed-field', '"new" or "refurbished"', 'used'],
    ['retailer', '', 'missing-field', 'an id, slug, name or alias', undefined],
    ['network', '  ', 'missing-field', 'an id, slug, name or alias', undefined],
    ['dealType', 'Contract!', 'malformed-field', 'a lower-case word such as "contract"', 'Contract!'],
    ['contractName', '', 'missing-field', 'a text', undefined],
    ['contractMonths', '0', 'malformed-field', 'a whole number of months, 1 to 120', '0'],
    ['contractMonths', '24 months', 'malformed-field', 'a whole number of months, 1 to 120', '24 months'],
    ['contractMonths', '', 'missing-field', 'a whole number of months, 1 to 120', undefined],
    ['dataGb', '0.0005', 'malformed-field', 'gigabytes with at most three decimals, or unlimited', '0.0005'],
    ['dataGb', '50GB', 'malformed-field', 'gigabytes with at most three decimals, or unlimited', '50GB'],
    ['dataGb', '-1', 'malformed-field', 'gigabytes with at most three decimals, or unlimited', '-1'],
    ['callMinutes', '1.5', 'malformed-field', 'a whole number or unlimited', '1.5'],
    ['textMessages', '', 'missing-allowance', 'a number or unlimited', undefined],
    ['upfrontCost', '£29.99', 'malformed-field', 'an amount such as 29.99', '£29.99'],
    ['upfrontCost', '', 'missing-field', 'an amount such as 29.99', undefined],
    ['monthlyCost', '1,299.00', 'malformed-field', 'an amount such as 29.99', '1,299.00'],
    ['monthlyCost', '29.999', 'malformed-field', 'an amount such as 29.99', '29.999'],
    ['totalCost', 'n/a', 'malformed-field', 'an amount such as 29.99', 'n/a'],
    ['cashbackValue', 'lots', 'malformed-field', 'an amount such as 29.99', 'lots'],
    ['dealLink', '', 'missing-field', 'an http or https URL', undefined],
    ['dealLink', 'javascript:alert(1)', 'malformed-field', 'an http or https URL', 'javascript:alert(1)'],
    ['productImage', '//images.example/1.png', 'malformed-field', 'an http or https URL', '//images.example/1.png'],
    [
      'validFrom',
      '20/11/2026',
      'malformed-field',
      'a day such as 2026-11-20 or an instant such as 2026-11-20T08:00:00Z',
      '20/11/2026',
    ],
    [
      'validTo',
      '2026-02-30',
      'malformed-field',
      'a day such as 2026-11-20 or an instant such as 2026-11-20T08:00:00Z',
      '2026-02-30',
    ],
    ['inStock', 'constructor', 'malformed-field', 'true or false', 'constructor'],
  ])('quarantines %s %j as %s', async (field, text, code, expected, found) => {
    const notice = noticeOf(await readOne({ [field]: text }));
    expect(notice).toMatchObject({ code, field, expected, source: 'feed', file: 'feed.csv', line: 2 });
    expect(notice.found).toBe(found);
    expect(notice.record).toBe(field === 'dealId' ? undefined : 'H-1');
  });

  it('gives one notice for a row, which names every fault', async () => {
    const notice = noticeOf(await readOne({ upfrontCost: '£1', retailer: '', contractMonths: 'x' }));
    expect(notice).toMatchObject({
      code: 'missing-field',
      field: 'retailer',
      remedy:
        'correct the field, and also contractMonths: expected a whole number of months, 1 to 120, got "x"; upfrontCost: expected an amount such as 29.99, got "£1"',
    });
  });

  it('takes a missing allowance for unlimited when the configuration says so', async () => {
    expect(dealOf(await readOne({ dataGb: '' }, 'unlimited')).dataMegabytes).toBe('unlimited');
  });

  it.each([
    [{ inStock: 'false' }, 'out-of-stock', 'inStock', 'false'],
    [{ inStock: '0', upfrontCost: '£1' }, 'out-of-stock', 'inStock', '0'],
    [{ validFrom: '2026-11-21' }, 'not-valid-today', 'validFrom', '2026-11-21'],
    [{ validFrom: '2026-11-20T02:30:01Z' }, 'not-valid-today', 'validFrom', '2026-11-20T02:30:01Z'],
    [{ validTo: '2026-11-19' }, 'not-valid-today', 'validTo', '2026-11-19'],
    [{ validTo: '2026-11-20T03:29:59+01:00' }, 'not-valid-today', 'validTo', '2026-11-20T03:29:59+01:00'],
    [{ validFrom: '2026-11-21', validTo: '2026-11-19' }, 'contradictory-facts', 'validTo', '2026-11-19'],
    [{ validFrom: '2026-12-24', validTo: '2026-12-01' }, 'contradictory-facts', 'validTo', '2026-12-01'],
    [{ contractMonths: '240' }, 'malformed-field', 'contractMonths', '240'],
  ])('leaves out %j', async (change: Row, code, field, found) => {
    expect(noticeOf(await readOne(change))).toMatchObject({ code, field, found, record: 'H-1' });
  });

  it.each([
    { validFrom: '2026-11-20', validTo: '2026-11-20' },
    { validFrom: '2026-11-20T02:30:00Z', validTo: '2026-11-20T02:30:00Z' },
    { validTo: '2026-11-20T03:30:00+01:00' },
    { inStock: 'yes' },
  ])('keeps %j', async (change) => {
    expect(dealOf(await readOne(change)).key).toBe('H-1');
  });

  it.each([
    [{ cashbackType: 'Automatic Cashback' }, 'cashbackValue', 'Automatic Cashback'],
    [{ cashbackValue: '50.00' }, 'cashbackType', '50.00'],
  ])('drops half a cashback with a notice: %j', async (change: Row, field, found) => {
    const item = await readOne(change);
    expect(dealOf(item)).not.toHaveProperty('cashbackPence');
    expect(item).toMatchObject({ notices: [{ code: 'half-cashback', field, found, record: 'H-1' }] });
  });

  it.each([{ cashbackType: 'Automatic Cashback', cashbackValue: '0.00' }, { cashbackValue: '0' }])(
    'takes a cashback of nothing for none: %j',
    async (change) => {
      const item = await readOne(change);
      expect(dealOf(item)).not.toHaveProperty('cashbackType');
      expect(item).toMatchObject({ notices: [] });
    },
  );

  it('keeps the line of every row, and one faulty row costs no other', async () => {
    const content = csv({}, { dealId: 'H-2', gift: 'two\nlines' }, { dealId: 'H-3' });
    const { items } = await readWith(
      readDeals,
      `${content}short,row\n${csv({ dealId: 'H-4' }).split('\n')[1]},extra\n\n${csv({ dealId: 'H-5' }).split('\n')[1]}`,
    );
    expect(
      items.map((item) =>
        item.kind === 'deal' ? [item.origin.line, item.deal.key] : [item.notice.line, item.notice.code],
      ),
    ).toEqual([
      [2, 'H-1'],
      [3, 'H-2'],
      [5, 'H-3'],
      [6, 'column-count'],
      [7, 'column-count'],
      [9, 'H-5'],
    ]);
    expect(noticeOf(items[3])).toMatchObject({ expected: '24 cells', found: '2 cells' });
  });

  it('quarantines a row with a stray quote', async () => {
    const { items } = await readWith(readDeals, csv({}, { contractName: 'a b' }).replace('a b', 'a 5" b'));
    expect(items.map((item) => item.kind)).toEqual(['deal', 'excluded']);
    expect(noticeOf(items[1])).toMatchObject({ code: 'malformed-record', line: 3 });
  });

  it.each([
    ['{"dealId": "H-1"', '{"dealId": "H-1"'],
    ['[1]', '[1]'],
    ['null', 'null'],
  ])('quarantines the line %j of NDJSON', async (line, found) => {
    const { items } = await readWith(readDeals, `${JSON.stringify(DEAL)}\n${line}\n${JSON.stringify(DEAL)}\n`);
    expect(items.map((item) => item.kind)).toEqual(['deal', 'excluded', 'deal']);
    expect(noticeOf(items[1])).toMatchObject({ code: 'malformed-record', line: 2, found });
  });

  it('quarantines a value of NDJSON that is neither text nor number', async () => {
    const { items } = await readWith(readDeals, JSON.stringify({ ...DEAL, retailer: ['house'] }));
    expect(noticeOf(items[0])).toMatchObject({
      code: 'malformed-field',
      field: 'retailer',
      expected: 'a text or a number',
      found: '["house"]',
    });
  });

  it.each([
    [
      { monthlyCost: 29.999 },
      'monthlyCost: expected an amount such as 29.99, got 29.999; correct the field in the source',
    ],
    [
      { monthlyCost: '29.999' },
      'monthlyCost: expected an amount such as 29.99, got "29.999"; correct the field in the source',
    ],
    [{ dealLink: true }, 'dealLink: expected an http or https URL, got true; correct the field in the source'],
    [{ inStock: false }, 'inStock: the feed says that the deal is out of stock, got false; nothing needs to be done'],
  ])('says of %j in NDJSON what stands there, a text in quotes and nothing else', async (change, sentence) => {
    const { items } = await readWith(readDeals, JSON.stringify({ ...DEAL, ...change }));
    expect(formatNotice(noticeOf(items[0]))).toBe(`feed.csv:1 H-1 ${sentence}`);
  });

  it('does not read a key of NDJSON that stands for a prototype', async () => {
    const line = JSON.stringify(DEAL).replace('{', '{"__proto__":{"inStock":"false"},');
    const { items, notes } = await readWith(readDeals, line);
    expect(dealOf(items[0]).key).toBe('H-1');
    expect(notes).toMatchObject([{ code: 'unknown-column', field: '__proto__' }]);
  });

  it.each([
    ['CSV', csvOf([...DEALS_COLUMNS, 'monthlycost', 'colour', ''], DEAL)],
    [
      'NDJSON',
      `${JSON.stringify({ ...DEAL, monthlycost: 1, colour: 'x' })}\n${JSON.stringify({ ...DEAL, colour: 'y' })}`,
    ],
  ])('tells once of a column of %s that it does not know', async (_, content) => {
    const { notes } = await readWith(readDeals, content);
    expect(notes).toMatchObject([
      {
        code: 'unknown-column',
        line: 1,
        field: 'monthlycost',
        expected: 'perhaps monthlyCost',
        remedy: 'if it should be read, call it "monthlyCost"',
      },
      { code: 'unknown-column', line: 1, field: 'colour' },
    ]);
  });

  it.each([
    ['monthly', 'monthlyCost'],
    ['Monthly price', 'monthlyCost'],
    ['minutes', 'callMinutes'],
    ['texts', 'textMessages'],
    ['months', 'contractMonths'],
    ['network name', 'network'],
    ['link', 'dealLink'],
  ])('says which column is missing and which may be it: %s for %s', async (name, column) => {
    const header = DEALS_COLUMNS.map((known) => (known === column ? name : known)).join(',');
    await expect(readWith(readDeals, `${header}\n`)).rejects.toThrow(
      `feed.csv:1: expected the columns ${column} (perhaps "${name}"), got "`,
    );
  });

  it.each([
    ['total', 'perhaps totalCost'],
    ['stock', 'perhaps inStock'],
    // The column that is called so stands beside it.
    ['monthly', `one of ${DEALS_COLUMNS.join(', ')}`],
    ['colour', `one of ${DEALS_COLUMNS.join(', ')}`],
  ])('tells of the column %s that it is %s', async (name, expected) => {
    const columns = DEALS_COLUMNS.filter((column) => column !== 'totalCost' && column !== 'inStock');
    const { notes } = await readWith(readDeals, csvOf([...columns, name], DEAL));
    expect(notes).toMatchObject([{ code: 'unknown-column', field: name, expected }]);
  });

  it.each([
    [
      'dealId,retailer\n1,2\n',
      'missing-column',
      'feed.csv:1: expected the columns network, contractName, contractMonths, upfrontCost, monthlyCost, dealLink, dataGb, callMinutes, textMessages, productId or productName or gtin, got "dealId,retailer"',
    ],
    ['dealid;retailer\n', 'missing-column', 'feed.csv:1: expected the columns dealId, retailer,'],
    [
      `${DEALS_COLUMNS.join(',')},dealId\n`,
      'source-malformed',
      'feed.csv:1: expected the column dealId once, got it twice',
    ],
    ['', 'source-malformed', 'feed.csv:1: expected a row that names the columns, got an empty file'],
    [
      'deal"Id,retailer\n',
      'source-malformed',
      'feed.csv:1: expected a row that names the columns, got a row with a quote inside a cell',
    ],
  ])('refuses the file %j', async (content, code, message) => {
    await expect(readWith(readDeals, content)).rejects.toMatchObject({
      code,
      line: 1,
      message: expect.stringContaining(message) as string,
    });
  });

  it('needs no columns of allowances when a missing one means unlimited', async () => {
    const columns = DEALS_COLUMNS.filter((column) => !['dataGb', 'callMinutes', 'textMessages'].includes(column));
    const { items } = await readWith(readDeals, csvOf(columns, DEAL), { missingAllowance: 'unlimited' });
    expect(dealOf(items[0])).toMatchObject({
      dataMegabytes: 'unlimited',
      callMinutes: 'unlimited',
      textMessages: 'unlimited',
    });
  });
});
