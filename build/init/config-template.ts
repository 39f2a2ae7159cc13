import { z } from 'zod';
import { configSchema } from '../config/config.ts';
import { unwrapSchema } from '../source/schema-errors.ts';
import { schemaPath } from './json-schema.ts';
import {
  CMS_TEMPLATES,
  FEED_TEMPLATES,
  type CmsAdapterName,
  type FeedAdapterName,
  type SourceTemplate,
} from './source-templates.ts';
import { cmsSourceSchema, feedSchema } from '../registry.ts';

export interface ChosenSource<Adapter extends string> {
  readonly adapter: Adapter;
  /** By default the usual name for the adapter. */
  readonly name?: string;
}

export interface TemplateSource {
  readonly kind: 'cms' | 'feed';
  readonly adapter: string;
  readonly name: string;
  /** Relative to the configuration. */
  readonly folder: string;
  readonly template: SourceTemplate;
}

export interface TemplateChoice {
  readonly cms: readonly ChosenSource<CmsAdapterName>[];
  readonly feeds: readonly ChosenSource<FeedAdapterName>[];
}

const INDENT = '  ';

/** A comment follows its setting on the same line up to this length. */
const MAX_LINE = 110;

const HEAD = [
  '// The configuration of deals build: what is read, and what may be published. All of it is told in build/README.md.',
  '// A line that begins with // is not read. Where a setting stands in it, that is its default or an example: take the',
  '// slashes away to set it.',
];

export function planSources({ cms, feeds }: TemplateChoice): readonly TemplateSource[] {
  const taken = new Set([...cms, ...feeds].flatMap(({ name }) => name ?? []));
  const plan = (
    kind: TemplateSource['kind'],
    { adapter, name }: ChosenSource<string>,
    template: SourceTemplate,
  ): TemplateSource => {
    const own = name ?? freeName(template.name, taken);
    taken.add(own);
    return { kind, adapter, name: own, folder: `${kind === 'cms' ? 'cms' : 'feeds'}/${own}`, template };
  };
  return [
    ...cms.map((chosen) => plan('cms', chosen, CMS_TEMPLATES[chosen.adapter])),
    ...feeds.map((chosen) => plan('feed', chosen, FEED_TEMPLATES[chosen.adapter])),
  ];
}

/** The text of a configuration that reads these sources, with every setting. */
export function writeConfigTemplate(sources: readonly TemplateSource[]): string {
  const { shape } = configSchema;
  const lists = {
    cms: sources.filter(({ kind }) => kind === 'cms'),
    feeds: sources.filter(({ kind }) => kind === 'feed'),
  };
  const { cms: _, feeds: __, ...others } = shape;
  const settings = Object.entries(others).flatMap(([name, schema]) =>
    name === 'store' || name === '$schema' ? [] : ['', ...writeComment(meaningOf(schema)), ...writeGroup(name, schema)],
  );
  return toText([
    ...HEAD,
    '{',
    ...indent([
      ...writeComment(meaningOf(shape.$schema)),
      ...writeMember('$schema', `./${schemaPath('configuration')}`, ','),
      '',
      ...writeList('cms', meaningOf(shape.cms), lists.cms),
      '',
      ...writeList('feeds', meaningOf(shape.feeds), lists.feeds),
      ...settings,
      '',
      ...writeComment(meaningOf(shape.store)),
      ...writeMember('store', shape.store.parse(undefined), ''),
    ]),
    '}',
  ]);
}

function writeList(name: string, meaning: string, sources: readonly TemplateSource[]): readonly string[] {
  const items = sources.flatMap((source, index) => [
    '{',
    ...indent(writeSource(source)),
    index === sources.length - 1 ? '}' : '},',
  ]);
  return [...writeComment(meaning), `${JSON.stringify(name)}: [`, ...indent(items), '],'];
}

function writeSource({ kind, adapter, name, folder, template }: TemplateSource): readonly string[] {
  const { what, guesses, settings, files } = template;
  return [
    ...writeComment(what),
    ...(guesses === undefined ? [] : writeComment(`to be made true: ${guesses}`)),
    ...writeSettings(schemaOf(kind, adapter), { name, adapter, files: [`${folder}/${files}`], ...settings }),
  ];
}

/** The settings of a source with this adapter: name and adapter first. */
function schemaOf(kind: TemplateSource['kind'], adapter: string): z.ZodObject {
  const options: readonly z.ZodObject[] = (kind === 'cms' ? cmsSourceSchema : feedSchema).options;
  const found = options.find(({ shape }) => (shape['adapter'] as z.ZodType).safeParse(adapter).success);
  if (found === undefined) throw new Error(`no schema for the adapter ${adapter}`);
  const { name, adapter: adapterSchema, ...others } = found.shape;
  return z.object({ name: name as z.ZodType, adapter: adapterSchema as z.ZodType, ...others });
}

