import type { JsonSchema } from '../../data/schema/response.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Argument, Option } from 'commander';
import fg from 'fast-glob';
import { CHEAPEST_DEAL_FIELDS, DEAL_FIELDS, PRICE_POINT_FIELDS } from '../../data/field/deal.ts';
import type { Field } from '../../data/field/field.ts';
import { SPEC_FIELDS } from '../../data/field/spec.ts';
import {
  DEAL_SORT_KEYS,
  GIFT_CATEGORY_EXPANSIONS,
  PREFIXED_EXPANSIONS,
  PRODUCT_EXPANSIONS,
  PRODUCT_SORT_KEYS,
} from '../../data/query/vocabulary.ts';
import { ENDPOINTS } from '../../data/query/endpoint.ts';
import { FILTER_KINDS, FILTERS } from '../../data/query/filter.ts';
import { RESPONSE_HEADERS } from '../../data/query/header.ts';
import { PROBLEMS } from '../../data/query/problem.ts';
import { NOTICES } from '../../data/report/notice.ts';
import { RECORD_FILES, SERVED_FILES } from '../../data/snapshot/format.ts';
import { gateSettingsSchema } from '../../build/config/gate-settings.ts';
import { GATES, type Gate } from '../../build/gate/gates.ts';
import { FIELDS, isFeedField } from '../../build/feed/fields.ts';
import { createJsonSchema } from '../../build/init/json-schema.ts';
import { listKeys, propertiesOf, type FormatKey } from './list-keys.ts';
import { EXPORT_COLUMNS, type ExportColumn } from '../../cli/export/columns.ts';
import { nameOf } from '../../cli/console/command.ts';
import { listCommands } from '../support/list-commands.ts';
import { METRICS } from '../../server/metrics/metric-table.ts';
import { groupByLicence } from '../fault/supply/production-packages.ts';

/** When an optional column is needed. */
function describeNeed(column: string): string | undefined {
  const need = isFeedField(column) ? FIELDS[column].need : undefined;
  if (need === 'product') return 'one of three';
  return need === 'allowance' ? 'unless configured' : undefined;
}

/** The pages that have tables made from the code. */
export const READMES = fg
  .sync(['{build,cli,data,server}/**/README.md', 'data/spec/*.md'], { cwd: join(import.meta.dirname, '../..') })
  .filter((name) => tablesOf(readReadme(name)).length > 0)
  .sort();

const CONFIGURATION = createJsonSchema('configuration');

/** The commands that do something: `deals keys` alone only says which there are. */
const COMMANDS = (await listCommands()).filter(({ commands }) => commands.length === 0);

