import { dirname, resolve } from 'node:path';
import { stripComments } from 'jsonc-parser';
import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../data/record/time.ts';
import { isWebUrl } from '../../data/record/product.ts';
import { quoteForShell } from '../../data/quote-for-shell.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import type { SystemError } from '../../data/store/system-error.ts';
import { cmsSourceSchema, feedSchema, type CmsSourceConfig, type FeedConfig } from '../registry.ts';
import { ConfigError, describeFieldError, joinPath, toFieldError } from '../source/errors.ts';
import { findJsonFault } from '../source/json.ts';
import { didYouMean } from '../source/nearest-name.ts';

const amountSchema = z.number().min(0).max(1_000_000);
/** A slug would exclude nothing, and what should not be served would be. */
const PRODUCT_OF_A_LINE = 'the id of a product such as 101, or of one variant such as 101/refurbished';
const excludeSchema = z
  .strictObject({
    retailer: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .meta({
        description: 'id, slug, name or alias',
        examples: ['phonewright'],
      }),
    deal: z.string().min(1).max(200).optional().describe("the key of a deal: with retailer, only that retailer's"),
    product: z
      .string()
      .regex(/^(?:0|[1-9][0-9]{0,19})(?:\/(?:new|refurbished))?$/, PRODUCT_OF_A_LINE)
      .optional()
      .meta({ description: 'the id of a product, with `/new` or `/refurbished` for one variant', examples: ['101'] }),
    reason: z.string().min(1).max(1_000).describe('why, for the report'),
    until: z.iso.date().optional().describe('the last day on which the line holds'),
  })
  .refine((line) => line.retailer !== undefined || line.deal !== undefined || line.product !== undefined, {
    error: 'at least one of retailer, deal and product',
  });

const imagesSchema = z.strictObject({
  render: z.boolean().default(true).describe('whether pictures are made of the originals in the exports'),
  baseUrl: z
    .string()
    .refine((text) => isWebUrl(text), 'an http or https URL')
    .optional()
    .meta({
      description: 'where another host serves the pictures of the store',
      examples: ['https://images.example.com'],
    }),
});

const currencySchema = z.strictObject({
  code: z
    .string()
    .regex(/^[A-Z]{3}$/, 'an ISO 4217 code such as "GBP"')
    .describe('ISO 4217'),
  label: z.string().min(1).max(10).describe('the sign before an amount, such as £'),
});

const moneySchema = z
  .strictObject({
    maxMonthlyCost: amountSchema.default(300).describe('a deal above this is quarantined'),
    maxUpfrontCost: amountSchema.default(5_000).describe('a deal above this is quarantined'),
    maxCashback: amountSchema
      .default(1_000)
      .describe('a deal with a cashback above this, or above its total cost, is quarantined'),
    zeroMonthlyCost: z.boolean().default(false).describe('whether a deal may cost nothing a month'),
  })
  .transform(({ maxMonthlyCost, maxUpfrontCost, maxCashback, zeroMonthlyCost }) => ({
    maxMonthlyPence: Math.round(maxMonthlyCost * 100),
    maxUpfrontPence: Math.round(maxUpfrontCost * 100),
    maxCashbackPence: Math.round(maxCashback * 100),
    zeroMonthlyCost,
  }));

const ageSchema = z.number().min(0).max(10_000);
const freshnessSchema = z
  .strictObject({
    maxCarriedHours: ageSchema
      .default(48)
      .describe('how long the earlier deals of a held feed are served before they expire'),
    maxUnchangedDays: ageSchema
      .default(3)
      .describe('after how many days without a change of its files a feed gets the notice source-unchanged'),
  })
  .transform(({ maxCarriedHours, maxUnchangedDays }) => ({
    maxCarriedMs: maxCarriedHours * HOUR_MS,
    maxUnchangedMs: maxUnchangedDays * DAY_MS,
  }));

const shareSchema = z.number().min(0).max(1);

/** `gates` of the configuration: how far a build may be from the snapshot being served. */
export const gateSettingsSchema = z.strictObject({
  minRows: z
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(20)
    .describe('a part with fewer records than this is judged with the larger part that it is in'),
  maxLost: shareSchema
    .default(0.1)
    .describe('the share of the deals of a part, or of the records of a CMS, that may go'),
  maxMoved: z
    .number()
    .min(0)
    .max(1_000)
    .default(0.1)
    .describe('how far the prices of most deals of a part, or the price in their middle, may move'),
  maxChanged: shareSchema
    .default(0.25)
    .describe('the share of the same deals of a part, or records of a CMS, that may be something else under their key'),
  maxQuarantined: shareSchema.default(0.2).describe('by how much the share of quarantined records may rise'),
  maxDuplicates: shareSchema.default(0.2).describe('by how much the share of duplicates may rise'),
  maxRenumbered: shareSchema.default(0.5).describe('the share of the deals of a part that may come under another key'),
  maxPriceJump: z
    .number()
    .min(1)
    .max(1_000_000)
    .default(2.5)
    .describe('a deal whose total or monthly cost moves by a larger factor is held out (`price-jump`)'),
  maxSaid: shareSchema
    .default(0.1)
    .describe('when a larger share of the same deals of a part has moved, the build says so, with status 4'),
});

