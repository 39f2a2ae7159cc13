import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SourceCheck } from '../../../build/check.ts';
import { callDeals } from './call-deals.ts';

const TABLES = join(import.meta.dirname, 'fixture/tables');
const root = mkdtempSync(join(tmpdir(), 'deals-table-'));

afterAll(() => rmSync(root, { recursive: true }));

const CONSTANTS = '// "constants": { "retailer": "" },';
const RETAILER = '"constants": { "retailer": "phonewright" },';

/** Tables as shops write them, the columns that are found, the fields that are not, and what a person then writes. */
const CASES: readonly (readonly [
  table: string,
  found: number,
  missing: string,
  edits: Readonly<Record<string, string>>,
])[] = [
  ['network', 17, 'retailer', { [CONSTANTS]: RETAILER }],
  ['spreadsheet', 12, 'retailer', { [CONSTANTS]: RETAILER }],
  ['continental', 12, '', {}],
  [
    'tabs',
    10,
    'retailer, network',
    { [CONSTANTS]: '"constants": { "retailer": "phonewright", "network": "northline" },' },
  ],
  [
    'odd',
    5,
    'retailer, network, contractName, contractMonths, monthlyCost, dealLink, productName',
    {
      [CONSTANTS]: RETAILER,
      '// "network": "",': '"network": "Who",',
      '// "contractName": "",': '"contractName": "Bundle name",',
      '// "contractMonths": "",': '"contractMonths": "How long",',
      '// "monthlyCost": "",': '"monthlyCost": "Then",',
      '// "dealLink": "",': '"dealLink": "Where",',
      '// "productName": "",': '"productName": "What you get",',
    },
  ],
];

describe('deals init --feed csv=<file>', () => {
  it.each(CASES)(
    'of the table %s finds %i columns, and the check names the rest',
    async (table, found, missing, edits) => {
      const config = join(root, table, 'catalogue.json');
      const args = ['init', '--feed', `shop=csv=${join(TABLES, `${table}.csv`)}`, '--config', config];
      const { exitCode, stderr } = await callDeals(args);
      expect({ exitCode, found: stderr.match(/\w+ is "/g)?.length }).toEqual({ exitCode: 0, found });
      expect(stderr).toContain(
        missing === '' ? 'no field is missing' : `no column was found for ${missing}: say it in`,
      );
      const check = (): ReturnType<typeof callDeals> => callDeals(['check', 'shop', '--config', config, '--json']);
      const message = `feeds[0].columns: expected a column or a constant for ${missing}, got [`;
      const { stderr: said } = await check();
      expect(said.includes(message)).toBe(missing !== '');
      let text = readFileSync(config, 'utf8');
      for (const [comment, setting] of Object.entries(edits)) {
        expect(text).toContain(comment);
        text = text.replace(comment, setting);
      }
      writeFileSync(config, text);
      const checked = await check();
      // Every row is read; the example catalogue has neither the phone nor the shop.
      const { source, lists, notices } = JSON.parse(checked.stdout) as SourceCheck;
      expect({ state: source.state, read: source.read, lists }).toEqual({
        state: 'fresh',
        read: 2,
        lists: { deals: 2 },
      });
      expect(notices.filter(({ code }) => code.endsWith('-field'))).toEqual([]);
    },
  );

  it('reads how amounts, lengths, allowances and dates are written', async () => {
    const config = join(root, 'spreadsheet/catalogue.json');
    const { stdout } = await callDeals(['check', 'shop', '--config', config, '--json', '--limit', '1']);
    expect(JSON.parse(stdout)).toMatchObject({
      records: [
        {
          line: 4,
          record: {
            key: '1001',
            product: { name: 'Acme Nova 128GB' },
            monthlyPence: 1850,
            contractMonths: 24,
            callMinutes: 500,
            textMessages: 'unlimited',
          },
        },
      ],
    });
    const other = join(root, 'continental/catalogue.json');
    const check = await callDeals(['check', 'shop', '--config', other, '--json', '--limit', '1']);
    expect(JSON.parse(check.stdout)).toMatchObject({
      records: [{ record: { upfrontPence: 102_900, monthlyPence: 2499, dataMegabytes: 10_000 } }],
    });
  });

  it('refuses a file that is not there', async () => {
    const config = join(root, 'none/catalogue.json');
    const { exitCode, stderr } = await callDeals(['init', '--feed', 'csv=none.csv', '--config', config]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: 'deals: none.csv: expected a file, found nothing\n' });
  });
});
