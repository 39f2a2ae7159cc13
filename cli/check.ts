import { isSheet } from '../build/cms/csv.ts';
import { existsSync } from 'node:fs';
import { checkCms, checkFeed, createFileConfig, describeCheck, FILE_SOURCE, type SourceCheck } from '../build/check.ts';
import { readConfig, type BuildConfig } from '../build/config/config.ts';
import { didYouMean } from '../build/source/nearest-name.ts';
import { quoteForShell } from '../data/quote-for-shell.ts';
import { CommandError, defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { CONFIG, JSON_RESULT, nowOption, option, requireConfig, wholeNumber } from './console/options.ts';

interface CheckOptions {
  readonly adapter?: string;
  readonly file?: string;
  readonly config?: string;
  readonly now?: Date;
  readonly limit?: number;
  readonly json?: true;
}

const SHOWN_RECORDS = 2;
const MAX_SHOWN_RECORDS = 10_000;

/** Shows what a build would take of one source. */
export const createCheckCommand = defineCommand<CheckOptions, [source?: string]>({
  name: 'check',
  description: 'read one source and show what a build would take of it, without building',
  arguments: [['[source]', 'the name of a source of the configuration']],
  options: [
    option('--adapter <name>', 'in place of a source: the adapter that reads --file, named as in a configuration'),
    option('--file <path>', 'in place of a source: the file to read'),
    CONFIG,
    nowOption('check'),
    option('--limit <number>', `show this many records (default: ${SHOWN_RECORDS})`, wholeNumber(0, MAX_SHOWN_RECORDS)),
    JSON_RESULT,
  ],
  examples: [
    'deals check house --config data/sample/catalogue.json',
    'deals check --adapter deals --file data/sample/feeds/house/deals.csv --limit 1 --json',
  ],
  run: check,
});

async function check(context: Context, options: CheckOptions, source?: string): Promise<ExitCode> {
  const { output } = context;
  const { config, name } = await requireSource(source, options);
  const result = await checkSource(config, name, {
    config,
    now: options.now ?? context.now(),
    maxRecords: options.limit ?? SHOWN_RECORDS,
  });
  output.report(options, result, describeCheck(result));
  const { state, kept, quarantined } = result.source;
  if (state === 'fresh' && (kept > 0 || quarantined === 0)) return EXIT.ok;
  const why = state === 'fresh' ? 'a build would take nothing of it' : 'cannot be read to its end';
  output.error(`${name}: ${state === 'absent' ? 'no file' : why}; see the findings`);
  return EXIT.refused;
}

/** The adapters that read no file without settings, with the choices of `deals init`. */
const CONFIGURED: Readonly<Record<string, string | undefined>> = {
  csv: '--feed csv=',
  strapi: '--cms strapi',
  contentful: '--cms contentful',
  wordpress: '--cms wordpress',
};

async function requireSource(
  source: string | undefined,
  options: CheckOptions,
): Promise<{ readonly config: BuildConfig; readonly name: string }> {
  const { adapter, file } = options;
  if (source !== undefined && adapter === undefined && file === undefined) {
    return { config: await readConfig(requireConfig(options, ', or give --adapter and --file')), name: source };
  }
  if (source !== undefined || adapter === undefined || file === undefined) {
    const expected = 'expected the name of a source, or both --adapter and --file';
    throw new CommandError(`${expected}; see deals check --help`);
  }
  if (!existsSync(file)) throw new CommandError(`${file}: expected a file, found nothing`);
  // `products.csv` is a sheet of a CMS, which needs no mapping.
  const choice = adapter === 'csv' && isSheet(file) ? undefined : CONFIGURED[adapter];
  if (choice !== undefined) {
    const command = `deals init ${choice}${adapter === 'csv' ? quoteForShell(file) : ''}`;
    const sentence = `the adapter ${adapter} needs a configuration that says what is where; ${command} writes one`;
    throw new CommandError(`${file}: ${sentence}`);
  }
  const { currency } = options.config === undefined ? {} : await readConfig(options.config);
  return { config: createFileConfig(adapter, file, currency), name: FILE_SOURCE };
}

async function checkSource(
  { cms, feeds, file }: BuildConfig,
  name: string,
  options: Parameters<typeof checkFeed>[1],
): Promise<SourceCheck> {
  const feed = feeds.find((each) => each.name === name);
  if (feed !== undefined) return checkFeed(feed, options);
  const cmsSource = cms.find((each) => each.name === name);
  if (cmsSource !== undefined) return checkCms(cmsSource, options);
  const names = [...cms, ...feeds].map((each) => each.name);
  throw new CommandError(`${file}: no source ${JSON.stringify(name)}${didYouMean(name, names, String)}`);
}
