import { quote } from '../source/quote.ts';
import type { KnownColumns } from './find-columns.ts';
import { schemaPath } from './json-schema.ts';
import {
  CMS_TEMPLATES,
  FEED_TEMPLATES,
  type CmsAdapterName,
  type FeedAdapterName,
  type SourceTemplate,
} from './source-templates.ts';

export interface ChosenSource<Adapter extends string> {
  readonly adapter: Adapter;
  /** By default the usual name for the adapter. */
  readonly name?: string | undefined;
  /** In place of a folder and the settings of the template. */
  readonly own?: OwnFile | undefined;
}

/** A file that is there, with the columns that its header names. */
export interface OwnFile extends KnownColumns {
  /** A glob, relative to the configuration. */
  readonly files: string;
}

export interface TemplateSource {
  readonly kind: 'cms' | 'feed';
  readonly adapter: string;
  readonly name: string;
  /** Relative to the configuration. */
  readonly folder: string;
  readonly template: SourceTemplate;
  readonly own: OwnFile | undefined;
}

const HEAD = `// What deals build reads and publishes. An editor that knows JSON Schema explains every setting;
// data/spec/inputs.md of the program says how to begin. A line that begins with // is not read.
`;

const MAX_LISTED = 15;
const RETAILER = 'retailer';
const INDENT = '  ';

/** The longest object or list on one line. */
const MAX_COMPACT = 90;

export function planSources(choice: {
  readonly cms: readonly ChosenSource<CmsAdapterName>[];
  readonly feeds: readonly ChosenSource<FeedAdapterName>[];
}): readonly TemplateSource[] {
  const taken = new Set([...choice.cms, ...choice.feeds].flatMap(({ name }) => name ?? []));
  const plan = (
    kind: TemplateSource['kind'],
    { adapter, own, ...chosen }: ChosenSource<string>,
    template: SourceTemplate,
  ): TemplateSource => {
    const name = chosen.name ?? freeName(template.name, taken);
    taken.add(name);
    return { kind, adapter, name, folder: `${kind === 'cms' ? 'cms' : 'feeds'}/${name}`, template, own };
  };
  return [
    ...choice.cms.map((chosen) => plan('cms', chosen, CMS_TEMPLATES[chosen.adapter])),
    ...choice.feeds.map((chosen) => plan('feed', chosen, FEED_TEMPLATES[chosen.adapter])),
  ];
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let count = 2; ; count++) {
    if (!taken.has(`${name}-${count}`)) return `${name}-${count}`;
  }
}

/** The text of a configuration that reads these sources. */
export function writeConfigTemplate(sources: readonly TemplateSource[]): string {
  const listOf = (kind: TemplateSource['kind']): readonly object[] =>
    sources.filter((source) => source.kind === kind).map(describeSource);
  const config = {
    $schema: `./${schemaPath('configuration')}`,
    store: 'dist/catalogue',
    cms: listOf('cms'),
    feeds: listOf('feed'),
  };
  return `${HEAD}${formatJson(config)}\n`;
}

function describeSource({ adapter, name, folder, template, own }: TemplateSource): object {
  const { what, guesses, files, settings } = template;
  if (own === undefined) {
    const texts = guesses === undefined ? [what] : [what, `to be made true: ${guesses}`];
    return { ...commentsOf(texts), name, adapter, files: [`${folder}/${files}`], ...settings };
  }
  const { columns, ...layout } = own.settings;
  const wanted = own.missing.filter((field) => field !== RETAILER).map((field) => `"${field}": "",`);
  const texts = [
    ...(wanted.length > 0 ? ['Say which column it is, and take the slashes away:', ...wanted] : []),
    ...(own.left.length > 0 ? [`Columns that are not read: ${listColumns(own.left)}`] : []),
  ];
  return {
    name,
    adapter,
    files: [own.files],
    ...layout,
    // A feed of one retailer has no column for it.
    ...(own.missing.includes(RETAILER) &&
      commentsOf(['The retailer, by id, slug or name; take the slashes away:', `"constants": { "retailer": "" },`])),
    columns: { ...commentsOf(texts), ...columns },
  };
}

/** The first names of a list, which may be long. */
export function listColumns(names: readonly string[]): string {
  const others = names.length - MAX_LISTED;
  const listed = names.slice(0, MAX_LISTED).map((name) => quote(name));
  return [...listed, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

/** Members that become comments; the last member of an object is none of them. */
function commentsOf(texts: readonly string[]): object {
  return Object.fromEntries(texts.map((text) => [`// ${text}`, '']));
}

/** Compact where it fits on a line. */
function formatJson(value: unknown): string {
  const compact = JSON.stringify(value, undefined, 1)
    .replaceAll(/\n */g, ' ')
    .replaceAll(/(?<=\[) | (?=\])/g, '');
  if (typeof value !== 'object' || value === null || (compact.length <= MAX_COMPACT && !compact.includes('"// ')))
    return compact;
  const lines = Object.entries(value).map(([key, member]) => {
    if (key.startsWith('// ')) return key;
    return Array.isArray(value) ? formatJson(member) : `${JSON.stringify(key)}: ${formatJson(member)}`;
  });
  const members = lines.map((line, i) => (line.startsWith('// ') || i === lines.length - 1 ? line : `${line},`));
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.join('\n').replaceAll(/^/gm, INDENT)}\n${close}`;
}
