import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import fg from 'fast-glob';
import { gateSettingsSchema } from '../../build/config/config.ts';
import { FIELDS, isFeedField } from '../../build/feed/fields.ts';
import { GATES, type Gate } from '../../build/gate/gates.ts';
import { createJsonSchema } from '../../build/init/json-schema.ts';
import { nameOf } from '../../cli/console/command.ts';
import { EXPORT_COLUMNS } from '../../cli/export.ts';
import { ENDPOINTS } from '../../data/query/endpoint.ts';
import { FILTER_KINDS, FILTERS } from '../../data/query/filter.ts';
import { PROBLEMS } from '../../data/query/problem.ts';
import {
  DEAL_SORT_KEYS,
  PREFIXED_EXPANSIONS,
  PRODUCT_EXPANSIONS,
  PRODUCT_SORT_KEYS,
} from '../../data/query/vocabulary.ts';
import { NOTICES, OUTCOMES } from '../../data/report/notice.ts';
import type { JsonSchema } from '../../data/schema/response.ts';
import { RECORD_FILES, SERVED_FILES } from '../../data/snapshot/format.ts';
import { METRICS } from '../../server/metrics.ts';
import { groupByLicence } from '../fault/supply/production-packages.ts';
import { listCommands } from '../support/list-commands.ts';

type Rows = readonly (readonly string[])[];

const code = (text: string): string => `\`${text}\``;
const codes = (words: readonly string[]): string => words.map(code).join(', ');

/** The commands that do something: `deals keys` alone only says which there are. */
const COMMANDS = (await listCommands()).filter(({ commands }) => commands.length === 0);

const CONFIGURATION = createJsonSchema('configuration');

/**
 * Every table by the name in its markers, `<!-- table: problems -->` to `<!-- end -->`: its header, and its rows. One that is SQL
 * has a text.
 */
