import type { JsonSchema } from '../../data/schema/response.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Argument, Option } from 'commander';
import fg from 'fast-glob';
import {
  DEAL_SORT_KEYS,
  PREFIXED_EXPANSIONS,
  PRODUCT_EXPANSIONS,
  PRODUCT_SORT_KEYS,
} from '../../data/query/vocabulary.ts';
import { ENDPOINTS } from '../../data/query/endpoint.ts';
import { FILTER_KINDS, FILTERS } from '../../data/query/filter.ts';
import { PROBLEMS } from '../../data/query/problem.ts';
import { NOTICES, OUTCOMES } from '../../data/report/notice.ts';
import { RECORD_FILES, SERVED_FILES } from '../../data/snapshot/format.ts';
import { gateSettingsSchema } from '../../build/config/gate-settings.ts';
import { GATES, type Gate } from '../../build/gate/gates.ts';
import { FIELDS, isFeedField } from '../../build/feed/fields.ts';
import { createJsonSchema } from '../../build/init/json-schema.ts';
import { listKeys, propertiesOf, type FormatKey } from './list-keys.ts';
import { EXPORT_COLUMNS } from '../../cli/export/columns.ts';
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

/** The notices of each outcome. */
const NOTICE_TABLES = Object.fromEntries(
  OUTCOMES.map((outcome) => [
    `notices-${outcome}`,
    (): string =>
      table(
        ['code', 'meaning'],
        Object.entries(NOTICES).flatMap(([name, notice]) =>
          notice.outcome === outcome ? [[code(name), notice.meaning]] : [],
        ),
      ),
  ]),
);

/** Every table, by the name in its markers: `<!-- table: problems -->` to `<!-- end -->`. */
const TABLES: Readonly<Record<string, () => string>> = {
  ...NOTICE_TABLES,
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
  filters: () =>
    table(
      ['name', 'selects', 'values', 'operators'],
      FILTERS.map(({ name, on, kind }) => [
        code(name),
        `${on}s`,
        FILTER_KINDS[kind].words?.map(({ word }) => code(word)).join(', ') ?? FILTER_KINDS[kind].what,
        FILTER_KINDS[kind].operators.map(code).join(', '),
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
  problems: () => {
    const codes = Object.entries(PROBLEMS);
    const statuses = [...new Set(codes.map(([, { status }]) => status))].sort((a, b) => a - b);
    return table(
      ['status', 'codes'],
      statuses.map((status) => [
        String(status),
        codes.flatMap(([name, problem]) => (problem.status === status ? [code(name)] : [])).join(', '),
      ]),
    );
  },
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
    return table(
      ['key', 'lists', 'means'],
      withoutParents(listKeys(Object.fromEntries(lists), 2)).map(({ name, of, isRequired, meaning }) => [
        code(name),
        of.join(', '),
        isRequired ? `**required**: ${meaning}` : meaning,
      ]),
    );
  },
  'deals-columns': () =>
    table(
      ['column', 'required', 'example', 'means'],
      listKeys({ deal: createJsonSchema('deal') }, 1)
        .filter(({ name }) => name !== '$schema')
        .map(({ name, isRequired, example, meaning }) => [
          code(name),
          describeNeed(name) ?? (isRequired ? 'yes' : ''),
          code(String(example)),
          meaning,
        ]),
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
      ['command', 'does'],
      COMMANDS.map((command) => [
        code([nameOf(command), ...command.registeredArguments.map(describeArgument)].join(' ')),
        command.description(),
      ]),
    ),
  'export-columns': () =>
    table(
      ['column', 'type', 'meaning'],
      EXPORT_COLUMNS.map(({ key, type, unit, isOptional, meaning }) => [
        code(key),
        isOptional === true ? `${type} or empty` : type,
        unit === undefined ? meaning : `${meaning}; ${unit}`,
      ]),
    ),
  'export-sql': () => {
    const columns = EXPORT_COLUMNS.map(({ key, type }) => `  ${key} ${type === 'text' ? 'TEXT' : 'BIGINT'}`);
    return `\`\`\`sql\nCREATE TABLE deals (\n${columns.join(',\n')}\n);\n\`\`\``;
  },
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

/** @param variants what has the keys, where not all have each */
function keysTable(keys: readonly FormatKey[], variants: string | undefined): string {
  const most = Math.max(...keys.map(({ of }) => of.length));
  return table(
    ['key', ...(variants === undefined ? [] : [variants]), 'default', 'means'],
    withoutParents(keys).map(({ name, of, isRequired, byDefault, meaning }) => [
      code(name),
      ...(variants === undefined ? [] : [of.length === most && most > 3 ? 'all' : of.join(', ')]),
      isRequired ? 'required' : byDefault === undefined ? '' : code(JSON.stringify(byDefault)),
      meaning,
    ]),
  );
}

/** Without the objects whose own keys are listed. */
function withoutParents(keys: readonly FormatKey[]): readonly FormatKey[] {
  return keys.filter(({ name }) => !keys.some((key) => key.name.startsWith(`${name}.`)));
}

function describeArgument(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

/** Every option that has a variable, with the commands that have it in this sense. */
function listOptions(): readonly (readonly string[])[] {
  const rows = new Map<string, { readonly option: Option; readonly commands: string[] }>();
  for (const command of COMMANDS) {
    for (const option of command.options) {
      if (option.envVar === undefined) continue;
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
      commands.length > 8 ? 'most' : commands.join(', '),
      meaning,
      shown,
      code(option.envVar ?? ''),
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

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
