import { z } from 'zod';
import type { CmsAdapter } from './cms/adapter.ts';
import { readCatalogue } from './cms/catalogue.ts';
import { contentful } from './cms/contentful.ts';
import { sheet } from './cms/csv.ts';
import { strapi } from './cms/strapi.ts';
import { wordpress } from './cms/wordpress.ts';
import { awin } from './feed/awin.ts';
import { csv } from './feed/csv.ts';
import { readDeals } from './feed/deals.ts';
import { googleMerchant } from './feed/google-merchant.ts';
import type { FeedAdapter } from './feed/parse-deal.ts';

/** The name of a source in the ledger, the report, `matches.feedIds` and `--accept <gate>:<source>`. */
export const sourceNameSchema = z
  .string()
  .max(50)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'a lower-case word such as "house"');

/** The braces of a glob may expand to this many paths: each is a search. */
const MAX_ALTERNATIVES = 10_000;

/** An upper bound, as if every brace contained every comma; of a range, `{1..9}`, the length is not known. */
function hasFewAlternatives(glob: string): boolean {
  const count = (sign: string): number => glob.split(sign).length - 1;
  return !glob.includes('\0') && (count(',') + 1) ** count('{') <= MAX_ALTERNATIVES && !/\{[^{}]*\.\./.test(glob);
}

const source = {
  name: sourceNameSchema.meta({ description: 'what reports call the source', examples: ['house'] }),
  files: z
    .array(
      z.string().min(1).max(1_000).refine(hasFewAlternatives, 'a path without NUL, and fewer alternatives in braces'),
    )
    .min(1)
    .meta({ description: 'globs, relative to this file', examples: [['feeds/house/*.csv']] }),
  required: z.boolean().default(false).describe('true: without this source nothing is published'),
};

const limit = (most: number, standard: number): z.ZodDefault<z.ZodNumber> =>
  z.number().int().min(1).max(most).default(standard).describe('what one file may unpack to');

/** A JSON file is held in memory, at several times its size, and JavaScript holds no text above 512 MB. */
const wholeFile = { ...source, maxMegabytes: limit(500, 100) };

/** A streamed file takes little memory: the limit stops a decompression bomb. */
const maxMegabytes = limit(1_000_000, 4_000);
const streamedFile = { ...source, maxMegabytes };

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
  maxMegabytes,
};

/** What an adapter is made of: its own settings, which of them belong together, and how it is made from them. */
interface AdapterParts<Shape extends z.ZodRawShape> {
  readonly settings: Shape;
  readonly check?: (settings: never, check: z.core.$RefinementCtx) => void;
  readonly create: (settings: never) => unknown;
}

/** The schema of a source of `adapter`, and what makes the adapter of the settings that it has checked. */
function define<Common extends z.ZodRawShape, Name extends string, Shape extends z.ZodRawShape>(
  common: Common,
  adapter: Name,
  { settings, check = () => {}, create }: AdapterParts<Shape>,
) {
  const schema = z.strictObject({ ...common, adapter: z.literal(adapter), ...settings });
  return { schema: schema.superRefine(check as (value: unknown, ctx: z.core.$RefinementCtx) => void), create };
}

/** The adapter of each CMS export, by the name that `catalogue.json` gives it. */
const CMS_ADAPTERS = {
  catalogue: define(wholeFile, 'catalogue', { settings: {}, create: () => readCatalogue }),
  strapi: define(streamedFile, 'strapi', strapi),
  contentful: define(wholeFile, 'contentful', contentful),
  wordpress: define(streamedFile, 'wordpress', wordpress),
  csv: define(wholeFile, 'csv', sheet),
};

/** The same for feeds. */
const FEED_ADAPTERS = {
  deals: define(feed, 'deals', { settings: {}, create: () => readDeals }),
  awin: define(feed, 'awin', awin),
  'google-merchant': define(feed, 'google-merchant', googleMerchant),
  csv: define(feed, 'csv', csv),
};

export const CMS_ADAPTER_NAMES = Object.keys(CMS_ADAPTERS) as readonly CmsSourceConfig['adapter'][];

export const FEED_ADAPTER_NAMES = Object.keys(FEED_ADAPTERS) as readonly FeedConfig['adapter'][];

export const cmsSourceSchema = unionOf(CMS_ADAPTERS);
export const feedSchema = unionOf(FEED_ADAPTERS);

function unionOf<Adapters extends Readonly<Record<string, { schema: z.core.$ZodTypeDiscriminable }>>>(
  adapters: Adapters,
) {
  type Schema = Adapters[keyof Adapters]['schema'];
  const schemas = Object.values(adapters).map(({ schema }) => schema);
  return z.discriminatedUnion('adapter', schemas as [Schema, ...Schema[]]);
}

export type CmsSourceConfig = Readonly<z.infer<typeof cmsSourceSchema>>;
export type FeedConfig = Readonly<z.infer<typeof feedSchema>>;

export function createCmsAdapter(config: CmsSourceConfig): CmsAdapter {
  return (CMS_ADAPTERS[config.adapter].create as (settings: CmsSourceConfig) => CmsAdapter)(config);
}

export function createFeedAdapter(config: FeedConfig): FeedAdapter {
  return (FEED_ADAPTERS[config.adapter].create as (settings: FeedConfig) => FeedAdapter)(config);
}
