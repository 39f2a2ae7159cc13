import type { CmsSourceConfig, FeedConfig } from '../registry.ts';
import { quote } from '../source/quote.ts';
import type { KnownColumns } from './find-columns.ts';

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
  /** In place of the folder and the settings of the template. */
  readonly own?: OwnFile | undefined;
}

const HEAD = `// What deals build reads and publishes. An editor that knows JSON Schema explains every setting;
// data/spec/inputs.md of the program says how to begin. A line that begins with // is not read.
`;

const MAX_LISTED = 15;
const RETAILER = 'retailer';

/** @param name by default the usual one for the adapter, which has a template */
export function planSource(
  kind: TemplateSource['kind'],
  { adapter, name, own }: Pick<TemplateSource, 'adapter' | 'own'> & { readonly name?: string | undefined },
): TemplateSource {
  const template = (TEMPLATES[kind] as Readonly<Record<string, SourceTemplate>>)[adapter] as SourceTemplate;
  const chosen = name ?? template.name;
  return { kind, adapter, name: chosen, folder: `${kind === 'cms' ? 'cms' : 'feeds'}/${chosen}`, template, own };
}

/** The text of a configuration that reads these sources. */
export function writeConfigTemplate(sources: readonly TemplateSource[]): string {
  const listOf = (kind: TemplateSource['kind']): string =>
    block('[]', sources.filter((source) => source.kind === kind).map(describeSource));
  const members = [
    '"$schema": "./schema/configuration.schema.json"',
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

/** The extensions of packed files. */
const PACKED = '{,.gz,.zip,.br}';

interface SourceTemplate {
  /** The usual name of such a source. */
  readonly name: string;
  /** A glob in the folder of the source. */
  readonly files: string;
  readonly what: string;
  /** The settings that the adapter needs, as the JSON of a configuration. */
  readonly settings?: string;
  /** The settings that are guesses, which the user has to correct. */
  readonly guesses?: string;
}

/** A mapping with ids that are made from a field that never changes, for a CMS without stable numeric ids. */
function mappingWithIds(path: string): string {
  const lists = ['products', 'giftCategories', 'gifts', 'networks', 'retailers'].map(
    (list) => `  "${list}": { "fields": { "id": { "hashed": "${path}" } } },\n`,
  );
  return `"mapping": {\n${lists.join('')}  "manufacturers": {}\n}`;
}

/** The templates of each kind of source, by adapter. */
export const TEMPLATES = {
  cms: {
    catalogue: {
      name: 'site',
      files: `*.json${PACKED}`,
      what: 'JSON in our own format: products, giftCategories, gifts, networks, retailers, manufacturers; pictures next to it',
    },
    strapi: {
      name: 'site',
      files: `*.tar${PACKED}`,
      what: 'one export of Strapi 4 or 5, as strapi export --no-encrypt makes it',
      settings: mappingWithIds('documentId'),
      guesses:
        'mapping: the types and fields of your content model; Strapi 4 has no documentId, so map id to a number of your own',
    },
    contentful: {
      name: 'site',
      files: `*.json${PACKED}`,
      what: 'one file of contentful space export',
      settings: mappingWithIds('sys.id'),
      guesses: 'mapping: the types and fields of your content model',
    },
    wordpress: {
      name: 'site',
      files: `*.xml${PACKED}`,
      what: 'the files of Tools, Export (WXR) of one site',
      settings: `"mapping": {
  "products": {}, "giftCategories": {}, "gifts": {}, "networks": {}, "retailers": {}, "manufacturers": {}
}`,
      guesses: 'mapping: the post types or taxonomies of each list, and where its fields are',
    },
    csv: {
      name: 'site',
      files: `*.csv${PACKED}`,
      what: 'spreadsheets saved as CSV: products.csv, networks.csv, retailers.csv, gifts.csv, gift-categories.csv, manufacturers.csv',
    },
  } satisfies Record<CmsSourceConfig['adapter'], SourceTemplate>,
  feed: {
    deals: {
      name: 'house',
      files: `*.{csv,ndjson}${PACKED}`,
      what: 'our own feed: CSV with a header row, or NDJSON with the same names',
    },
    awin: {
      name: 'awin',
      files: `*.csv${PACKED}`,
      what: 'datafeeds of Awin, in the Telcos shape or the short one',
    },
    'google-merchant': {
      name: 'shopping',
      files: `*.{xml,tsv,txt,csv,jsonl}${PACKED}`,
      what: 'product data in the format of Google: a table, RSS, Atom or JSON lines',
      settings: `"mapping": {
  "network": "custom_label_0",
  "contractName": "custom_label_1",
  "dataGb": "product_detail:Data allowance",
  "callMinutes": "product_detail:Minutes",
  "textMessages": "product_detail:Texts"
},
"constants": { "retailer": "phonewright" }`,
      guesses: 'mapping: where network, contract and allowances are; constants: the retailer, by id, slug or name',
    },
    csv: {
      name: 'sheet',
      files: `*.csv${PACKED}`,
      what: 'any table with a row of column names',
      settings: `"columns": {
  "dealId": "Deal ID",
  "productName": "Phone",
  "network": "Network",
  "contractName": "Plan",
  "contractMonths": "Months",
  "upfrontCost": { "column": "Upfront", "strip": ["£", ","] },
  "monthlyCost": { "column": "Monthly", "strip": ["£", ","] },
  "dataGb": { "column": "Data", "values": { "unlimited": "unlimited" } },
  "callMinutes": "Minutes",
  "textMessages": "Texts",
  "dealLink": "Link"
},
"constants": { "retailer": "phonewright" }`,
      guesses: 'columns: what the columns are called; constants: the retailer, by id, slug or name',
    },
  } satisfies Record<FeedConfig['adapter'], SourceTemplate>,
} as const;
