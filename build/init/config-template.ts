import { quote } from '../source/quote.ts';
import type { KnownColumns } from './find-columns.ts';
import { schemaPath } from './json-schema.ts';
import { CMS_TEMPLATES, FEED_TEMPLATES, type SourceTemplate } from './source-templates.ts';

export interface ChosenSource {
  readonly adapter: string;
  /** By default the usual name for the adapter. */
  readonly name?: string | undefined;
  /** In place of a folder and the settings of the template. */
  readonly own?: OwnFile | undefined;
}

/** A table that is there, with the columns that its header names. */
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

/** The templates of each kind of source, by adapter. */
export const TEMPLATES: Readonly<Record<TemplateSource['kind'], Readonly<Record<string, SourceTemplate>>>> = {
  cms: CMS_TEMPLATES,
  feed: FEED_TEMPLATES,
};

const HEAD = `// What deals build reads and publishes. An editor that knows JSON Schema explains every setting;
// data/spec/inputs.md of the program says how to begin. A line that begins with // is not read.
`;

const MAX_LISTED = 15;
const RETAILER = 'retailer';

export function planSource(kind: TemplateSource['kind'], { adapter, name, own }: ChosenSource): TemplateSource {
  const template = TEMPLATES[kind][adapter];
  if (template === undefined) throw new Error(`no template for ${adapter}`);
  const chosen = name ?? template.name;
  return { kind, adapter, name: chosen, folder: `${kind === 'cms' ? 'cms' : 'feeds'}/${chosen}`, template, own };
}

/** The text of a configuration that reads these sources. */
export function writeConfigTemplate(sources: readonly TemplateSource[]): string {
  const listOf = (kind: TemplateSource['kind']): string =>
    block('[]', sources.filter((source) => source.kind === kind).map(describeSource));
  const members = [
    `"$schema": ${JSON.stringify(`./${schemaPath('configuration')}`)}`,
    '"store": "dist/catalogue"',
    `"cms": ${listOf('cms')}`,
    `"feeds": ${listOf('feed')}`,
  ];
  return `${HEAD}${block('{}', members)}\n`;
}

/** An object or a list with a line, or several, for each member, after some comments. */
function block(brackets: '{}' | '[]', members: readonly string[], comments: readonly string[] = []): string {
  const lines = [...comments.map((text) => `// ${text}`), members.join(',\n')].join('\n');
  return lines === '' ? brackets : `${brackets[0]}\n${lines.replaceAll(/^/gm, '  ')}\n${brackets[1]}`;
}

function describeSource({ adapter, name, folder, template, own }: TemplateSource): string {
  const files = own?.files ?? `${folder}/${template.files}`;
  const head = [`"name": ${JSON.stringify(name)}`, `"adapter": "${adapter}"`, `"files": [${JSON.stringify(files)}]`];
  if (own !== undefined) return block('{}', [...head, ...describeOwnSettings(own)]);
  const { what, guesses, settings = [] } = template;
  return block('{}', [...head, settings].flat(), [
    what,
    ...(guesses === undefined ? [] : [`to be made true: ${guesses}`]),
  ]);
}

/** The settings of a table, with a comment for each that a person has to say. */
function describeOwnSettings({ settings: { columns, ...layout }, missing, left }: OwnFile): readonly string[] {
  const wanted = missing.filter((field) => field !== RETAILER).map((field) => `"${field}": "",`);
  const comments = [
    ...(wanted.length > 0 ? ['Say which column it is, and take the slashes away:', ...wanted] : []),
    ...(left.length > 0 ? [`Columns that are not read: ${listColumns(left)}`] : []),
  ];
  const known = `"columns": ${block('{}', membersOf(columns), comments)}`;
  // A feed of one retailer has no column for it.
  const constants =
    '// The retailer, by id, slug or name; take the slashes away:\n// "constants": { "retailer": "" },\n';
  return [...membersOf(layout), missing.includes(RETAILER) ? constants + known : known];
}

function membersOf(settings: object): readonly string[] {
  return Object.entries(settings).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
}

/** The first names of a list, which may be long. */
export function listColumns(names: readonly string[]): string {
  const others = names.length - MAX_LISTED;
  const listed = names.slice(0, MAX_LISTED).map((name) => quote(name));
  return [...listed, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}
