import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../../../build/config/config.ts';
import { ConfigError } from '../../../../../build/source/errors.ts';

const NAME = '{productName} on {network} | £{monthlyCost}pm {dataGb} Data | £{upfrontCost} upfront';

const MERCHANT = { patterns: { product_name: [NAME] }, constants: { contractName: '{network}', contractMonths: 24 } };

const GOOGLE = {
  adapter: 'google-merchant',
  mapping: { network: 'custom_label_0', dataGb: 'a', callMinutes: 'b', textMessages: 'c' },
  constants: { retailer: 'red', contractName: '{network}' },
};

const COLUMNS = {
  dealId: 'a',
  productName: 'b',
  network: 'c',
  contractName: 'd',
  contractMonths: 'e',
  dataGb: 'f',
  callMinutes: 'g',
  textMessages: 'h',
  upfrontCost: 'i',
  monthlyCost: 'j',
  dealLink: 'k',
};

const CSV = { adapter: 'csv', columns: COLUMNS, constants: { retailer: 'red' } };

/** The faults of a configuration with one feed, without what stands before the key. */
async function faultsOf(feed: object): Promise<readonly string[]> {
  const path = join(await mkdtemp(join(tmpdir(), 'deals-settings-')), 'catalogue.json');
  const cms = [{ name: 'site', adapter: 'catalogue', files: ['x.json'] }];
  await writeFile(path, JSON.stringify({ cms, feeds: [{ name: 'feed', files: ['x.csv'], ...feed }] }));
  const error: unknown = await readConfig(path).then(
    () => new ConfigError([]),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).faults.map((fault) => fault.replace(`${path}: `, '').replace('feeds[0].', ''));
}

function awin(merchant: object, id = '900'): object {
  return { adapter: 'awin', merchants: { [id]: merchant } };
}

