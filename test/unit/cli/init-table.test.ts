import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SourceCheck } from '../../../build/check.ts';
import { parseConfigText } from '../../../build/config/config.ts';
import { runDeals } from '../../harness.ts';

const TABLES = join(import.meta.dirname, 'fixture/tables');
const root = mkdtempSync(join(tmpdir(), 'deals-table-'));

afterAll(() => rmSync(root, { recursive: true }));

/** Tables as shops write them, how many columns are known by their headers, and the fields that no column is known to fill. */
const CASES: readonly (readonly [table: string, found: number, missing: string])[] = [
  ['network', 17, 'retailer'],
  ['spreadsheet', 12, 'retailer'],
  ['continental', 12, ''],
  ['tabs', 10, 'retailer, network'],
  ['odd', 5, 'retailer, network, contractName, contractMonths, monthlyCost, dealLink, productName'],
];

/** What a person writes for the fields that were not found in `odd`. */
const EDITS: readonly (readonly [comment: string, setting: string])[] = [
  ['// "constants": { "retailer": "" },', '"constants": { "retailer": "phonewright" },'],
  ['// "network": "",', '"network": "Who",'],
  ['// "contractName": "",', '"contractName": "Bundle name",'],
  ['// "contractMonths": "",', '"contractMonths": "How long",'],
  ['// "monthlyCost": "",', '"monthlyCost": "Then",'],
  ['// "dealLink": "",', '"dealLink": "Where",'],
  ['// "productName": "",', '"productName": "What you get",'],
];

async function checkShop(
  config: string,
): Promise<{ readonly check: SourceCheck | undefined; readonly stderr: string }> {
  const { stdout, stderr } = await runDeals(['check', 'shop', '--config', config, '--json']);
  return { check: stdout === '' ? undefined : (JSON.parse(stdout) as SourceCheck), stderr };
}

describe('deals init --feed csv=<file>', () => {
  it.each(CASES)('of the table %s finds %i columns, and names what is missing', async (table, found, missing) => {
    const config = join(root, table, 'catalogue.json');
    const args = ['init', '--feed', `shop=csv=${join(TABLES, `${table}.csv`)}`, '--config', config];
    const { exitCode, stderr } = await runDeals(args);
    const { feeds } = parseConfigText(config, readFileSync(config, 'utf8')) as { feeds: [{ columns: object }] };
    expect({ exitCode, found: Object.keys(feeds[0].columns).length }).toEqual({ exitCode: 0, found });
    expect(stderr).toContain(missing === '' ? 'no field is missing' : `no column was found for ${missing}: say it`);
    const said = (await checkShop(config)).stderr;
    expect(said.includes(`expected a column or a constant for ${missing}, got [`)).toBe(missing !== '');
  });

  it('reads every row when the missing fields are said', async () => {
    const config = join(root, 'odd/catalogue.json');
    const text = EDITS.reduce(
      (edited, [comment, setting]) => {
        expect(edited).toContain(comment);
        return edited.replace(comment, setting);
      },
      readFileSync(config, 'utf8'),
    );
    writeFileSync(config, text);
    const { check } = await checkShop(config);
    // The example catalogue has neither the phone nor the shop.
    expect(check).toMatchObject({ source: { state: 'fresh', read: 2 }, lists: { deals: 2 } });
  });

  it('leaves it to the check to say how values are to be read', async () => {
    const config = join(root, 'network/catalogue.json');
    const [[comment, setting] = ['', '']] = EDITS;
    writeFileSync(config, readFileSync(config, 'utf8').replace(comment, setting));
    const { check } = await checkShop(config);
    const sample = { field: 'Availability', expected: 'true or false', found: 'In Stock' };
    expect(check?.notices).toMatchObject([{ code: 'malformed-field', count: 2, samples: [sample, sample] }]);
  });
});
