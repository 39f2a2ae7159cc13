import { z } from 'zod';
import { checkMappedIds, contentfulSettings, strapiSettings, wordpressSettings } from './mapping/cms-settings.ts';
import {
  awinSettings,
  checkCsvSettings,
  checkGoogleMerchantSettings,
  csvSettings,
  googleMerchantSettings,
} from './mapping/feed-settings.ts';
import { findGlobError } from '../source/find-files.ts';

const MEGABYTE = 1_000_000;

/** A streamed file takes little memory: the limit stops a decompression bomb. */
const STREAMED_MAX_MEGABYTES = 4_000;

/** A JSON file is held in memory, at several times its size. */
const CMS_DEFAULT_MEGABYTES = 100;

/** JavaScript holds no text above 512 MB. */
const CMS_MAX_MEGABYTES = 500;

/** The name of a source in the ledger, the report, `matches.feedIds` and `--accept <gate>:<source>`. */
const sourceNameSchema = z
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

const inflated = 'what one file may unpack to';

const wholeFile = {
  maxMegabytes: z.number().int().min(1).max(CMS_MAX_MEGABYTES).default(CMS_DEFAULT_MEGABYTES).describe(inflated),
};

const streamedFile = {
  maxMegabytes: z.number().int().min(1).max(1_000_000).default(STREAMED_MAX_MEGABYTES).describe(inflated),
};

export const cmsSourceSchema = z.discriminatedUnion('adapter', [
  z.strictObject({ ...source, ...wholeFile, adapter: z.literal('catalogue') }),
  z
    .strictObject({ ...source, ...streamedFile, adapter: z.literal('strapi'), ...strapiSettings })
    .superRefine(checkMappedIds),
  z
    .strictObject({ ...source, ...wholeFile, adapter: z.literal('contentful'), ...contentfulSettings })
    .superRefine(checkMappedIds),
  z.strictObject({ ...source, ...streamedFile, adapter: z.literal('wordpress'), ...wordpressSettings }),
]);

const feed = {
  ...source,
  missingAllowance: z
    .enum(['quarantine', 'unlimited'])
    .default('quarantine')
    .describe('what data, minutes or texts mean that the feed leaves empty: quarantine or unlimited'),
  conditionWords: z
    .enum(['quarantine', 'refurbished'])
    .default('quarantine')
    .describe(
      'what a name means that says Pristine, Grade A or Used where the feed states no condition: quarantine or refurbished',
    ),
  ...streamedFile,
};

export const feedSchema = z.discriminatedUnion('adapter', [
  z.strictObject({ ...feed, adapter: z.literal('deals') }),
  z.strictObject({ ...feed, adapter: z.literal('awin'), ...awinSettings }),
  z
    .strictObject({ ...feed, adapter: z.literal('google-merchant'), ...googleMerchantSettings })
    .superRefine(checkGoogleMerchantSettings),
  z.strictObject({ ...feed, adapter: z.literal('csv'), ...csvSettings }).superRefine(checkCsvSettings),
]);

/** A source with its limit in bytes. Distributes over a union, which plain Omit would merge into one type. */
type WithMaxBytes<Source> = Source extends unknown
  ? Readonly<Omit<Source, 'maxMegabytes'>> & {
      /** The unpacked size of one file. */
      readonly maxBytes: number;
    }
  : never;

export type CmsSourceConfig = WithMaxBytes<z.infer<typeof cmsSourceSchema>>;
export type FeedConfig = WithMaxBytes<z.infer<typeof feedSchema>>;

export function withMaxBytes<Source extends { maxMegabytes: number }>(source: Source): WithMaxBytes<Source> {
  const { maxMegabytes, ...others } = source;
  // The compiler does not follow a conditional type of a type parameter.
  return { ...others, maxBytes: maxMegabytes * MEGABYTE } as unknown as WithMaxBytes<Source>;
}