/** A group of settings, all of them as comments. */
function writeGroup(name: string, schema: z.ZodType): readonly string[] {
  const inner = unwrapSchema(schema);
  if (!(inner instanceof z.ZodObject))
    return writeSettings(z.object({ [name]: schema }), {}, { meanings: { [name]: '' } });
  const members = writeSettings(
    inner,
    {},
    {
      // The defaults of a group are those of its settings, or its own.
      defaults: schema.parse(undefined) as Readonly<Record<string, unknown>>,
    },
  );
  return [`// ${JSON.stringify(name)}: {`, ...withoutLastComma(members).map(deeper), '// },'];
}

function withoutLastComma(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.startsWith('// "') || line.startsWith('// }'));
  return lines.map((line, i) => (i === last ? withoutComma(line) : line));
}

/** A line without the comma at its end, or before the comment at its end. */
function withoutComma(line: string): string {
  const beforeComment = line.indexOf(', // ');
  if (beforeComment !== -1) return line.slice(0, beforeComment) + line.slice(beforeComment + 1);
  return line.endsWith(',') ? line.slice(0, -1) : line;
}

/** Indents a line of a commented group; a comment in it stays one when the group is set. */
function deeper(line: string): string {
  return /^\/\/ ["{}[\]]/.test(line) ? line.replace(/^\/\/ /, '//   ') : `//   ${line}`;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let count = 2; ; count++) {
    if (!taken.has(`${name}-${count}`)) return `${name}-${count}`;
  }
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

interface SettingTexts {
  /** The descriptions of settings that have none in the schema. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** The defaults of settings that have none in the schema. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

/** The lines of an object of settings: `values` are set, all other settings of `schema` are comments. */
function writeSettings(
  schema: z.ZodObject,
  values: Readonly<Record<string, unknown>>,
  { meanings = {}, defaults = {} }: SettingTexts = {},
): readonly string[] {
  const names = Object.keys(schema.shape);
  const set = names.filter((name) => name in values);
  const lastSet = set.at(-1);
  const unset = names.filter((name) => !(name in values));
  // Every line but the last ends with a comma, and the last is a set one: so any comment may become a setting.
  const ordered = [...set.slice(0, -1), ...unset, ...(lastSet === undefined ? [] : [lastSet])];
  return ordered.flatMap((name) => {
    const setting = schema.shape[name] as z.ZodType;
    const meaning = meanings[name] ?? meaningOf(setting);
    if (!(name in values)) {
      const example = exampleOf(setting) ?? defaults[name];
      return asComment(withMeaning(writeMember(name, example, ','), meaning));
    }
    return withMeaning(writeMember(name, values[name], name === lastSet ? '' : ','), meaning);
  });
}

/** The lines of `"name": value`. */
function writeMember(name: string, value: unknown, end: string): readonly string[] {
  return `${JSON.stringify(name)}: ${formatJson(value)}${end}`.split('\n');
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `${INDENT}${line}`);
}

export function meaningOf(schema: z.ZodType): string {
  return z.globalRegistry.get(schema)?.description ?? '';
}

/** The value of a setting in a comment: an example, or else the default. */
function exampleOf(schema: z.ZodType): unknown {
  const examples = z.globalRegistry.get(schema)?.examples as readonly unknown[] | undefined;
  return examples?.[0] ?? defaultOf(schema);
}

function defaultOf(schema: z.ZodType): unknown {
  const found = schema.safeParse(undefined);
  return found.success ? found.data : undefined;
}

/** Compact where it fits on a line. */
function formatJson(value: unknown): string {
  const compact = JSON.stringify(value, undefined, 1)
    .replaceAll(/\n */g, ' ')
    .replaceAll(/\[ | \]/g, (bracket) => bracket.trim());
  if (compact.length <= 70) return compact;
  const lines = (members: readonly string[]): string => members.map((member) => `\n${INDENT}${member}`).join(',');
  const inner = (member: unknown): string => formatJson(member).replaceAll('\n', `\n${INDENT}`);
  if (Array.isArray(value)) return `[${lines(value.map(inner))}\n]`;
  const members = Object.entries(value as object).map(([name, member]) => `${JSON.stringify(name)}: ${inner(member)}`);
  return `{${lines(members)}\n}`;
}

function withMeaning(lines: readonly string[], meaning: string): readonly string[] {
  if (meaning === '') return lines;
  const [first = '', ...others] = lines;
  const commented = `${first} // ${meaning}`;
  return commented.length <= MAX_LINE ? [commented, ...others] : [...writeComment(meaning), ...lines];
}

/** A sentence as lines of comment. */
function writeComment(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '//';
  for (const word of `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.split(' ')) {
    if (line.length + 1 + word.length > MAX_LINE) {
      lines.push(line);
      line = '//';
    }
    line = `${line} ${word}`;
  }
  return [...lines, line];
}

/** The lines as comments; existing comments stay unchanged. */
function asComment(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line.startsWith('//') ? line : `// ${line}`));
}
