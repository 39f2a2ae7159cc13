import { findGlobError } from './source/find-files.ts';
import type { CmsAdapter } from './cms/adapter.ts';
import { readCatalogue } from './cms/catalogue.ts';
import { createContentfulAdapter } from './cms/contentful.ts';
import { createSheetAdapter } from './cms/csv.ts';
import { createStrapiAdapter } from './cms/strapi.ts';
import { createWordpressAdapter } from './cms/wordpress.ts';
import type { FeedAdapter } from './feed/parse-deal.ts';
import { createAwinAdapter } from './feed/awin.ts';
import { createCsvAdapter } from './feed/csv.ts';
import { readDeals } from './feed/deals.ts';
import { createGoogleMerchantAdapter } from './feed/google-merchant.ts';
import {
  checkMappedIds,
  contentfulSettings,
  sheetSettings,
  strapiSettings,
  wordpressSettings,
} from './cms/settings.ts';
import {
  awinSettings,
  checkCsvSettings,
  checkGoogleMerchantSettings,
  csvSettings,
  googleMerchantSettings,
} from './feed/feed-settings.ts';
import { z } from 'zod';

/** The name of a source in the ledger, the report, `matches.feedIds` and `--accept <gate>:<source>`. */
export const sourceNameSchema = z
  .string()
  .max(50)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'a lower-case word such as "house"');

const globSchema = z
  .string()
  .min(1)
  .max(1_000)
  .superRefine((glob, check) => {
    const message = findGlobError(glob);
    if (message !== undefined) check.addIssue({ code: 'custom', message, input: glob });
  });

const source = {
  name: sourceNameSchema.meta({ description: 'what reports call the source', examples: ['house'] }),
  files: z
    .array(globSchema)
    .min(1)
    .meta({ description: 'globs, relative to this file', examples: [['feeds/house/*.csv']] }),
  required: z.boolean().default(false).describe('true: without this source nothing is published'),
};

const limit = (most: number, standard: number): z.ZodDefault<z.ZodNumber> =>
  z.number().int().min(1).max(most).default(standard).describe('what one file may unpack to');

/** A JSON file is held in memory, at several times its size, and JavaScript holds no text above 512 MB. */
const wholeFile = { maxMegabytes: limit(500, 100) };

/** A streamed file takes little memory: the limit stops a decompression bomb. */
const streamedFile = { maxMegabytes: limit(1_000_000, 4_000) };

const feed = {
  ...source,
  missingAllowance: z
    .enum(['quarantine', 'unlimited'])
    .default('quarantine')
    .describe('what an empty allowance means: quarantine or unlimited'),
  conditionWords: z
    .enum(['quarantine', 'refurbished'])
    .default('quarantine')
    .describe(
      'what Pristine, Grade A or Used in a name means where the feed states no condition: quarantine or refurbished',
    ),
  ...streamedFile,
};

/** The adapter of each CMS export, by the name that `catalogue.json` gives it: the schema of a source, and the reader. */
const CMS_ADAPTERS = {
  catalogue: {
    schema: z.strictObject({ ...source, ...wholeFile, adapter: z.literal('catalogue') }),
    create: () => readCatalogue,
  },
  strapi: {
    schema: z
      .strictObject({ ...source, ...streamedFile, adapter: z.literal('strapi'), ...strapiSettings })
      .superRefine(checkMappedIds),
    create: createStrapiAdapter,
  },
  contentful: {
    schema: z
      .strictObject({ ...source, ...wholeFile, adapter: z.literal('contentful'), ...contentfulSettings })
      .superRefine(checkMappedIds),
    create: createContentfulAdapter,
  },
  wordpress: {
    schema: z.strictObject({ ...source, ...streamedFile, adapter: z.literal('wordpress'), ...wordpressSettings }),
    create: createWordpressAdapter,
  },
  csv: {
    schema: z.strictObject({ ...source, ...wholeFile, adapter: z.literal('csv'), ...sheetSettings }),
    create: createSheetAdapter,
  },
};

/** The same for feeds. */
const FEED_ADAPTERS = {
  deals: {
    schema: z.strictObject({ ...feed, adapter: z.literal('deals') }),
    create: () => readDeals,
  },
  awin: {
    schema: z.strictObject({ ...feed, adapter: z.literal('awin'), ...awinSettings }),
    create: createAwinAdapter,
  },
  'google-merchant': {
    schema: z
      .strictObject({ ...feed, adapter: z.literal('google-merchant'), ...googleMerchantSettings })
      .superRefine(checkGoogleMerchantSettings),
    create: createGoogleMerchantAdapter,
  },
  csv: {
    schema: z.strictObject({ ...feed, adapter: z.literal('csv'), ...csvSettings }).superRefine(checkCsvSettings),
    create: createCsvAdapter,
  },
};

export const CMS_ADAPTER_NAMES = Object.keys(CMS_ADAPTERS) as readonly CmsSourceConfig['adapter'][];

export const cmsSourceSchema = z.discriminatedUnion('adapter', [
  CMS_ADAPTERS.catalogue.schema,
  CMS_ADAPTERS.strapi.schema,
  CMS_ADAPTERS.contentful.schema,
  CMS_ADAPTERS.wordpress.schema,
  CMS_ADAPTERS.csv.schema,
]);

export const feedSchema = z.discriminatedUnion('adapter', [
  FEED_ADAPTERS.deals.schema,
  FEED_ADAPTERS.awin.schema,
  FEED_ADAPTERS['google-merchant'].schema,
  FEED_ADAPTERS.csv.schema,
]);

export function createCmsAdapter(config: CmsSourceConfig): CmsAdapter {
  // The schema of an adapter has checked the settings that the adapter gets.
  const create = CMS_ADAPTERS[config.adapter].create as (settings: CmsSourceConfig) => CmsAdapter;
  return create(config);
}

export function createFeedAdapter(config: FeedConfig): FeedAdapter {
  const create = FEED_ADAPTERS[config.adapter].create as (settings: FeedConfig) => FeedAdapter;
  return create(config);
}

export type CmsSourceConfig = Readonly<z.infer<typeof cmsSourceSchema>>;
export type FeedConfig = Readonly<z.infer<typeof feedSchema>>;