/** Every table, by the name in its markers: `<!-- table: problems -->` to `<!-- end -->`. */
const TABLES: Readonly<Record<string, () => string>> = {
  endpoints: () =>
    table(
      ['path', 'parameters'],
      ENDPOINTS.map(({ path, parameters }) => [
        code(path),
        parameters.length === 0 ? 'none' : parameters.map(code).join(', '),
      ]),
    ),
  'product-expansions': () =>
    table(
      ['word', 'adds'],
      PRODUCT_EXPANSIONS.map(({ word, adds }) => [
        [word, ...PREFIXED_EXPANSIONS.filter(({ means }) => means === word).map((row) => row.word)]
          .map(code)
          .join(', also '),
        adds,
      ]),
    ),
  'gift-category-expansions': () =>
    table(
      ['word', 'adds'],
      GIFT_CATEGORY_EXPANSIONS.map(({ word, adds }) => [code(word), adds]),
    ),
  specs: () =>
    table(
      ['word', 'key', 'meaning', 'unit', 'for example'],
      listFields(SPEC_FIELDS).map(({ cells, example }, at) => [code(SPEC_FIELDS[at]?.word ?? ''), ...cells, example]),
    ),
  filters: () =>
    table(
      ['parameter', 'operators', 'effect'],
      FILTERS.map(({ name, kind, effect }) => [
        code(`filter[${name}]`),
        FILTER_KINDS[kind].operators.map(code).join(', '),
        effect,
      ]),
    ),
  sorts: () =>
    table(
      ['of', 'keys'],
      [
        [code('deals(<key>-asc|desc)'), DEAL_SORT_KEYS.map(code).join(', ')],
        [code('products(<key>-asc|desc)'), PRODUCT_SORT_KEYS.map(code).join(', ')],
      ],
    ),
  'deal-fields': () =>
    table(
      ['key', 'meaning', 'unit'],
      listFields(DEAL_FIELDS).map(({ cells }) => cells),
    ),
  'cheapest-deal-fields': () =>
    table(
      ['key', 'type', 'meaning', 'unit'],
      listFields(CHEAPEST_DEAL_FIELDS).map(({ cells: [key = '', ...rest] }, at) => [
        key,
        CHEAPEST_DEAL_FIELDS[at]?.type ?? '',
        ...rest,
      ]),
    ),
  'price-point-fields': () =>
    table(
      ['key', 'meaning', 'unit'],
      listFields(PRICE_POINT_FIELDS).map(({ cells }) => cells),
    ),
  'answer-headers': () =>
    table(
      ['header', 'says'],
      Object.entries(RESPONSE_HEADERS).map(([name, { meaning }]) => [code(name), meaning]),
    ),
  problems: () =>
    table(
      ['code', 'status', 'cause', 'cure'],
      Object.entries(PROBLEMS).map(([name, { status, cause, cure }]) => [code(name), String(status), cause, cure]),
    ),
  metrics: () =>
    table(
      ['metric', 'type', 'labels', 'meaning'],
      Object.entries(METRICS).map(([name, { type, labels, help }]) => [
        code(name),
        type,
        labels.map(code).join(', '),
        help,
      ]),
    ),
  settings: () => {
    const { cms, feeds, ...others } = propertiesOf(CONFIGURATION);
    const properties = { cms: { ...cms, items: {} }, feeds: { ...feeds, items: {} }, ...others };
    return keysTable(listKeys({ all: { ...CONFIGURATION, properties } }, 2), undefined);
  },
  'source-settings': () => {
    const { cms, feeds } = propertiesOf(CONFIGURATION);
    // A CMS and a feed may have an adapter of one name.
    const adapters = Object.entries({ '': cms, ' of a feed': feeds }).flatMap(([suffix, list]) => {
      const sources = ((list?.['items'] ?? {}) as JsonSchema)['oneOf'] as readonly JsonSchema[];
      return sources.map((source) => {
        const name = propertiesOf(source)['adapter']?.['const'] as string;
        return [name === 'csv' ? `csv${suffix || ' of a CMS'}` : name, source] as const;
      });
    });
    const keys = listKeys(Object.fromEntries(adapters), 1);
    return keysTable(
      keys.filter(({ name }) => name !== 'adapter'),
      'adapters',
    );
  },
  'catalogue-keys': () => {
    const lists = Object.entries(propertiesOf(createJsonSchema('catalogue'))).flatMap(([list, { items }]) =>
      items === undefined ? [] : [[list, items as JsonSchema]],
    );
    return keysTable(listKeys(Object.fromEntries(lists), 2), 'lists');
  },
  'deals-columns': () =>
    table(
      ['column', 'required', 'type', 'example', 'means'],
      listKeys({ deal: createJsonSchema('deal') }, 1)
        .filter(({ name }) => name !== '$schema')
        .map(({ name, isRequired, type, example, meaning }) => [
          code(name),
          describeNeed(name) ?? (isRequired ? 'yes' : 'no'),
          type,
          code(String(example)),
          meaning,
        ]),
    ),
  notices: () =>
    table(
      ['code', 'outcome', 'meaning', 'what to do'],
      Object.entries(NOTICES).map(([name, { outcome, meaning, remedy }]) => [code(name), outcome, meaning, remedy]),
    ),
  gates: () =>
    table(
      ['gate', 'looks at', 'fails when', 'limit in `gates`'],
      Object.entries<Gate>(GATES).map(([name, { of, fails, setting }]) => [
        code(name),
        of,
        fails,
        setting === undefined ? 'none' : `${code(setting)}, ${gateSettingsSchema.parse({})[setting]}`,
      ]),
    ),
  licences: () =>
    table(
      ['licence', 'packages'],
      groupByLicence().map(([licence, names]) => [licence, names.join(', ')]),
    ),
  commands: () =>
    table(
      ['command', 'does', 'options'],
      COMMANDS.map((command) => [
        code([nameOf(command), ...command.registeredArguments.map(describeArgument)].join(' ')),
        command.description(),
        command.options.map(({ long }) => code(long ?? '')).join(', '),
      ]),
    ),
  'export-columns': () =>
    table(
      ['column', 'meaning', 'unit', 'type', 'may be empty', 'for example'],
      listFields(EXPORT_COLUMNS).map(({ cells, example }, at) => [
        ...cells,
        EXPORT_COLUMNS[at]?.type ?? '',
        EXPORT_COLUMNS[at]?.isOptional === true ? 'yes' : 'no',
        example,
      ]),
    ),
  'export-sql': () =>
    fence(
      'sql',
      createTable({ text: 'TEXT', integer: 'BIGINT' }, (type) => type),
    ),
  'export-clickhouse': () =>
    fence(
      'sql',
      createTable(
        { text: 'String', integer: 'Int64' },
        (type) => `Nullable(${type})`,
        'ENGINE = MergeTree ORDER BY rank',
      ),
    ),
  options: () => table(['option', 'of', 'means', 'default', 'variable'], listOptions()),
  'snapshot-files': () =>
    table(
      ['file', 'read by'],
      [
        ...SERVED_FILES.map((name) => [code(name), 'the server']),
        ...RECORD_FILES.map((name) => [code(name), 'people']),
      ],
    ),
};

