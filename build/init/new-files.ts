import { hash } from 'node:crypto';
import { posix } from 'node:path';
import type { Notice } from '../../data/report/notice.ts';
import type { SourceReport } from '../../data/report/report.ts';
import type { TemplateSource } from './config-template.ts';
import { createJsonSchema, SCHEMA_FORMATS, schemaPath, type SchemaFormat } from './json-schema.ts';

/** A file next to a new configuration. */
export interface NewFile {
  /** Relative to the configuration. */
  readonly path: string;
  readonly content: string;
  readonly kind: 'schema' | 'example';
}

/** An example for the `catalogue` adapter: a phone, its retailer and network, and a gift. */
const EXAMPLE_SITE = {
  products: [
    {
      id: '90001',
      condition: 'new',
      name: 'Example One 128GB',
      slug: 'example-one-128gb',
      model: 'example-one',
      manufacturer: 'example',
      content: { heading: 'Example One', introduction: 'A phone to begin with.' },
      specs: { os: 'Android 15', '4g': 'Yes' },
      matches: { names: ['One by Example (128 GB)'], gtins: [], feedIds: {} },
    },
  ],
  giftCategories: [{ id: '90003', name: 'Example gifts', slug: 'example-gifts', gifts: ['90007'] }],
  gifts: [{ id: '90007', name: 'Example earbuds', slug: 'example-earbuds' }],
  networks: [{ id: '90021', name: 'Example Network', slug: 'example-network', aliases: ['ExNet'] }],
  retailers: [{ id: '90031', name: 'Example Shop', slug: 'example-shop', aliases: [] }],
  manufacturers: [{ slug: 'example', name: 'Example' }],
};

/** The same as spreadsheets. */
const EXAMPLE_SHEETS: Readonly<Record<string, string>> = {
  products: `id;condition;name;slug;model;manufacturer;content.heading;content.introduction;specs.os;specs.4g;matches.names
90001;new;Example One 128GB;example-one-128gb;example-one;example;Example One;A phone to begin with.;Android 15;Yes;One by Example (128 GB) | Example One (128)
`,
  'gift-categories': 'id;name;slug;gifts\n90003;Example gifts;example-gifts;90007\n',
  gifts: 'id;name;slug\n90007;Example earbuds;example-earbuds\n',
  networks: 'id;name;slug;aliases\n90021;Example Network;example-network;ExNet | Example Net\n',
  retailers: 'id;name;slug;aliases\n90031;Example Shop;example-shop;\n',
  manufacturers: 'slug;name\nexample;Example\n',
};

/** Two deals for that phone, one by id and one by name. */
const EXAMPLE_FEED = `dealId,productId,productName,condition,retailer,network,contractName,contractMonths,dataGb,callMinutes,textMessages,upfrontCost,monthlyCost,gift,dealLink
EX-1,90001,,new,example-shop,example-network,Example 10GB,24,10,unlimited,unlimited,29.99,24.00,,https://shop.example/deals/1
EX-2,,Example One 128GB,new,Example Shop,ExNet,Example Unlimited,24,unlimited,unlimited,unlimited,0.00,35.50,example-earbuds,https://shop.example/deals/2
`;

/** The JSON Schemas, and an example for each source in our own formats. Example deals need the example phone. */
export function planNewFiles(sources: readonly TemplateSource[]): readonly NewFile[] {
  const schemas = (Object.keys(SCHEMA_FORMATS) as SchemaFormat[]).map(
    (format): NewFile => ({
      path: schemaPath(format),
      content: `${JSON.stringify(createJsonSchema(format), undefined, 2)}\n`,
      kind: 'schema',
    }),
  );
  const site = sources.find(({ kind, adapter }) => kind === 'cms' && ['catalogue', 'csv'].includes(adapter));
  if (site === undefined) return schemas;
  const { folder } = site;
  const examples =
    site.adapter === 'csv'
      ? Object.entries(EXAMPLE_SHEETS).map(([list, content]) => ({ path: `${folder}/${list}.csv`, content }))
      : [{ path: posix.join(folder, 'example.json'), content: writeExampleSite(folder) }];
  const feed = sources.find(({ kind, adapter }) => kind === 'feed' && adapter === 'deals');
  if (feed !== undefined) examples.push({ path: posix.join(feed.folder, 'example.csv'), content: EXAMPLE_FEED });
  return [...schemas, ...examples.map((each): NewFile => ({ ...each, kind: 'example' }))];
}

function writeExampleSite(folder: string): string {
  const $schema = posix.relative(folder, schemaPath('catalogue'));
  return `${JSON.stringify({ $schema, ...EXAMPLE_SITE }, undefined, 2)}\n`;
}

/** A notice for each file of a source that is still an example of `deals init`. Every source has a folder of that depth. */
export function listExampleNotices(sources: readonly Pick<SourceReport, 'name' | 'files'>[]): readonly Notice[] {
  const texts = [writeExampleSite('cms/site'), EXAMPLE_FEED, ...Object.values(EXAMPLE_SHEETS)];
  const examples = new Set(texts.map((text) => hash('sha256', text)));
  return sources.flatMap(({ name, files }) =>
    files
      .filter(({ sha256 }) => examples.has(sha256))
      .map(({ path }) => ({ code: 'example-file', source: name, file: path }) as const),
  );
}
