import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, type BuildConfig } from '../../../build/config/config.ts';
import { readCases, type NamedCase } from './cases.ts';
import { ConfigError } from '../../../build/source/errors.ts';

/** Sound settings that a case changes. */
const BASES: Readonly<Record<string, object>> = {
  csv: {
    adapter: 'csv',
    columns: {
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
    },
    constants: { retailer: 'red' },
  },
  google: {
    adapter: 'google-merchant',
    mapping: { network: 'custom_label_0', dataGb: 'a', callMinutes: 'b', textMessages: 'c' },
    constants: { retailer: 'red', contractName: '{network}' },
  },
  awin: {
    adapter: 'awin',
    merchants: {
      '900': {
        patterns: {
          product_name: ['{productName} on {network} | £{monthlyCost}pm {dataGb} Data | £{upfrontCost} upfront'],
        },
        constants: { contractName: '{network}', contractMonths: 24 },
      },
    },
  },
  strapi: { adapter: 'strapi', mapping: { products: { fields: { id: 'sku' } } } },
  wordpress: { adapter: 'wordpress', mapping: { products: {} } },
};

/** The text of several messages. */
const RULE =
  'a path such as "seo.metaTitle" or "gallery[0]", a list of paths, {"constant": "new"}, {"from": "state", "values": {"Used": "refurbished"}}, {"hashed": "documentId"}, {"slugOf": "{name} {storage}"} or null';

/** Settings, and the start of the message that rejects them; null in a change removes a key. */
interface SettingsCase {
  readonly what?: string;
  readonly kind: 'feeds' | 'cms';
  readonly base?: string;
  readonly change: object;
  readonly fault?: string;
  readonly faults?: number;
}

const CASES = readCases(join(import.meta.dirname, 'cases', 'registry.jsonl')) as readonly NamedCase<SettingsCase>[];

describe('the settings of a source', () => {
  it.each(CASES.filter(([, { fault }]) => fault === undefined))('may be %s', async (_, { kind, base, change }) => {
    expect(await faultsOf(kind, changeObject(BASES[base ?? ''] ?? {}, change))).toEqual([]);
  });

  it.each(CASES.filter(([, { fault }]) => fault !== undefined))('are rejected: %s', async (_, each) => {
    const faults = await faultsOf(each.kind, changeObject(BASES[each.base ?? ''] ?? {}, each.change));
    expect(faults).toHaveLength(each.faults ?? 1);
    const message = (each.fault ?? '').replace('{RULE}', RULE);
    expect(faults.map((fault) => fault.slice(0, message.length))).toContain(message);
  });

  it('of a CMS have defaults', async () => {
    const { strapi, wordpress } = BASES;
    expect((await read('cms', { ...strapi })).cms[0]).toMatchObject({ locale: 'en', maxMegabytes: 4_000 });
    const contentful = { ...strapi, adapter: 'contentful' };
    expect((await read('cms', contentful)).cms[0]).toMatchObject({ maxMegabytes: 100 });
    expect((await read('cms', { ...wordpress })).cms[0]).toMatchObject({ maxMegabytes: 4_000 });
  });
});

async function read(kind: 'feeds' | 'cms', source: object): Promise<BuildConfig> {
  const path = join(await mkdtemp(join(tmpdir(), 'deals-settings-')), 'catalogue.json');
  const cms = [{ name: 'site', adapter: 'catalogue', files: ['x.json'] }];
  await writeFile(path, JSON.stringify({ cms, [kind]: [{ name: 'source', files: ['x'], ...source }] }));
  return readConfig(path);
}

/** The messages of a configuration with one source, without the file and the source. */
async function faultsOf(kind: 'feeds' | 'cms', source: object): Promise<readonly string[]> {
  const error: unknown = await read(kind, source).then(
    () => new ConfigError([]),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).faults.map((fault) => fault.replace(/^.*?catalogue\.json: (?:feeds|cms)\[0\]\./, ''));
}

function changeObject(base: object, change: object): object {
  const values: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(change) as [string, unknown][]) {
    const before = values[key];
    const isObject = (each: unknown): each is object =>
      typeof each === 'object' && each !== null && !Array.isArray(each);
    if (value === null) delete values[key];
    else values[key] = isObject(value) && isObject(before) ? changeObject(before, value) : value;
  }
  return values;
}