describe('the settings of a feed', () => {
  it.each([
    ['awin', { adapter: 'awin' }],
    ['awin with a merchant', awin(MERCHANT)],
    ['awin with a merchant of phones alone', awin({ searchPrice: 'handset' })],
    ['awin with a merchant to leave out', awin({ leaveOut: { 'sim-only': ['{*}'] } })],
    ['google-merchant', GOOGLE],
    ['google-merchant without allowances', { ...GOOGLE, mapping: { network: 'a' }, missingAllowance: 'unlimited' }],
    ['csv', CSV],
    ['csv with a rule', { ...CSV, columns: { ...COLUMNS, dataGb: { column: 'f', unit: 'MB' } } }],
  ])('may be those of %s', async (_, feed) => {
    expect(await faultsOf(feed)).toEqual([]);
  });

  it.each([
    [{ adapter: 'deals', merchants: {} }, 'merchants: unknown key; expected one of '],
    [{ adapter: 'csv', column: {} }, 'columns: expected an object, got nothing'],
    [{ ...CSV, delimeter: ',' }, 'delimeter: unknown key; did you mean "delimiter"?'],
    [{ ...CSV, delimiter: ':' }, 'delimiter: expected ",", ";", "|" or "\\t", got ":"'],
    [
      { ...CSV, dates: 'dd-mm-yy' },
      'dates: expected "yyyy-mm-dd", "dd.mm.yyyy", "dd/mm/yyyy" or "mm/dd/yyyy", got "dd-mm-yy"',
    ],
    [
      { ...CSV, columns: { ...COLUMNS, monthlyCosts: 'x' } },
      'columns.monthlyCosts: unknown key; did you mean "monthlyCost"?',
    ],
    [
      { ...CSV, columns: { ...COLUMNS, dataGb: { column: 'f', units: 'GB' } } },
      'columns.dataGb.units: unknown key; did you mean "unit"?',
    ],
    [
      { ...CSV, columns: { ...COLUMNS, dataGb: { column: 'f', unit: 'TB' } } },
      'columns.dataGb.unit: expected "GB" or "MB", got "TB"',
    ],
    [{ ...CSV, columns: { ...COLUMNS, dataGb: 5 } }, 'columns.dataGb: expected a text or an object, got 5'],
    [
      { ...CSV, columns: { ...COLUMNS, monthlyCost: { column: 'j', strip: ['£', '.'] } } },
      'columns.monthlyCost.strip: expected texts to remove without ., which is the decimal sign, got ["£","."]',
    ],
    [
      { ...CSV, constants: { retailer: 'red', network: 'Red' } },
      'constants.network: expected one source for a field; columns gives it too, got "Red"',
    ],
    [
      { ...CSV, columns: { ...COLUMNS, network: undefined, dealLink: undefined } },
      'columns: expected a column or a constant for network, dealLink, got ["dealId",',
    ],
    [
      { ...CSV, columns: { ...COLUMNS, dataGb: undefined } },
      'columns: expected a column or a constant for dataGb, got ',
    ],
    [
      { ...CSV, columns: { ...COLUMNS, productName: undefined } },
      'columns: expected a column or a constant for productName,',
    ],
    [
      { ...CSV, columns: { ...COLUMNS, dealId: undefined }, constants: { retailer: 'red', dealId: '1' } },
      'constants.dealId: expected an id of each deal, which is no constant, got "1"',
    ],
    [
      { ...GOOGLE, mapping: {} },
      'mapping: expected an attribute, a pattern or a constant for network, dataGb, callMinutes, textMessages, got []',
    ],
    [
      { ...GOOGLE, constants: { retailer: 'red', contractName: '{netwerk}' } },
      'constants.contractName: expected only holes of fields that the feed gives, and {netwerk} is none, got "{netwerk}"',
    ],
    [
      { ...GOOGLE, constants: { ...GOOGLE.constants, contractMonths: 24 } },
      'constants.contractMonths: expected one source for a field; the feed itself gives it too, got 24',
    ],
    [
      { ...GOOGLE, patterns: { title: ['{*} on {network}'] } },
      'mapping.network: expected one source for a field; patterns gives it too, got "custom_label_0"',
    ],
    [{ ...GOOGLE, patterns: { titel: [] } }, 'patterns.titel: unknown key; did you mean "title"?'],
    [awin(MERCHANT, 'red'), 'merchants.red: expected a merchant_id, decimal digits, got "red"'],
    [
      awin({}),
      'merchants.900.patterns: expected a pattern or a constant for network, contractName, contractMonths, upfrontCost, monthlyCost, productName, got []',
    ],
    [
      awin({ ...MERCHANT, searchPrice: 'unknown' }),
      'merchants.900.searchPrice: expected "upfront", "monthly" or "handset", got "unknown"',
    ],
    [
      awin({ ...MERCHANT, patterns: { product_name: ['{productNam} on {network}'] } }),
      'merchants.900.patterns.product_name[0]: expected no hole {productNam}; did you mean {productName}?, got "{productNam} on {network}"',
    ],
    [
      awin({ ...MERCHANT, patterns: { product_name: ['{productName} {dataGb}'] } }),
      'merchants.900.patterns.product_name[0]: expected words or signs next to {dataGb} that tell it from others, got "{productName} {dataGb}"',
    ],
    [
      awin({ ...MERCHANT, constants: { ...MERCHANT.constants, network: 'Red' } }),
      'merchants.900.constants.network: expected one source for a field; patterns gives it too, got "Red"',
    ],
    [
      awin({ ...MERCHANT, leaveOut: { 'sim-only': ['{productName} SIM'] } }),
      'merchants.900.leaveOut.sim-only[0]: expected no holes but {*}, got "{productName} SIM"',
    ],
    [awin({ ...MERCHANT, pattern: {} }), 'merchants.900.pattern: unknown key; did you mean "patterns"?'],
  ])('refuses %j', async (feed, fault) => {
    const faults = await faultsOf(feed);
    expect(faults).toContainEqual(expect.stringContaining(fault));
  });
});
