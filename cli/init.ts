import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Option } from 'commander';
import { parseConfig } from '../build/config/config.ts';
import { parseConfigText } from '../build/config/config-text.ts';
import {
  planSources,
  writeConfigTemplate,
  type ChosenSource,
  type TemplateSource,
} from '../build/init/config-template.ts';
import { planNewFiles, type NewFile } from '../build/init/new-files.ts';
import { CMS_TEMPLATES, FEED_TEMPLATES, type SourceTemplate } from '../build/init/source-templates.ts';
import { findNearestWord } from '../data/query/edit-distance.ts';
import { isErrorCode } from '../data/store/regular-file.ts';
import { quoteForShell } from '../data/snapshot/snapshot-error.ts';
import { SettingError } from '../server/settings.ts';
import { CommandError, defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { CONFIG, DEFAULT_CONFIG, option } from './console/options.ts';

type CmsChoice = ChosenSource<keyof typeof CMS_TEMPLATES>;
type FeedChoice = ChosenSource<keyof typeof FEED_TEMPLATES>;

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
  description:
    'write a configuration with every setting explained, JSON Schemas and examples, make the folders of its sources, and say what to put where',
  options: [
    choiceOption('--cms', 'an export of a CMS', CMS_TEMPLATES, 'catalogue'),
    choiceOption('--feed', 'a feed of deals', FEED_TEMPLATES, 'deals'),
    CONFIG,
  ],
  examples: [
    'deals init --config dist/first/catalogue.json',
    'deals init --cms strapi --feed awin --feed shop=csv --config dist/second/catalogue.json',
  ],
  run: init,
});

function choiceOption<Adapter extends string>(
  flag: string,
  meaning: string,
  templates: Readonly<Record<Adapter, SourceTemplate>>,
  byDefault: Adapter,
): Option {
  return option(
    `${flag} <[name=]adapter>`,
    `${meaning}: ${Object.keys(templates).join(', ')}; may be repeated (default: ${byDefault})`,
    (text) => parseChoices(text, templates),
  );
}

async function init({ output }: Context, options: InitOptions): Promise<ExitCode> {
  const { cms = DEFAULT_CMS, feed: feeds = DEFAULT_FEEDS, config = DEFAULT_CONFIG } = options;
  const sources = planSources({ cms, feeds });
  const folder = dirname(config);
  const text = writeConfigTemplate(sources);
  // Two sources may have been given the same name.
  parseConfig(config, parseConfigText(config, text));
  await mkdir(folder, { recursive: true });
  if (!(await writeNew(config, text))) {
    throw new CommandError(
      EXIT.usage,
      `${config}: is there already, and stays as it is; name another with --config, or remove it first`,
    );
  }
  for (const source of sources) await mkdir(join(folder, source.folder), { recursive: true });
  const files = planNewFiles(sources);
  for (const { path, kind, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    // An example never overwrites a file.
    if (kind === 'schema') await writeFile(join(folder, path), content);
    else await writeNew(join(folder, path), content);
  }
  output.lines(describeWritten(config, folder, sources, files, options));
  return EXIT.ok;
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
  folder: string,
  sources: readonly TemplateSource[],
  files: readonly NewFile[],
  { cms, feed }: InitOptions,
): readonly string[] {
  const flag = config === DEFAULT_CONFIG ? '' : ` --config ${quoteForShell(config)}`;
  const first = sources[0]?.name ?? '';
  const examples = files.filter(({ kind }) => kind === 'example');
  const guesses = sources.filter(({ template }) => template.guesses !== undefined);
  return [
    `${config}: written, with every setting explained.`,
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
      sources.flatMap(({ folder: own, template }) => [`  ${join(folder, own)}/`, `    ${template.what}`]),
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

/** Reads `awin`, `house` (the usual name of `deals`), `shop=csv`, and several of them separated by commas. */
function parseChoices<Adapter extends string>(
  text: string,
  templates: Readonly<Record<Adapter, SourceTemplate>>,
): readonly ChosenSource<Adapter>[] {
  return text.split(',').map((part) => {
    const [before = '', after] = part.trim().split('=', 2);
    const wanted = after ?? before;
    const adapter = findAdapter(wanted, templates);
    if (after === undefined) return { adapter };
    if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(before)) {
      throw new SettingError('Expected a lower-case word such as house before the equals sign.');
    }
    return { adapter, name: before };
  });
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
