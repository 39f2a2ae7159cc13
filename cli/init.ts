import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { parseConfig, parseConfigText } from '../build/config/config.ts';
import { planTable } from '../build/init/find-columns.ts';
import { planNewFiles, planSource, writeConfig, type NewFile, type NewSource } from '../build/init/new-files.ts';
import { CMS_ADAPTER_NAMES, FEED_ADAPTER_NAMES, sourceNameSchema } from '../build/registry.ts';
import { isErrorCode } from '../data/store/system-error.ts';
import { quoteForShell } from '../data/quote-for-shell.ts';
import { SettingError } from '../server/settings.ts';
import { CommandError, defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { CONFIG, DEFAULT_CONFIG, option } from './console/options.ts';

type List = NewSource['list'];

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

const ADAPTERS: Readonly<Record<List, readonly string[]>> = { cms: CMS_ADAPTER_NAMES, feeds: FEED_ADAPTER_NAMES };

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
      `a feed of deals: ${ADAPTERS.feeds.join(', ')}, or csv=<file>; may be repeated (default: deals)`,
      (text) => [parseChoice('feeds', text)],
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
  const sources = cms.map(({ adapter, name }) => planSource('cms', adapter, name));
  const missing = new Map<string, readonly string[]>();
  for (const { adapter, name, file } of feed) {
    if (file === undefined) {
      sources.push(planSource('feeds', adapter, name));
    } else {
      if (!existsSync(file)) throw new CommandError(`${file}: expected a file, found nothing`);
      const path = relative(folder, file).split(sep).join('/');
      const table = await planTable(file, fastGlob.escapePath(path), name);
      sources.push(table.source);
      missing.set(table.source.name, table.missing);
    }
  }
  const text = writeConfig(sources);
  // Two sources may have the same name. A table may lack a column, which the check of its source will say.
  if (missing.size === 0) parseConfig(config, parseConfigText(config, text));
  await mkdir(folder, { recursive: true });
  if (!(await writeNew(config, text))) {
    const remedy = 'name another with --config, or remove it first';
    throw new CommandError(`${config}: is there already, and stays as it is; ${remedy}`);
  }
  for (const { place } of sources)
    if (place !== undefined) await mkdir(join(folder, place.folder), { recursive: true });
  const files = planNewFiles(sources);
  for (const { path, kind, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    // An example never overwrites a file.
    if (kind === 'schema') await writeFile(join(folder, path), content);
    else await writeNew(join(folder, path), content);
  }
  output.lines(describeWritten(config, sources, files, options));
  for (const [name, fields] of missing) {
    const said =
      fields.length === 0 ? 'no field is missing' : `no column was found for ${fields.join(', ')}: say it there`;
    output.error(`${name}: see in ${config} that each column is what it was taken for; ${said}`);
  }
  return EXIT.ok;
}

/** Reads `awin`, `shop=csv`, `csv=feed.csv` and `shop=csv=feed.csv`. */
function parseChoice(list: List, text: string): Choice {
  const adapters = ADAPTERS[list];
  const [first = '', ...others] = text.trim().split('=');
  const isNamed = others.length > 0 && !(first === TABLE && list === 'feeds' && !adapters.includes(others[0] ?? ''));
  const [adapter = '', ...file] = isNamed ? others : [first, ...others];
  if (isNamed && !sourceNameSchema.safeParse(first).success) {
    throw new SettingError('Expected a lower-case word such as house before the equals sign.');
  }
  if (!adapters.includes(adapter) || (file.length > 0 && adapter !== TABLE)) {
    throw new SettingError(`Expected one of ${adapters.join(', ')}.`);
  }
  return { adapter, ...(isNamed && { name: first }), ...(file.length > 0 && { file: file.join('=') }) };
}

/** The adapter whose columns are read from a file that is there. */
const TABLE = 'csv';

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
  sources: readonly NewSource[],
  files: readonly NewFile[],
  { cms, feed }: InitOptions,
): readonly string[] {
  const flag = config === DEFAULT_CONFIG ? '' : ` --config ${quoteForShell(config)}`;
  const folder = dirname(config);
  const first = (sources.find(({ place }) => place === undefined) ?? sources[0])?.name ?? '';
  const others = (list: List): string => ADAPTERS[list].slice(1).join(', ');
  return [
    `${config}: written; its comments say what to make true in it. The JSON Schemas beside it explain every setting.`,
    ...(cms === undefined ? [`No --cms was given, so it reads our own JSON; others: ${others('cms')}.`] : []),
    ...(feed === undefined ? [`No --feed was given, so it reads our own CSV; others: ${others('feeds')}.`] : []),
    '',
    ...section(
      'Examples, which build as they are; remove them when you have files of your own:',
      files.filter(({ kind }) => kind === 'example').map(({ path }) => `  ${join(folder, path)}`),
    ),
    ...section(
      'Put there:',
      sources.flatMap(({ place }) =>
        place === undefined ? [] : [`  ${join(folder, place.folder)}/`, `    ${place.what}`],
      ),
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
