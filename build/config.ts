import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { isWebUrl } from '../data/record/product.ts';
import { CMS_ADAPTER_NAMES, FEED_ADAPTER_NAMES } from './adapt/adapter-name.ts';
import { ConfigError } from './config-error.ts';
import { describeConfigIssues } from './config-fault.ts';
import { parseConfigText } from './config-text.ts';
import { quote } from './source/quote.ts';

const MEGABYTE = 1_000_000;

/** Feeds are streamed: the limit only keeps a bomb from filling the night. */
const FEED_MAX_MEGABYTES = 4_000;

/** A CMS export is read whole, and JavaScript holds no text above 512 MB. */
const CMS_MAX_MEGABYTES = 500;

const shareSchema = z.number().min(0).max(1);
const amountSchema = z.number().min(0).max(1_000_000);

/** What the ledger, the report and `matches.feedIds` call a source; also a part of `--accept <gate>:<source>`. */
const sourceNameSchema = z
  .string()
  .max(50)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'a lower-case word such as "house"');

const source = {
  name: sourceNameSchema,
  /** Globs, relative to the configuration. */
  files: z.array(z.string().min(1).max(1_000)).min(1),
  required: z.boolean().default(false),
};

const cmsSourceSchema = z.strictObject({
  ...source,
  adapter: z.enum(CMS_ADAPTER_NAMES),
  /** What one file may inflate to. */
  maxMegabytes: z.number().int().min(1).max(CMS_MAX_MEGABYTES).default(CMS_MAX_MEGABYTES),
});

const feedSchema = z.strictObject({
  ...source,
  adapter: z.enum(FEED_ADAPTER_NAMES),
  /** What an allowance means that the feed leaves empty. */
  missingAllowance: z.enum(['quarantine', 'unlimited']).default('quarantine'),
  /** What one file may inflate to. */
  maxMegabytes: z.number().int().min(1).max(1_000_000).default(FEED_MAX_MEGABYTES),
});

const excludeSchema = z
  .strictObject({
    /** Id, slug, name or alias. */
    retailer: z.string().min(1).max(300).optional(),
    /** The key of a deal: with `retailer`, only that retailer's. */
    deal: z.string().min(1).max(200).optional(),
    /** The id of a product. */
    product: z.string().min(1).max(200).optional(),
    reason: z.string().min(1).max(1_000),
    /** The last day on which the line holds. */
    until: z.iso.date().optional(),
  })
  .refine((line) => line.retailer !== undefined || line.deal !== undefined || line.product !== undefined, {
    error: 'at least one of retailer, deal and product',
  });

const imagesSchema = z.strictObject({
  render: z.boolean().default(true),
  baseUrl: z
    .string()
    .refine((text) => isWebUrl(text), 'an http or https URL')
    .optional(),
});

const currencySchema = z.strictObject({
  code: z.string().regex(/^[A-Z]{3}$/, 'an ISO 4217 code such as "GBP"'),
  label: z.string().min(1).max(10),
});

const moneySchema = z.strictObject({
  maxMonthlyCost: amountSchema.default(300),
  maxUpfrontCost: amountSchema.default(5_000),
  zeroMonthlyCost: z.boolean().default(false),
});

const gatesSchema = z.strictObject({
  maxLostDeals: shareSchema.default(0.1),
  maxLostProducts: shareSchema.default(0.1),
  maxQuarantined: shareSchema.default(0.2),
  /** Below this many records a share says nothing, and the gate is silent. */
  minRows: z.number().int().min(0).max(1_000_000_000).default(20),
});

/** `catalogue.json`. Unknown keys are errors: a misspelt gate must not be a gate that is never closed. */
const configSchema = z.strictObject({
  store: z.string().min(1).max(4_000).default('dist/catalogue'),
  cms: z.array(cmsSourceSchema).min(1),
  feeds: z.array(feedSchema).default([]),
  images: imagesSchema.prefault({}),
  exclude: z.array(excludeSchema).default([]),
  currency: currencySchema.default({ code: 'GBP', label: '£' }),
  money: moneySchema.prefault({}),
  gates: gatesSchema.prefault({}),
});

type ConfigFile = z.infer<typeof configSchema>;

