import { describe, expect, it } from 'vitest';
import { readWith } from './reading.ts';
import { fileOf, SHEET } from './forms.ts';

const { row: ROW, settings: SETTINGS } = SHEET;
const TEXT = fileOf(SHEET, ROW);

describe('the csv adapter', () => {
  it('reads a sheet by its mapping', async () => {
    const { deals } = await readWith(SETTINGS, TEXT);
    expect(deals).toEqual([
      {
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
      },
    ]);
  });

  it.each([';', '|', '\t'])('reads cells with %j between them', async (delimiter) => {
    const lines = [Object.keys(ROW), Object.values(ROW)].map((cells) => `${cells.join(delimiter)}\n`);
    const { deals } = await readWith({ ...SETTINGS, delimiter }, lines.join(''));
    expect(deals).toMatchObject([{ key: 'S-1' }]);
  });

  it('reads a header below a title, without regard to case and spaces', async () => {
    const text = `Deals,of,the,day\n\n${TEXT.replace('Deal ID', ' deal  id ')}`;
    const { items } = await readWith({ ...SETTINGS, headerLine: 3 }, text);
    expect(items).toMatchObject([{ deal: { key: 'S-1' }, origin: { line: 4 } }]);
  });

  it.each([
    [
      'a column that is missing',
      TEXT.replace('Operator', 'Operater'),
      'missing-column',
      'feed.csv:1: expected the columns "Operator" (perhaps "Operater"), got "Deal ID,',
    ],
    [
      'a column that is missing in a text that joins columns',
      TEXT,
      'missing-column',
      '"Storag"',
      { columns: { ...(SETTINGS['columns'] as object), productName: '{OEM and Device} {Storag}' } },
    ],
    ['another delimiter', TEXT.replaceAll(',', ';'), 'missing-column', 'got "Deal ID;'],
  ])('fails as a whole for %s', async (_, text, code, found, settings: object = {}) => {
    expect((await readWith({ ...SETTINGS, ...settings }, text)).fault).toMatchObject({
      code,
      found: expect.stringContaining(found) as string,
    });
  });
});
