import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { ENTITY_SCHEMAS, ENTITY_TYPES } from '../../../../build/cms/fields.ts';
import { dropUnknownKeys } from '../../../../build/cms/catalogue.ts';
import { configSchema, parseConfigText } from '../../../../build/config/config.ts';
import { planNewFiles, planSource, writeConfig } from '../../../../build/init/new-files.ts';
import { createJsonSchema, SCHEMA_FORMATS, type SchemaFormat } from '../../../../build/init/json-schema.ts';
import { readReadme } from '../../../docs/readme-tables.ts';
import { readWith } from '../feed/reading.ts';

const SAMPLE = join(import.meta.dirname, '../../../../data/sample');

const validators = new Map(
  SCHEMA_FORMATS.map((format): [SchemaFormat, ValidateFunction] => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
    addFormats.default(ajv, ['date']);
    return [format, ajv.compile(createJsonSchema(format))];
  }),
);

/** What ajv holds against a value; empty when it is sound. */
function faultsOf(format: SchemaFormat, value: unknown): readonly string[] {
  const validate = validators.get(format);
  if (validate === undefined || validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

const CONFIGURATION = {
  $schema: './schema/configuration.schema.json',
  cms: [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }],
};
const PRODUCT = { id: '101', condition: 'new', name: 'Nokia X', slug: 'nokia-x' };
const DEAL = {
  dealId: 1042,
  productName: 'Nokia X',
  retailer: 'red',
  network: 21,
  contractName: 'Red',
  contractMonths: '24',
  dataGb: 'unlimited',
  upfrontCost: 0,
  monthlyCost: '29.99',
  dealLink: 'https://x.example',
  gift: null,
  inStock: true,
};

describe('the JSON Schemas of what people write for a build', () => {
  it.each([
    ['configuration', CONFIGURATION],
    ['catalogue', { $schema: 'x', products: [PRODUCT, { ...PRODUCT, id: 102 }], networks: [] }],
    ['deal', DEAL],
  ] as const)('take a sound %s', (format, value) => {
    expect(faultsOf(format, value)).toEqual([]);
  });

  it.each([
    ['configuration', { ...CONFIGURATION, feed: [] }],
    ['configuration', { ...CONFIGURATION, cms: [] }],
    ['configuration', { ...CONFIGURATION, gates: { maxLost: 2 } }],
    ['configuration', { cms: [{ name: 'site', adapter: 'strapy', files: ['x'], mapping: { products: {} } }] }],
    [
      'configuration',
      { cms: [{ name: 's', adapter: 'contentful', files: ['x'], mapping: { products: { fields: { name: 4 } } } }] },
    ],
    ['catalogue', { products: [{ ...PRODUCT, condition: 'used' }] }],
    ['catalogue', { products: [{ ...PRODUCT, slug: 'X' }] }],
    ['catalogue', { products: [{ ...PRODUCT, name: undefined }] }],
    ['catalogue', { networks: {} }],
    ['deal', { ...DEAL, monthlyCost: '£29.99' }],
    ['deal', { ...DEAL, contractMonths: 0 }],
    ['deal', { ...DEAL, productName: undefined }],
    ['deal', { ...DEAL, network: undefined }],
  ] as const)('refuse a faulty %s, as a build does: %j', (format, value) => {
    // What is undefined is not there.
    expect(faultsOf(format, JSON.parse(JSON.stringify(value)))).not.toEqual([]);
    expect(format === 'configuration' && configSchema.safeParse(value).success).toBe(false);
  });

  it('take the configuration of the sample, those of data/spec and that of deals init', () => {
    const pages = ['data/spec/configuration.md', 'data/spec/sources.md'].map((page) => readReadme(page));
    const blocks = [...pages.join('\n').matchAll(/```json\n([^]*?)```/g)].map(
      ([, json = '']) => JSON.parse(json) as Readonly<Record<string, unknown>>,
    );
    const cms = CONFIGURATION.cms;
    const wholes = blocks.flatMap((block) => {
      if ('cms' in block) return [block];
      if (!('adapter' in block)) return [];
      return 'mapping' in block && block['adapter'] !== 'google-merchant'
        ? [{ cms: [block] }]
        : [{ cms, feeds: [block] }];
    });
    expect(wholes.length).toBeGreaterThan(6);
    const sources = [planSource('cms', 'strapi'), planSource('feeds', 'csv')];
    const texts = [readFileSync(join(SAMPLE, 'catalogue.json'), 'utf8'), writeConfig(sources)];
    for (const whole of [...wholes, ...texts.map((text) => parseConfigText('catalogue.json', text))]) {
      expect(faultsOf('configuration', whole)).toEqual([]);
    }
  });

  it('take of the sample the records that a build takes, and no others', () => {
    const names = readdirSync(join(SAMPLE, 'cms')).filter((name) => name.endsWith('.json'));
    let count = 0;
    for (const name of names) {
      const file = JSON.parse(readFileSync(join(SAMPLE, 'cms', name), 'utf8')) as Record<string, unknown[] | undefined>;
      for (const list of ENTITY_TYPES) {
        for (const record of file[list] ?? []) {
          count++;
          const value = dropUnknownKeys(ENTITY_SCHEMAS[list], record, []);
          const isTaken = ENTITY_SCHEMAS[list].safeParse(value).success;
          expect({ record, isTaken: faultsOf('catalogue', { [list]: [record] }).length === 0 }).toEqual({
            record,
            isTaken,
          });
        }
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  it('take of the feed of the sample the rows that a build can read', async () => {
    const [name = ''] = readdirSync(join(SAMPLE, 'feeds/house')).filter((each) => each.endsWith('.csv'));
    const text = readFileSync(join(SAMPLE, 'feeds/house', name), 'utf8')
      .split('\n')
      .slice(0, 400)
      .join('\n');
    const rows = parse(text, { columns: true, relax_column_count: true }) as Readonly<Record<string, string>>[];
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    const { account, excluded } = await readWith({ adapter: 'deals' }, lines);
    expect(account.read).toBe(rows.length);
    const unread = excluded.filter(({ code }) => /^(?:malformed|missing)-field$/.test(code)).map(({ line }) => line);
    const read = rows.filter((_, index) => !unread.includes(index + 1));
    expect(read.length).toBeGreaterThan(rows.length * 0.9);
    expect(read.filter((row) => faultsOf('deal', row).length > 0)).toEqual([]);
  });

  it('take the examples of deals init', () => {
    const files = planNewFiles([planSource('cms', 'catalogue'), planSource('feeds', 'deals')]);
    const example = files.find(({ path }) => path.endsWith('example.json'));
    const value = JSON.parse(example?.content ?? '') as Record<string, unknown>;
    expect(faultsOf('catalogue', value)).toEqual([]);
    const schema = join('/x/cms/site', String(value['$schema'])).replace('/x/', '');
    expect(files.map(({ path }) => path)).toContain(schema);
  });
});
