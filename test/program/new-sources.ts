import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TEMPLATES } from '../../build/init/config-template.ts';
import { tarOf } from '../unit/build/source/tar-archive.ts';

const SAMPLE = join(import.meta.dirname, '../../data/sample');

const PHONE = { name: 'Acme One 128GB', slug: 'acme-one-128gb', condition: 'new' };
const NETWORK = { name: 'Northline', slug: 'northline' };
const RETAILER = { name: 'Phonewright', slug: 'phonewright' };

/** What the three are called where a CMS calls them as convention has it. */
const RECORDS = [
  ['product', PHONE],
  ['network', NETWORK],
  ['retailer', RETAILER],
] as const;

const DEAL = {
  'Deal ID': 'D-1',
  Phone: PHONE.name,
  Network: NETWORK.name,
  Plan: 'Northline 10GB',
  Months: '24',
  Upfront: '£1,049.00',
  Monthly: '£20.50',
  Data: '10GB',
  Minutes: 'unlimited',
  Texts: 'unlimited',
  Link: 'https://phonewright.example/d-1',
};

const ITEM = {
  id: 'D-1',
  title: PHONE.name,
  link: 'https://phonewright.example/d-1',
  availability: 'in_stock',
  price: '49.00 GBP',
  subscription_cost: 'month:24:20.50 GBP',
  condition: 'new',
  google_product_category: '267',
  custom_label_0: NETWORK.name,
  custom_label_1: 'Northline 10GB',
  product_detail: 'Plan:Data allowance:10GB,Plan:Minutes:Unlimited,Plan:Texts:5000',
};

/** An export of one phone, one network and one retailer, in the folder of its source. */
export const CMS_FILES: Readonly<
  Record<keyof typeof TEMPLATES.cms, () => Promise<Readonly<Record<string, string | Buffer>>>>
> = {
  catalogue: async () => ({
    'site.json': JSON.stringify({
      products: [{ id: '101', ...PHONE }],
      networks: [{ id: '21', ...NETWORK }],
      retailers: [{ id: '31', ...RETAILER }],
    }),
  }),
  strapi: async () => ({
    'export.tar': await tarOf({
      'metadata.json': '{"createdAt":"2026-11-01T10:00:00.000Z","strapi":{"version":"5.32.0"}}',
      'entities/entities_00001.jsonl': RECORDS.map(([type, data], i) =>
        JSON.stringify({
          type: `api::${type}.${type}`,
          id: i + 1,
          data: { documentId: `document${i}`, ...data, publishedAt: '2026-11-01T10:00:00.000Z', locale: null },
        }),
      ).join('\n'),
      'links/links_00001.jsonl': '',
      'schemas/schemas_00001.jsonl': '',
    }),
  }),
  contentful: async () => ({
    'export.json': JSON.stringify({
      locales: [{ code: 'en-GB', default: true, fallbackCode: null }],
      assets: [],
      entries: RECORDS.map(([type, data], i) => ({
        sys: {
          type: 'Entry',
          id: `entry${i}`,
          version: 4,
          publishedVersion: 3,
          updatedAt: '2026-11-01T10:00:00.000Z',
          contentType: { sys: { type: 'Link', linkType: 'ContentType', id: type } },
        },
        fields: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, { 'en-GB': value }])),
      })),
    }),
  }),
  wordpress: async () => ({
    'site.xml': [
      '<?xml version="1.0" encoding="UTF-8" ?>',
      '<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Phones</title>',
      '<wp:wxr_version>1.2</wp:wxr_version>',
      ...RECORDS.map(
        ([type, { name, slug }], i) =>
          `<item><title>${name}</title><wp:post_id>${101 + i}</wp:post_id><wp:post_name>${slug}</wp:post_name><wp:status>publish</wp:status><wp:post_type>${type}</wp:post_type><wp:postmeta><wp:meta_key>condition</wp:meta_key><wp:meta_value>new</wp:meta_value></wp:postmeta></item>`,
      ),
      '</channel></rss>',
    ].join('\n'),
  }),
  csv: async () =>
    Object.fromEntries(
      RECORDS.map(([type, { name, slug }], i) => [
        `${type}s.csv`,
        `id;name;slug;condition\n${101 + i};${name};${slug};new\n`,
      ]),
    ),
};

/** A feed with deals for that phone; of Awin the sample's, for the phones of the sample. */
export const FEED_FILES: Readonly<Record<keyof typeof TEMPLATES.feed, Readonly<Record<string, string | Buffer>>>> = {
  deals: {
    'deals.csv': [
      'dealId,productName,retailer,network,contractName,contractMonths,dataGb,callMinutes,textMessages,upfrontCost,monthlyCost,dealLink',
      `D-1,${PHONE.name},phonewright,northline,Northline 10GB,24,10,500,unlimited,0.00,20.50,${DEAL.Link}`,
    ].join('\n'),
  },
  awin: { 'datafeed.csv.gz': readFileSync(join(SAMPLE, 'feeds/awin/datafeed.csv.gz')) },
  'google-merchant': { 'feed.tsv': [Object.keys(ITEM).join('\t'), Object.values(ITEM).join('\t')].join('\n') },
  csv: {
    'sheet.csv': [
      Object.keys(DEAL).join(','),
      Object.values(DEAL)
        .map((cell) => `"${cell}"`)
        .join(','),
    ].join('\n'),
  },
};

/** The records of the sample, without its pictures. */
export const SAMPLE_CMS_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(join(SAMPLE, 'cms'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, readFileSync(join(SAMPLE, 'cms', name), 'utf8')]),
);

export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
