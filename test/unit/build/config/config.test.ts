import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, type BuildConfig } from '../../../../build/config/config.ts';
import { ConfigError } from '../../../../build/source/errors.ts';
import { readTable } from '../../../support/table.ts';

const CMS = [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }];
const AWIN = { name: 'awin', adapter: 'awin', files: ['feeds/*.csv'] };

/** Values that are put over a sound configuration. */
const FAULTY_SETTINGS = readTable<[settings: object, fault: string]>(import.meta.url, 'fixture/refused.ndjson');

async function writeConfig(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'deals-config-')), 'catalogue.json');
  await writeFile(path, text);
  return path;
}

async function read(value: unknown): Promise<BuildConfig> {
  return readConfig(await writeConfig(JSON.stringify(value)));
}

/** The faults, without the folder of the file. */
async function faultsOf(text: string): Promise<readonly string[]> {
  const path = await writeConfig(text);
  const error: unknown = await readConfig(path).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).faults.map((fault) => fault.replace(`${dirname(path)}/`, ''));
}

describe('catalogue.json', () => {
  it('has a default for everything but the CMS', async () => {
    const config = await read({ cms: CMS });
    expect(config).toMatchObject({
      store: resolve(config.folder, 'dist/catalogue'),
      cms: [{ name: 'site', required: false, maxMegabytes: 100 }],
      feeds: [],
      images: { render: true },
      exclude: [],
      currency: { code: 'GBP', label: '£' },
      money: { maxMonthlyPence: 30_000, maxUpfrontPence: 500_000, maxCashbackPence: 100_000, zeroMonthlyCost: false },
      freshness: { maxCarriedMs: 172_800_000, maxUnchangedMs: 259_200_000 },
      gates: {
        minRows: 20,
        maxLost: 0.1,
        maxMoved: 0.1,
        maxChanged: 0.25,
        maxQuarantined: 0.2,
        maxDuplicates: 0.2,
        maxRenumbered: 0.5,
        maxPriceJump: 2.5,
        maxSaid: 0.1,
      },
    });
  });

  it('keeps what it says, in pence, milliseconds and absolute paths', async () => {
    const config = await read({
      store: '../store',
      cms: CMS,
      feeds: [{ ...AWIN, required: true, maxMegabytes: 2 }],
      money: { maxMonthlyCost: 99.99, zeroMonthlyCost: true },
      freshness: { maxCarriedHours: 1.5, maxUnchangedDays: 7 },
    });
    expect(config).toMatchObject({
      store: resolve(config.folder, '../store'),
      feeds: [{ ...AWIN, required: true, maxMegabytes: 2, conditionWords: 'quarantine', merchants: {} }],
      money: { maxMonthlyPence: 9_999, maxUpfrontPence: 500_000, zeroMonthlyCost: true },
      freshness: { maxCarriedMs: 5_400_000, maxUnchangedMs: 604_800_000 },
    });
  });

  it('gives way to the store of the command line, which is relative to the working directory', async () => {
    const path = await writeConfig(JSON.stringify({ cms: CMS, store: 'a' }));
    expect((await readConfig(path, { store: 'elsewhere' })).store).toBe(resolve('elsewhere'));
  });

  it.each([
    ...FAULTY_SETTINGS.map(([settings, fault]) => [{ cms: CMS, ...settings }, fault] as const),
    [{ feeds: [] }, 'cms: expected a list, got nothing'] as const,
    [[], 'expected an object, got []'] as const,
  ])('refuses %j', async (value, fault) => {
    expect(await faultsOf(JSON.stringify(value))).toEqual([`catalogue.json: ${fault}`]);
  });

  it.each([
    ['// above\n{"cms": CMS} // beside'],
    ['{/* one\nor two */"cms": /**/CMS}'],
    ['\uFEFF// after a byte order mark\r\n{"cms": CMS}'],
  ])('passes over the comments of %j', async (text) => {
    const config = await readConfig(await writeConfig(text.replace('CMS', JSON.stringify(CMS))));
    expect(config.cms[0]?.name).toBe('site');
  });

  it('says where it is not JSON', async () => {
    const text = '{\n  "cms": [],\n  "feeds": [}\n}';
    expect(await faultsOf(text)).toEqual(['catalogue.json:3: expected JSON, got "}" in column 13: value expected']);
  });

  it('says when there is no such file', async () => {
    await expect(readConfig('/nowhere/catalogue.json')).rejects.toThrow(
      '/nowhere/catalogue.json: expected a configuration, found none; deals init --config /nowhere/catalogue.json writes one, or name another with --config',
    );
  });
});