/** `catalogue.json`. Unknown keys are errors: a misspelt gate would never refuse a build. */
export const configSchema = z
  .strictObject({
    $schema: z
      .string()
      .max(2_000)
      .optional()
      .meta({
        description: 'the JSON Schema of this file, for editors; not read',
        examples: ['./schema/configuration.schema.json'],
      }),
    store: z
      .string()
      .min(1)
      .max(4_000)
      .refine((path) => !path.includes('\0'), 'a path without NUL')
      .default('dist/catalogue')
      .describe('where snapshots are published'),
    cms: z
      .array(cmsSourceSchema)
      .min(1)
      .describe('the exports of the CMS: products, gifts, networks, retailers, manufacturers'),
    feeds: z.array(feedSchema).default([]).describe('the feeds of deals'),
    images: imagesSchema.prefault({}).describe('pictures'),
    exclude: z
      .array(excludeSchema)
      .default([])
      .meta({
        description: 'what is left out, even if the sources have it',
        examples: [[{ retailer: 'phonewright', deal: 'H-1042', reason: 'price typed wrong', until: '2036-12-31' }]],
      }),
    currency: currencySchema.default({ code: 'GBP', label: '£' }).describe('the currency of every price'),
    money: moneySchema.prefault({}).describe('what a price may be'),
    freshness: freshnessSchema.prefault({}).describe('what is too old'),
    gates: gateSettingsSchema.prefault({}).describe('how far a catalogue may be from the one being served'),
  })
  .superRefine(({ cms, feeds }, check) => {
    // A name identifies one source in the ledger, the report and `matches.feedIds`.
    const named = Object.entries({ cms, feeds }).flatMap(([list, sources]) =>
      sources.map(({ name }, index) => ({ name, path: [list, index, 'name'] })),
    );
    for (const [i, { name, path }] of named.entries()) {
      if (named.findIndex((each) => each.name === name) === i) continue;
      check.addIssue({ code: 'custom', path, input: name, message: 'a name of its own' });
    }
  });

type ConfigFile = z.infer<typeof configSchema>;
export type GateSettings = Readonly<ConfigFile['gates']>;
export type GateSettingName = keyof GateSettings;
export type ExcludeRule = Readonly<ConfigFile['exclude'][number]>;

/** A checked `catalogue.json`, with defaults, absolute paths, money in pence and ages in milliseconds. */
export interface BuildConfig extends Readonly<Omit<ConfigFile, 'cms' | 'feeds' | 'exclude'>> {
  readonly file: string;
  /** Absolute path of its folder, to which its globs are relative. */
  readonly folder: string;
  readonly cms: readonly CmsSourceConfig[];
  readonly feeds: readonly FeedConfig[];
  readonly exclude: readonly ExcludeRule[];
}

/**
 * Reads and checks `catalogue.json`.
 *
 * @param store replaces the store of the file, relative to the working directory
 * @throws {ConfigError} with every error of the file, or why it cannot be read.
 */
export async function readConfig(
  path: string,
  { store }: { readonly store?: string | undefined } = {},
): Promise<BuildConfig> {
  let text: string;
  try {
    text = readRegularFile(path);
  } catch (cause) {
    throw new ConfigError([`${path}: ${describeReadError(path, cause as SystemError)}`], { cause });
  }
  const config = parseConfig(path, parseConfigText(path, text));
  return store === undefined ? config : { ...config, store: resolve(store) };
}

/**
 * Checks the value of a configuration. The file `path` need not exist.
 *
 * @throws {ConfigError} with one sentence for each error, in the order of the file's keys.
 */
export function parseConfig(path: string, value: unknown): BuildConfig {
  /** The keys that are known where others are not. */
  const known = new Map<readonly string[], readonly string[]>();
  const parsed = configSchema.safeParse(value, {
    reportInput: true,
    error: (issue) => {
      if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject) {
        known.set(issue.keys, Object.keys(issue.inst.shape));
      }
      return undefined;
    },
  });
  if (!parsed.success) {
    const errors = parsed.error.issues.flatMap(narrowUnion).flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys') return [describeFieldError(toFieldError(issue))];
      return issue.keys.map(
        (key) => `${joinPath([...issue.path, key])}: unknown key${didYouMean(key, known.get(issue.keys) ?? [])}`,
      );
    });
    throw new ConfigError(errors.map((error) => `${path}: ${error}`));
  }
  const file = resolve(path);
  const folder = dirname(file);
  return { ...parsed.data, file, folder, store: resolve(folder, parsed.data.store) };
}

/**
 * Parses the JSON of a configuration, which may have line comments and block comments.
 *
 * @throws {ConfigError} with line and column when it is not JSON.
 */
export function parseConfigText(path: string, text: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(stripComments(json)) as unknown;
  } catch (cause) {
    const { line, sentence } = findJsonFault(json, true);
    throw new ConfigError([`${path}:${line}: ${sentence}`], { cause });
  }
}

/** If the value has the type of one alternative only, the errors are those of this alternative. */
function narrowUnion(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const fitting = issue.errors.filter((issues) => !issues.some(isOfOtherType));
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return [issue];
  return only.flatMap((inner) => narrowUnion({ ...inner, path: [...issue.path, ...inner.path] }));
}

function isOfOtherType({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

function describeReadError(path: string, { code, message }: SystemError): string {
  if (code === 'EISDIR') return 'expected a configuration, found a folder; name the file in it with --config';
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `cannot be read: ${message}`;
  const command = `deals init --config ${quoteForShell(path)}`;
  return `expected a configuration, found none; ${command} writes one, or name another with --config`;
}
