import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { parseConfig } from '../build/config/config.ts';
import { parseConfigText } from '../build/config/config-text.ts';
import {
  listColumns,
  planSources,
  writeConfigTemplate,
  type ChosenSource,
  type OwnFile,
  type TemplateSource,
} from '../build/init/config-template.ts';
import { findKnownColumns } from '../build/init/find-columns.ts';
import { planNewFiles, type NewFile } from '../build/init/new-files.ts';
import {
  CMS_TEMPLATES,
  FEED_TEMPLATES,
  type CmsAdapterName,
  type FeedAdapterName,
  type SourceTemplate,
} from '../build/init/source-templates.ts';
import { sourceNameSchema } from '../build/registry.ts';
import { quote } from '../build/source/quote.ts';
import { findNearestWord } from '../data/query/edit-distance.ts';
import { isErrorCode } from '../data/store/regular-file.ts';
import { quoteForShell } from '../data/snapshot/snapshot-error.ts';
import { SettingError } from '../server/settings.ts';
import { CommandError, defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { CONFIG, DEFAULT_CONFIG, option } from './console/options.ts';

type CmsChoice = ChosenSource<CmsAdapterName>;

interface FeedChoice extends ChosenSource<FeedAdapterName> {
  /** A table that is there. */
  readonly file?: string | undefined;
}

interface InitOptions {
  readonly cms?: readonly CmsChoice[];
  readonly feed?: readonly FeedChoice[];
  readonly config?: string;
}

/** Without options: the formats that need no settings. */
const DEFAULT_CMS: readonly CmsChoice[] = [{ adapter: 'catalogue' }];
const DEFAULT_FEEDS: readonly FeedChoice[] = [{ adapter: 'deals' }];

/** Writes the configuration to begin with. */
export const createInitCommand = defineCommand<InitOptions>({
  name: 'init',
  description: 'write a first configuration, its JSON Schemas and examples, and say what to put where',
  options: [
    option(
      '--cms <[name=]adapter>',
      `an export of a CMS: ${Object.keys(CMS_TEMPLATES).join(', ')}; may be repeated (default: catalogue)`,
      (text) => parseChoices(text, CMS_TEMPLATES),
    ),
    option(
      '--feed <[name=]adapter[=file]>',
      `a feed of deals: ${Object.keys(FEED_TEMPLATES).join(', ')}, or csv=<file>; may be repeated (default: deals)`,
      parseFeedChoices,
    ),
    CONFIG,
  ],
  examples: [
    'deals init --cms strapi --feed awin --feed shop=csv --config dist/second/catalogue.json',
    'deals init --feed csv=data/sample/feeds/house/deals.csv --config dist/third/catalogue.json',
  ],
  run: init,
});

async function init({ output }: Context, options: InitOptions): Promise<ExitCode> {
  const { cms = DEFAULT_CMS, feed = DEFAULT_FEEDS, config = DEFAULT_CONFIG } = options;
  const folder = dirname(config);
  const feeds = await Promise.all(feed.map((choice) => readOwnFile(folder, choice)));
  const sources = planSources({ cms, feeds });
  const text = writeConfigTemplate(sources);
  // Two sources may have been given the same name. A table may lack a column, which the check of its source will say.
  if (sources.every(({ own }) => own === undefined)) parseConfig(config, parseConfigText(config, text));
  await mkdir(folder, { recursive: true });
  if (!(await writeNew(config, text))) {
    throw new CommandError(
      EXIT.usage,
      `${config}: is there already, and stays as it is; name another with --config, or remove it first`,
    );
  }
  const empty = sources.filter(({ own }) => own === undefined);
  for (const source of empty) await mkdir(join(folder, source.folder), { recursive: true });
  const files = planNewFiles(sources);
  for (const { path, kind, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    // An example never overwrites a file.
    if (kind === 'schema') await writeFile(join(folder, path), content);
    else await writeNew(join(folder, path), content);
  }
  output.lines(describeWritten(config, sources, files, options));
  for (const { name, own } of sources) if (own !== undefined) output.error(describeOwnFile(config, name, own));
  return EXIT.ok;
}

/** Reads the columns of a table that is there. */
async function readOwnFile(folder: string, { file, ...choice }: FeedChoice): Promise<ChosenSource<FeedAdapterName>> {
  if (file === undefined) return choice;
  if (!existsSync(file)) throw new CommandError(EXIT.usage, `${file}: expected a file, found nothing`);
  const path = relative(folder, file).split(sep).join('/');
  return { ...choice, own: { files: fastGlob.escapePath(path), ...(await findKnownColumns(file)) } };
}

/** What was found in a table, and what a person has to say of it. */
function describeOwnFile(config: string, name: string, { settings, missing, left }: OwnFile): string {
  const columns = Object.entries(settings.columns).map(([field, rule]) => {
    return `${field} is ${quote(typeof rule === 'string' ? rule : rule.column)}`;
  });
  return [
    `${name}: see that this is so: ${columns.join(', ')}`,
    missing.length === 0 ? 'no field is missing' : `no column was found for ${missing.join(', ')}: say it in ${config}`,
    left.length === 0 ? 'every column is read' : `not read: ${listColumns(left)}`,
  ].join('; ');
}

/** False when there is such a file, which stays as it is. */
async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function describeWritten(
  config: string,
  sources: readonly TemplateSource[],
  files: readonly NewFile[],
  { cms, feed }: InitOptions,
): readonly string[] {
  const flag = config === DEFAULT_CONFIG ? '' : ` --config ${quoteForShell(config)}`;
  const folder = dirname(config);
  const first = (sources.find(({ own }) => own !== undefined) ?? sources[0])?.name ?? '';
  const examples = files.filter(({ kind }) => kind === 'example');
  const empty = sources.filter(({ own }) => own === undefined);
  const guesses = empty.filter(({ template }) => template.guesses !== undefined);
  return [
    `${config}: written. The JSON Schemas beside it explain every setting.`,
    ...(cms === undefined ? [`No --cms was given, so it reads our own JSON; others: ${namesOf(CMS_TEMPLATES)}.`] : []),
    ...(feed === undefined
      ? [`No --feed was given, so it reads our own CSV; others: ${namesOf(FEED_TEMPLATES)}.`]
      : []),
    '',
    ...section(
      'Examples, which build as they are; remove them when you have files of your own:',
      examples.map(({ path }) => `  ${join(folder, path)}`),
    ),
    ...section(
      'Put there:',
      empty.flatMap(({ folder: place, template }) => [`  ${join(folder, place)}/`, `    ${template.what}`]),
    ),
    ...section(
      'Make true in the configuration:',
      guesses.flatMap(({ name, template }) => [`  ${name}`, `    ${template.guesses ?? ''}`]),
    ),
    'Then:',
    `  deals check ${first}${flag}`,
    '    shows what is read of a source, without building',
    `  deals dev${flag}`,
    '    builds and serves it on this machine, and builds again whenever a file changes',
    `  deals build${flag}`,
    '    builds and publishes, as every night',
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines, ''];
}

/** The adapter whose columns are read from a file that is there. */
const TABLE: FeedAdapterName = 'csv';

/** Reads `csv=feed.csv` and `shop=csv=feed.csv`, besides the choices without a file. */
function parseFeedChoices(text: string): readonly FeedChoice[] {
  return text.split(',').flatMap((part): readonly FeedChoice[] => {
    const [, name, file] = /^(?:([^=]+)=)?csv=(.+)$/.exec(part.trim()) ?? [];
    if (file === undefined || Object.hasOwn(FEED_TEMPLATES, file)) return parseChoices(part, FEED_TEMPLATES);
    return [{ adapter: TABLE, name: name === undefined ? undefined : checkName(name), file }];
  });
}

/** Reads `awin`, `house` (the usual name of `deals`), `shop=csv`, and several of them separated by commas. */
function parseChoices<Adapter extends string>(
  text: string,
  templates: Readonly<Record<Adapter, SourceTemplate>>,
): readonly ChosenSource<Adapter>[] {
  return text.split(',').map((part) => {
    const [before = '', after] = part.trim().split('=', 2);
    const adapter = findAdapter(after ?? before, templates);
    return after === undefined ? { adapter } : { adapter, name: checkName(before) };
  });
}

function checkName(name: string): string {
  if (sourceNameSchema.safeParse(name).success) return name;
  throw new SettingError('Expected a lower-case word such as house before the equals sign.');
}

/** The adapter by its name, or by its usual name where only one has it. */
function findAdapter<Adapter extends string>(
  wanted: string,
  templates: Readonly<Record<Adapter, SourceTemplate>>,
): Adapter {
  const adapters = Object.keys(templates) as Adapter[];
  if (Object.hasOwn(templates, wanted)) return wanted as Adapter;
  const [only, ...others] = adapters.filter((adapter) => templates[adapter].name === wanted);
  if (only !== undefined && others.length === 0) return only;
  const nearest = findNearestWord(wanted, adapters);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  throw new SettingError(`Expected one of ${adapters.join(', ')}${hint}`);
}

function namesOf(templates: Readonly<Record<string, SourceTemplate>>): string {
  return Object.keys(templates).slice(1).join(', ');
}
