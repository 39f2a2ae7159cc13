import type { CmsSourceConfig, FeedConfig } from '../registry.ts';

/** The extensions of packed files. */
const PACKED = '{,.gz,.zip,.br}';

export interface SourceTemplate {
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

export const CMS_TEMPLATES = {
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
} as const satisfies Record<CmsSourceConfig['adapter'], SourceTemplate>;

export const FEED_TEMPLATES = {
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
} as const satisfies Record<FeedConfig['adapter'], SourceTemplate>;

export type CmsAdapterName = keyof typeof CMS_TEMPLATES;
export type FeedAdapterName = keyof typeof FEED_TEMPLATES;