/** The table `deals` of SQL. @param writeOptional the type of a column that may be empty */
function createTable(
  types: Readonly<Record<ExportColumn['type'], string>>,
  writeOptional: (type: string) => string,
  ...end: readonly string[]
): string {
  const columns = EXPORT_COLUMNS.map(({ key, type, isOptional }) => {
    const name = types[type];
    return `  ${key} ${isOptional === true ? writeOptional(name) : name}`;
  });
  return `${[`CREATE TABLE deals (\n${columns.join(',\n')}\n)`, ...end].join(' ')};`;
}

/** @param variants what has the keys, where not all have each */
function keysTable(keys: readonly FormatKey[], variants: string | undefined): string {
  const most = Math.max(...keys.map(({ of }) => of.length));
  return table(
    ['key', ...(variants === undefined ? [] : [variants]), 'required', 'type', 'default', 'example', 'means'],
    keys.map(({ name, of, isRequired, type, byDefault, example, meaning }) => [
      code(name),
      ...(variants === undefined ? [] : [of.length === most && most > 3 ? 'all' : of.join(', ')]),
      isRequired ? 'yes' : 'no',
      type,
      byDefault === undefined ? '' : code(JSON.stringify(byDefault)),
      example === undefined ? '' : code(JSON.stringify(example)),
      meaning,
    ]),
  );
}

function describeArgument(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

/** Every option, with the commands that have it in this sense, in the order in which commands have them first. */
function listOptions(): readonly (readonly string[])[] {
  const rows = new Map<string, { readonly option: Option; readonly commands: string[] }>();
  for (const command of COMMANDS) {
    for (const option of command.options) {
      const key = [option.flags, option.description, option.defaultValueDescription, option.mandatory].join('\n');
      const row = rows.get(key) ?? { option, commands: [] };
      row.commands.push(nameOf(command).replace('deals ', ''));
      rows.set(key, row);
    }
  }
  return [...rows.values()].map(({ option, commands }) => {
    // A default that is not a value of the option stands at the end of its sentence.
    const [, meaning = '', told = ''] = /^(.*?)(?: \(default: (.*)\))?$/.exec(option.description) ?? [];
    const value: unknown = option.defaultValueDescription ?? option.defaultValue ?? told;
    // Help quotes a word of several.
    const shown = option.mandatory ? 'none: it must be given' : String(value).replaceAll('"', '');
    return [
      code(option.flags),
      commands.join(', '),
      meaning,
      shown,
      option.envVar === undefined ? '' : code(option.envVar),
    ];
  });
}

/** The text of a README with every marked table as the code has it now. */
export function withTables(text: string): string {
  return text.replaceAll(
    /(<!-- table: ([a-z-]+) -->\n)[^]*?(<!-- end -->)/g,
    (_whole, begin: string, name: string, end: string) => {
      const render = TABLES[name];
      if (render === undefined) throw new Error(`no table is called ${name}`);
      return `${begin}${render()}\n${end}`;
    },
  );
}

/** The names of the tables that a README holds. */
export function tablesOf(text: string): readonly string[] {
  return [...text.matchAll(/<!-- table: ([a-z-]+) -->/g)].map(([, name]) => name ?? '');
}

export const TABLE_NAMES = Object.keys(TABLES);

export function readReadme(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

/** Key, meaning and unit of each field, and an example. */
function listFields(
  fields: readonly Field[],
): readonly { readonly cells: readonly string[]; readonly example: string }[] {
  return fields.map(({ key, meaning, unit = '', example }) => ({
    cells: [code(key), meaning, unit],
    example: typeof example === 'string' ? example : JSON.stringify(example),
  }));
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function code(text: string): string {
  return `\`${text}\``;
}