const TABLES: Readonly<Record<string, readonly [header: string, rows: () => Rows] | (() => string)>> = {
  ...Object.fromEntries(
    OUTCOMES.map((outcome) => [
      `notices-${outcome}`,
      [
        'code | meaning',
        () =>
          Object.entries(NOTICES).flatMap(([name, notice]) =>
            notice.outcome === outcome ? [[code(name), notice.meaning]] : [],
          ),
      ],
    ]),
  ),
  endpoints: [
    'path | parameters',
    () => ENDPOINTS.map(({ path, parameters }) => [code(path), codes(parameters) || 'none']),
  ],
  'product-expansions': [
    'word | adds',
    () =>
      PRODUCT_EXPANSIONS.map(({ word, adds }) => {
        const prefixed = PREFIXED_EXPANSIONS.filter(({ means }) => means === word);
        return [[word, ...prefixed.map((row) => row.word)].map(code).join(', also '), adds];
      }),
  ],
  filters: [
    'name | selects | values | operators',
    () =>
      FILTERS.map(({ name, on, kind }) => {
        const { words, what, operators } = FILTER_KINDS[kind];
        return [
          code(name),
          `${on}s`,
          words === undefined ? what : codes(words.map(({ word }) => word)),
          codes(operators),
        ];
      }),
  ],
  sorts: [
    'of | keys',
    () => [
      [code('deals(<key>-asc|desc)'), codes(DEAL_SORT_KEYS)],
      [code('products(<key>-asc|desc)'), codes(PRODUCT_SORT_KEYS)],
    ],
  ],
  problems: [
    'status | codes',
    () => {
      const problems = Object.entries(PROBLEMS).sort(([, a], [, b]) => a.status - b.status);
      return [...new Set(problems.map(([, { status }]) => status))].map((status) => [
        String(status),
        codes(problems.flatMap(([name, problem]) => (problem.status === status ? [name] : []))),
      ]);
    },
  ],
  metrics: [
    'metric | type | labels | meaning',
    () => Object.entries(METRICS).map(([name, { type, labels, help }]) => [code(name), type, codes(labels), help]),
  ],
  settings: [
    'key | default | means',
    () => {
      const { cms, feeds, ...others } = propertiesOf(CONFIGURATION);
      const properties = { cms: { ...cms, items: {} }, feeds: { ...feeds, items: {} }, ...others };
      const keys = listKeys({ all: { ...CONFIGURATION, properties } }, 2);
      return keys.map((key) => [code(key.name), describeDefault(key), key.meaning]);
    },
  ],
  'source-settings': ['key | adapters | default | means', listSourceSettings],
  'catalogue-keys': [
    'key | lists | means',
    () => {
      const lists = Object.entries(propertiesOf(createJsonSchema('catalogue'))).flatMap(([list, { items }]) =>
        items === undefined ? [] : [[list, items as JsonSchema]],
      );
      return listKeys(Object.fromEntries(lists), 2).map(({ name, of, isRequired, meaning }) => [
        code(name),
        of.join(', '),
        isRequired ? `**required**: ${meaning}` : meaning,
      ]);
    },
  ],
  'deals-columns': [
    'column | required | example | means',
    () =>
      listKeys({ deal: createJsonSchema('deal') }, 1)
        .filter(({ name }) => name !== '$schema')
        .map((key) => [code(key.name), describeNeed(key), code(String(key.example)), key.meaning]),
  ],
  gates: [
    'gate | looks at | fails when | limit in `gates`',
    () => {
      const limits = gateSettingsSchema.parse({});
      return Object.entries<Gate>(GATES).map(([name, { of, fails, setting }]) => [
        code(name),
        of,
        fails,
        setting === undefined ? 'none' : `${code(setting)}, ${limits[setting]}`,
      ]);
    },
  ],
  licences: ['licence | packages', () => groupByLicence().map(([licence, names]) => [licence, names.join(', ')])],
  commands: ['command | does', () => COMMANDS.map((command) => [code(describeUse(command)), command.description()])],
  'export-columns': [
    'column | type | meaning',
    () =>
      EXPORT_COLUMNS.map(({ key, type, unit, isOptional, meaning }) => [
        code(key),
        isOptional === true ? `${type} or empty` : type,
        unit === undefined ? meaning : `${meaning}; ${unit}`,
      ]),
  ],
  'export-sql': () => {
    const columns = EXPORT_COLUMNS.map(({ key, type }) => `  ${key} ${type === 'text' ? 'TEXT' : 'BIGINT'}`);
    return `\`\`\`sql\nCREATE TABLE deals (\n${columns.join(',\n')}\n);\n\`\`\``;
  },
  options: ['option | of | means | default | variable', listOptions],
  'snapshot-files': [
    'file | read by',
    () => [
      ...SERVED_FILES.map((name) => [code(name), 'the server']),
      ...RECORD_FILES.map((name) => [code(name), 'people']),
    ],
  ],
};

export const TABLE_NAMES = Object.keys(TABLES);

/** A key of a format, for people. */
interface FormatKey {
  /** `content.heading` */
  readonly name: string;
  /** The variants of the object that have it in this way: lists of records, adapters. */
  readonly of: readonly string[];
  readonly isRequired: boolean;
  readonly byDefault: unknown;
  readonly example: unknown;
  readonly meaning: string;
}

/** The keys of the variants of an object, by their schemas; what several have alike is one key. */
function listKeys(variants: Readonly<Record<string, JsonSchema>>, depth: number): readonly FormatKey[] {
  const keys = new Map<string, FormatKey>();
  for (const [variant, schema] of Object.entries(variants)) {
    for (const key of keysOf(schema, '', depth)) {
      const same = JSON.stringify(key);
      keys.set(same, { ...key, of: [...(keys.get(same)?.of ?? []), variant] });
    }
  }
  return [...keys.values()];
}