interface SourceConfig {
  readonly name: string;
  readonly files: readonly string[];
  readonly required: boolean;
  /** What one file may inflate to. */
  readonly maxBytes: number;
}

export interface CmsSourceConfig extends SourceConfig {
  readonly adapter: (typeof CMS_ADAPTER_NAMES)[number];
}

export interface FeedConfig extends SourceConfig {
  readonly adapter: (typeof FEED_ADAPTER_NAMES)[number];
  readonly missingAllowance: 'quarantine' | 'unlimited';
}

export type ExcludeRule = Readonly<ConfigFile['exclude'][number]>;

/** A checked `catalogue.json`, with defaults, absolute paths and money in pence. */
export interface BuildConfig {
  /** Absolute path of the file. */
  readonly file: string;
  /** Absolute path of its folder, to which its globs are relative. */
  readonly folder: string;
  /** Absolute path of the store. */
  readonly store: string;
  readonly cms: readonly CmsSourceConfig[];
  readonly feeds: readonly FeedConfig[];
  readonly images: { readonly render: boolean; readonly baseUrl?: string | undefined };
  readonly exclude: readonly ExcludeRule[];
  readonly currency: { readonly code: string; readonly label: string };
  readonly money: {
    readonly maxMonthlyPence: number;
    readonly maxUpfrontPence: number;
    readonly zeroMonthlyCost: boolean;
  };
  readonly gates: {
    readonly maxLostDeals: number;
    readonly maxLostProducts: number;
    readonly maxQuarantined: number;
    readonly minRows: number;
  };
}

/** What the command line or the environment says in place of the file. */
export interface ConfigOverrides {
  /** A path, relative to the working directory. */
  readonly store?: string | undefined;
}

/**
 * Reads and checks `catalogue.json`.
 *
 * @throws {ConfigError} naming every fault of the file, or why it cannot be read.
 */
export async function readConfig(path: string, overrides: ConfigOverrides = {}): Promise<BuildConfig> {
  const file = resolve(path);
  const value = parseConfigText(path, await readConfigText(path));
  const parsed = configSchema.safeParse(value, { reportInput: true });
  const faults = parsed.success
    ? findRepeatedNames(parsed.data)
    : describeConfigIssues(parsed.error.issues, configSchema);
  if (!parsed.success || faults.length > 0) {
    throw new ConfigError(faults.map((fault) => `${path}: ${fault}`));
  }
  return freezeDeep(resolveConfig(file, parsed.data, overrides));
}

async function readConfigText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new ConfigError([`${path}: cannot be read: ${(cause as Error).message}`], { cause });
  }
}

/** A name stands for one source in the ledger, the report and `matches.feedIds`. */
function findRepeatedNames(config: ConfigFile): string[] {
  const firstPlace = new Map<string, string>();
  const faults: string[] = [];
  for (const list of ['cms', 'feeds'] as const) {
    for (const [index, { name }] of config[list].entries()) {
      const place = `${list}[${index}].name`;
      const first = firstPlace.get(name);
      if (first === undefined) firstPlace.set(name, place);
      else faults.push(`${place}: expected a name of its own, got ${quote(name)}, which is ${first}`);
    }
  }
  return faults;
}

function resolveConfig(file: string, config: ConfigFile, overrides: ConfigOverrides): BuildConfig {
  const folder = dirname(file);
  return {
    file,
    folder,
    store: overrides.store === undefined ? resolve(folder, config.store) : resolve(overrides.store),
    cms: config.cms.map(resolveSource),
    feeds: config.feeds.map(resolveSource),
    images: config.images,
    exclude: config.exclude,
    currency: config.currency,
    money: {
      maxMonthlyPence: Math.round(config.money.maxMonthlyCost * 100),
      maxUpfrontPence: Math.round(config.money.maxUpfrontCost * 100),
      zeroMonthlyCost: config.money.zeroMonthlyCost,
    },
    gates: config.gates,
  };
}

function resolveSource<Source extends { maxMegabytes: number }>({
  maxMegabytes,
  ...source
}: Source): Omit<Source, 'maxMegabytes'> & { maxBytes: number } {
  return { ...source, maxBytes: maxMegabytes * MEGABYTE };
}

function freezeDeep<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) freezeDeep(child);
  }
  return value;
}
