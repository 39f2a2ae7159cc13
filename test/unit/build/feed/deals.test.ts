import { describe, expect, it } from 'vitest';
import { DEALS_COLUMNS } from '../../../../build/feed/fields.ts';
import { formatNotice } from '../../../../build/report/describe-notice.ts';
import { csvOf, onlyDeal, onlyNotice, readWith, type FeedReading } from './reading.ts';
import { DEALS, fileOf } from './forms.ts';

const { row: DEAL } = DEALS;

function read(content: string, settings: object = {}): Promise<FeedReading> {
  return readWith({ adapter: 'deals', ...settings }, content);
}

function readLine(line: object): Promise<FeedReading> {
  return read(JSON.stringify(line));
}

/** The line of each record, with the key of its deal or the code of its notice. */
function outcomes({ items, excluded }: FeedReading): readonly (readonly [line: number | undefined, outcome: string])[] {
  const kept = items.map(({ origin, deal }) => [origin.line, deal.key] as const);
  return [...kept, ...excluded.map(({ line, code }) => [line, code] as const)].toSorted(([a = 0], [b = 0]) => a - b);
}

describe('the deals adapter', () => {
  it.each([
    [4511, '4511'],
    [0, '0'],
  ])('takes the whole number %j for an id', async (dealId, key) => {
    expect(onlyDeal(await readLine({ ...DEAL, dealId, productId: 101 }))).toMatchObject({
      key,
      product: { id: '101' },
    });
  });

  it.each([45.5, 2 ** 60])('takes no other number for an id: %j', async (dealId) => {
    expect(onlyNotice(await readLine({ ...DEAL, dealId }))).toMatchObject({
      code: 'malformed-field',
      field: 'dealId',
      found: String(dealId),
    });
  });

  it('reads a row of CSV', async () => {
    const { items, notices } = await read(fileOf(DEALS, DEAL));
    expect(notices).toEqual([]);
    expect(items).toEqual([
      {
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

  it('reads columns in any order, with blanks around their names, after a byte order mark', async () => {
    const columns = [...DEALS_COLUMNS].reverse();
    const content = `\uFEFF${csvOf(columns, DEAL).replace('dealId', ' dealId ')}`;
    expect(onlyDeal(await read(content)).key).toBe('H-1');
  });

  it('reads NDJSON, money as number or text', async () => {
    const lines = [
      { ...DEAL, dataGb: 0.5, upfrontCost: 29.99, monthlyCost: '30.00', contractMonths: 24, inStock: true, gift: null },
      { ...DEAL, dealId: 'H-2', monthlyCost: -1 },
    ];
    const { items, deals } = await read(`\n${lines.map((line) => JSON.stringify(line)).join('\n\n')}\n`);
    expect(deals.map(({ key, monthlyPence }) => [key, monthlyPence])).toEqual([
      ['H-1', 3_000],
      ['H-2', -100],
    ]);
    expect(deals[0]).toMatchObject({ dataMegabytes: 500, upfrontPence: 2_999 });
    expect(items[1]).toMatchObject({ origin: { line: 4 } });
  });

  it('keeps the line of every row, and one faulty row costs no other', async () => {
    const content = fileOf(DEALS, DEAL, { ...DEAL, dealId: 'H-2', gift: 'two\nlines' }, { ...DEAL, dealId: 'H-3' });
    const reading = await read(
      `${content}short,row\n${fileOf(DEALS, { ...DEAL, dealId: 'H-4' }).split('\n')[1]},extra\n\n${fileOf(DEALS, { ...DEAL, dealId: 'H-5' }).split('\n')[1]}`,
    );
    expect(outcomes(reading)).toEqual([
      [2, 'H-1'],
      [3, 'H-2'],
      [5, 'H-3'],
      [6, 'column-count'],
      [7, 'column-count'],
      [9, 'H-5'],
    ]);
    expect(reading.excluded[0]).toMatchObject({ expected: '24 cells', found: '2 cells' });
  });

  it.each([
    ['{"dealId": "H-1"', '{"dealId": "H-1"'],
    ['[1]', '[1]'],
    ['null', 'null'],
  ])('quarantines the line %j of NDJSON', async (line, found) => {
    const reading = await read(`${JSON.stringify(DEAL)}\n${line}\n${JSON.stringify(DEAL)}\n`);
    expect(reading.deals).toHaveLength(2);
    expect(onlyNotice(reading)).toMatchObject({ code: 'malformed-record', line: 2, found });
  });

  it('quarantines a value of NDJSON that is neither text nor number', async () => {
    expect(onlyNotice(await readLine({ ...DEAL, retailer: ['house'] }))).toMatchObject({
      code: 'malformed-field',
      field: 'retailer',
      expected: 'a text or a number',
      found: '["house"]',
    });
  });

  it.each([
    [
      { monthlyCost: 29.999 },
      'monthlyCost: expected an amount such as 29.99, got 29.999; correct the field in the source, or the settings that say how it is written',
    ],
    [
      { dealLink: true },
      'dealLink: expected an http or https URL, got true; correct the field in the source, or the settings that say how it is written',
    ],
    [{ inStock: false }, 'inStock: the feed says that the deal is out of stock, got false; nothing needs to be done'],
  ])('says of %j in NDJSON what stands there, a text in quotes and nothing else', async (change, sentence) => {
    expect(formatNotice(onlyNotice(await readLine({ ...DEAL, ...change })))).toBe(`feed.csv:1 H-1 ${sentence}`);
  });

  it('does not read a key of NDJSON that stands for a prototype', async () => {
    const line = JSON.stringify(DEAL).replace('{', '{"__proto__":{"inStock":"false"},');
    const reading = await read(line);
    expect(onlyDeal(reading).key).toBe('H-1');
    expect(reading.notices).toMatchObject([{ code: 'unknown-column', field: '__proto__' }]);
  });

  it.each([
    ['CSV', csvOf([...DEALS_COLUMNS, 'monthlycost', 'colour', ''], DEAL)],
    [
      'NDJSON',
      `${JSON.stringify({ ...DEAL, monthlycost: 1, colour: 'x' })}\n${JSON.stringify({ ...DEAL, colour: 'y' })}`,
    ],
  ])('tells once of a column of %s that it does not know', async (_, content) => {
    const { notices } = await read(content);
    expect(notices).toMatchObject([
      { code: 'unknown-column', line: 1, field: 'colour' },
      { code: 'unknown-column', line: 1, field: 'monthlycost' },
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
    ['Upfront (£)', 'upfrontCost'],
    ['monthly_cost (GBP)', 'monthlyCost'],
    ['Telcos:term', 'contractMonths'],
    ['Carrier', 'network'],
    ['monthlycsot', 'monthlyCost'],
  ])('says which column is missing and which may be it: %s for %s', async (name, column) => {
    const header = DEALS_COLUMNS.map((known) => (known === column ? name : known)).join(',');
    expect((await read(`${header}\n`)).fault?.found).toContain(
      `feed.csv:1: expected the columns "${column}" (perhaps "${name}"), got "`,
    );
  });

  it('does not choose between two columns that may be the missing one', async () => {
    const header = DEALS_COLUMNS.join(',').replace('monthlyCost', 'monthly,Monthly price');
    expect((await read(`${header}\n`)).fault?.found).toContain('expected the columns "monthlyCost", got "');
  });

  it.each([
    ['total', 'perhaps totalCost'],
    ['stock', 'perhaps inStock'],
    // The column that is called so stands beside it.
    ['monthly', `one of ${DEALS_COLUMNS.join(', ')}`],
    // Near several columns.
    ['cost', `one of ${DEALS_COLUMNS.join(', ')}`],
    ['colour', `one of ${DEALS_COLUMNS.join(', ')}`],
  ])('tells of the column %s that it is %s', async (name, expected) => {
    const columns = DEALS_COLUMNS.filter((column) => column !== 'totalCost' && column !== 'inStock');
    const { notices } = await read(csvOf([...columns, name], DEAL));
    expect(notices).toMatchObject([{ code: 'unknown-column', field: name, expected }]);
  });

  it.each([
    [
      'dealId,retailer\n1,2\n',
      'missing-column',
      'feed.csv:1: expected the columns "network", "contractName", "contractMonths", "upfrontCost", "monthlyCost", "dealLink", "dataGb", "callMinutes", "textMessages", "productId" or "productName" or "gtin", got "dealId,retailer"',
    ],
    [
      `${DEALS_COLUMNS.join(',')},dealId\n`,
      'source-malformed',
      'feed.csv:1: expected the column "dealId" once, got it twice',
    ],
    ['', 'source-malformed', 'feed.csv:1: expected a row that names the columns, got an empty file'],
  ])('refuses the file %j', async (content, code, message) => {
    expect((await read(content)).fault).toMatchObject({
      code,
      line: 1,
      found: expect.stringContaining(message) as string,
    });
  });

  it('needs no columns of allowances when a missing one means unlimited', async () => {
    const columns = DEALS_COLUMNS.filter((column) => !['dataGb', 'callMinutes', 'textMessages'].includes(column));
    expect(onlyDeal(await read(csvOf(columns, DEAL), { missingAllowance: 'unlimited' }))).toMatchObject({
      dataMegabytes: 'unlimited',
      callMinutes: 'unlimited',
      textMessages: 'unlimited',
    });
  });
});