/** The keys of an object, and in the place of an object within it its own keys. */
function keysOf(schema: JsonSchema, prefix: string, depth: number): readonly Omit<FormatKey, 'of'>[] {
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(propertiesOf(schema)).flatMap(([key, inner]) => {
    const items = inner['items'] as JsonSchema | undefined;
    const name = `${prefix}${key}`;
    const nested = depth === 1 ? [] : keysOf(items ?? inner, `${name}${items === undefined ? '' : '[]'}.`, depth - 1);
    const own = {
      name,
      isRequired: required.includes(key),
      byDefault: inner['default'],
      example: (inner['examples'] as readonly unknown[] | undefined)?.[0],
      meaning: (inner['description'] ?? '') as string,
    };
    return nested.length > 0 && items === undefined ? nested : [own, ...nested];
  });
}

/** The schemas of the keys of an object. */
function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

/** The keys of a source by the adapters that have them. */
function listSourceSettings(): Rows {
  const { cms, feeds } = propertiesOf(CONFIGURATION);
  // A CMS and a feed may have an adapter of one name.
  const adapters = Object.entries({ 'of a CMS': cms, 'of a feed': feeds }).flatMap(([kind, list]) => {
    const sources = ((list?.['items'] ?? {}) as JsonSchema)['oneOf'] as readonly JsonSchema[];
    return sources.map((source) => {
      const name = propertiesOf(source)['adapter']?.['const'] as string;
      return [name === 'csv' ? `csv ${kind}` : name, source] as const;
    });
  });
  const keys = listKeys(Object.fromEntries(adapters), 1).filter(({ name }) => name !== 'adapter');
  const ofAll = Math.max(...keys.map(({ of }) => of.length));
  return keys.map((key) => [
    code(key.name),
    key.of.length === ofAll ? 'all' : key.of.join(', '),
    describeDefault(key),
    key.meaning,
  ]);
}

/** Every option that has a variable, with the commands that have it in this sense. */
function listOptions(): Rows {
  const rows = new Map<string, { readonly option: Option; readonly commands: string[] }>();
  for (const command of COMMANDS) {
    for (const option of command.options.filter(({ envVar }) => envVar !== undefined)) {
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
    const of = commands.length > 8 ? 'most' : commands.join(', ');
    return [code(option.flags), of, meaning, shown, code(option.envVar ?? '')];
  });
}

/** The command with its arguments. */
function describeUse(command: Command): string {
  const words = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`));
  return [nameOf(command), ...words].join(' ');
}

function describeDefault({ isRequired, byDefault }: FormatKey): string {
  if (isRequired) return 'required';
  return byDefault === undefined ? '' : code(JSON.stringify(byDefault));
}

/** When a column is needed. */
function describeNeed({ name, isRequired }: FormatKey): string {
  const need = isFeedField(name) ? FIELDS[name].need : undefined;
  if (need === 'product') return 'one of three';
  if (need === 'allowance') return 'unless configured';
  return isRequired ? 'yes' : '';
}

function writeTable(header: string, rows: () => Rows): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const heads = header.split(' | ');
  return [line(heads), line(heads.map(() => '---')), ...rows().map(line)].join('\n');
}

/** The text of a page with every marked table as the code has it now. */
export function withTables(text: string): string {
  return text.replaceAll(
    /(<!-- table: ([a-z-]+) -->\n)[^]*?(<!-- end -->)/g,
    (_whole, begin: string, name: string, end: string) => {
      const table = TABLES[name];
      if (table === undefined) throw new Error(`no table is called ${name}`);
      return `${begin}${typeof table === 'function' ? table() : writeTable(...table)}\n${end}`;
    },
  );
}

/** The names of the tables that a page holds. */
export function tablesOf(text: string): readonly string[] {
  return [...text.matchAll(/<!-- table: ([a-z-]+) -->/g)].map(([, name]) => name ?? '');
}

export function readReadme(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

/** The pages that have tables made from the code. */
export const READMES = fg
  .sync(['{build,cli,data,server}/**/README.md', 'data/spec/*.md'], { cwd: join(import.meta.dirname, '../..') })
  .filter((name) => tablesOf(readReadme(name)).length > 0)
  .sort();
