import { checkCms, checkFeed, describeCheck, type SourceCheck } from '../build/check.ts';
import { readConfig, type BuildConfig } from '../build/config/config.ts';
import { didYouMean } from '../build/source/nearest-name.ts';
import { CommandError, defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { CONFIG, JSON_RESULT, nowOption, option, requireConfig, wholeNumber } from './console/options.ts';

interface CheckOptions {
  readonly config?: string;
  readonly now?: Date;
  readonly limit?: number;
  readonly json?: true;
}

const SHOWN_RECORDS = 2;
const MAX_SHOWN_RECORDS = 10_000;

/** Shows what a build would take of one source. */
export const createCheckCommand = defineCommand<CheckOptions, [source: string]>({
  name: 'check',
  description: 'read one source and show what a build would take of it, without building',
  arguments: [['<source>', 'the name of a source of the configuration']],
  options: [
    CONFIG,
    nowOption('check'),
    option('--limit <number>', `show this many records (default: ${SHOWN_RECORDS})`, wholeNumber(0, MAX_SHOWN_RECORDS)),
    JSON_RESULT,
  ],
  examples: [
    'deals check house --config data/sample/catalogue.json',
    'deals check site --config data/sample/catalogue.json --limit 1 --json',
  ],
  run: check,
});

async function check(context: Context, options: CheckOptions, name: string): Promise<ExitCode> {
  const { output } = context;
  const config = await readConfig(requireConfig(options));
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
  throw new CommandError(`${file}: no source ${JSON.stringify(name)}${didYouMean(name, names)}`);
}
