import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { parseConfig, parseConfigText } from '../build/config/config.ts';
import {
  listColumns,
  planSource,
  TEMPLATES,
  writeConfigTemplate,
  type OwnFile,
  type TemplateSource,
} from '../build/init/config-template.ts';
import { findKnownColumns } from '../build/init/find-columns.ts';
import { planNewFiles, type NewFile } from '../build/init/new-files.ts';
import { sourceNameSchema } from '../build/registry.ts';
import { quote } from '../build/source/quote.ts';
import { findNearestWord } from '../data/query/edit-distance.ts';
import { isErrorCode } from '../data/store/system-error.ts';
import { quoteForShell } from '../data/quote-for-shell.ts';
import { SettingError } from '../server/settings.ts';
import { CommandError, defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { CONFIG, DEFAULT_CONFIG, option } from './console/options.ts';

type Kind = TemplateSource['kind'];

interface Choice {
  readonly adapter: string;
  readonly name?: string | undefined;
  /** A table that is there. */
  readonly file?: string | undefined;
}

interface InitOptions {
  readonly cms?: readonly Choice[];
  readonly feed?: readonly Choice[];
  readonly config?: string;
}

const ADAPTERS: Readonly<Record<Kind, readonly string[]>> = {
  cms: Object.keys(TEMPLATES.cms),
  feed: Object.keys(TEMPLATES.feed),
};

/** Writes the configuration to begin with. */
export const createInitCommand = defineCommand<InitOptions>({
  name: 'init',
  description: 'write a first configuration, its JSON Schemas and examples, and say what to put where',
  options: [
    option(
      '--cms <[name=]adapter>',
      `an export of a CMS: ${ADAPTERS.cms.join(', ')}; may be repeated (default: catalogue)`,
      (text) => [parseChoice('cms', text)],
    ),
    option(
      '--feed <[name=]adapter[=file]>',
      `a feed of deals: ${ADAPTERS.feed.join(', ')}, or csv=<file>; may be repeated (default: deals)`,
      (text) => [parseChoice('feed', text)],
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
  // Without options: the formats that need no settings.
  const { cms = [{ adapter: 'catalogue' }], feed = [{ adapter: 'deals' }], config = DEFAULT_CONFIG } = options;
  const folder = dirname(config);
  const sources = cms.map((choice) => planSource('cms', choice));
  for (const choice of feed) sources.push(planSource('feed', { ...choice, own: await readOwnFile(folder, choice) }));
  const text = writeConfigTemplate(sources);
  // Two sources may have the same name. A table may lack a column, which the check of its source will say.
  if (sources.every(({ own }) => own === undefined)) parseConfig(config, parseConfigText(config, text));
  await mkdir(folder, { recursive: true });
  if (!(await writeNew(config, text))) {
    const remedy = 'name another with --config, or remove it first';
    throw new CommandError(`${config}: is there already, and stays as it is; ${remedy}`);
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

/** Reads `awin`, `shop=csv`, `csv=feed.csv` and `shop=csv=feed.csv`. */
function parseChoice(kind: Kind, text: string): Choice {
  const adapters = ADAPTERS[kind];
  const [first = '', ...others] = text.trim().split('=');
  const isNamed = others.length > 0 && !(first === TABLE && kind === 'feed' && !adapters.includes(others[0] ?? ''));
  const [adapter = '', ...file] = isNamed ? others : [first, ...others];
  if (isNamed && !sourceNameSchema.safeParse(first).success) {
    throw new SettingError('Expected a lower-case word such as house before the equals sign.');
  }
  if (!adapters.includes(adapter) || (file.length > 0 && adapter !== TABLE)) {
    const nearest = findNearestWord(adapter, adapters);
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    throw new SettingError(`Expected one of ${adapters.join(', ')}${hint}`);
  }
  return { adapter, ...(isNamed && { name: first }), ...(file.length > 0 && { file: file.join('=') }) };
}

/** The adapter whose columns are read from a file that is there. */
const TABLE = 'csv';

/** Reads the columns of a table that is there. */
async function readOwnFile(folder: string, { file }: Choice): Promise<OwnFile | undefined> {
  if (file === undefined) return undefined;
  if (!existsSync(file)) throw new CommandError(`${file}: expected a file, found nothing`);
  const path = relative(folder, file).split(sep).join('/');
  return { files: fastGlob.escapePath(path), ...(await findKnownColumns(file)) };
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
  const empty = sources.filter(({ own }) => own === undefined);
  const first = (sources.find(({ own }) => own !== undefined) ?? sources[0])?.name ?? '';
  const others = (kind: Kind): string => ADAPTERS[kind].slice(1).join(', ');
  return [
    `${config}: written. The JSON Schemas beside it explain every setting.`,
    ...(cms === undefined ? [`No --cms was given, so it reads our own JSON; others: ${others('cms')}.`] : []),
    ...(feed === undefined ? [`No --feed was given, so it reads our own CSV; others: ${others('feed')}.`] : []),
    '',
    ...section(
      'Examples, which build as they are; remove them when you have files of your own:',
      files.filter(({ kind }) => kind === 'example').map(({ path }) => `  ${join(folder, path)}`),
    ),
    ...section(
      'Put there:',
      empty.flatMap(({ folder: place, template }) => [`  ${join(folder, place)}/`, `    ${template.what}`]),
    ),
    ...section(
      'Make true in the configuration:',
      empty.flatMap(({ name, template: { guesses } }) => (guesses ? [`  ${name}`, `    ${guesses}`] : [])),
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
