import { BODIES } from './bodies.ts';
import type { CmsList, CmsRecord, CmsStep, Mutation, Wanted } from './mutation.ts';

const each = (
  list: CmsList,
  change: (record: CmsRecord, at: number, records: readonly CmsRecord[]) => CmsRecord,
): CmsStep => ({
  list,
  change: (records) => records.map(change),
});
const whole = (file: string, edit: (text: string) => string | undefined): CmsStep => ({ file, edit });
const without = (record: CmsRecord, key: string): CmsRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
/** Gives each record the key of the next one. */
const moved = (list: CmsList, ...keys: readonly string[]): CmsStep =>
  each(list, (record, at, records) => {
    const next = records[(at + 1) % records.length] ?? record;
    return { ...record, ...Object.fromEntries(keys.map((key) => [key, next[key]])) };
  });

const ROWS: readonly (readonly [name: string, wanted: Wanted, step: CmsStep, because?: string])[] = [
  ['a products file cut', 'refused', whole('phones-kestrel.json', (text) => text.slice(0, text.length * 0.7))],
  ['a products file empty', 'refused', whole('phones-kestrel.json', () => '')],
  ['a products file missing', 'refused', whole('phones-kestrel.json', () => undefined)],
  ['the networks file missing', 'refused', whole('networks.json', () => undefined)],
  ['the retailers file missing', 'refused', whole('retailers.json', () => undefined)],
  ['the networks file an empty object', 'refused', whole('networks.json', () => '{}')],
  ['the networks an empty list', 'refused', whole('networks.json', () => '{"networks":[]}')],
  ['the gifts file cut', 'refused', whole('gifts.json', (text) => text.slice(0, 3_000))],
  ...Object.entries(BODIES)
    .filter(([name]) =>
      ['a login page', 'a JSON error', 'a JSON null', 'an XML error', 'a sentence', 'a message of PHP'].includes(name),
    )
    .map(
      ([name, text]) =>
        [`${name} in place of a products file`, 'refused', whole('phones-wren.json', () => text)] as const,
    ),
  [
    'products under another key',
    'refused',
    whole('phones-kestrel.json', (text) => text.replace('"products"', '"items"')),
  ],
  [
    'condition renamed',
    'refused',
    each('products', (record) => ({ ...without(record, 'condition'), state: record['condition'] })),
  ],
  ['condition dropped', 'refused', each('products', (record) => without(record, 'condition'))],
  ['condition new everywhere', 'refused or held', each('products', (record) => ({ ...record, condition: 'new' }))],
  [
    'condition flipped',
    'refused or held',
    each('products', (record) => ({ ...record, condition: record['condition'] === 'new' ? 'refurbished' : 'new' })),
  ],
  [
    'condition with a capital',
    'refused',
    each('products', (record) => ({ ...record, condition: String(record['condition']).toUpperCase() })),
  ],
  ['all products drafts', 'refused', each('products', (record) => ({ ...record, status: 'draft' }))],
  ['all networks without a name', 'refused', each('networks', (record) => without(record, 'name'))],
  ['ids of products moved by one', 'refused or held', moved('products', 'id', 'condition')],
  ['names of products moved by one', 'refused or held', moved('products', 'name', 'matches')],
  [
    'names, slugs and texts of products moved by one',
    'refused or held',
    moved('products', 'name', 'slug', 'model', 'content', 'metaData'),
  ],
  ['matches of products moved by one', 'refused or held', moved('products', 'matches')],
  ['matches of products gone', 'refused or held', each('products', (record) => without(record, 'matches'))],
  [
    'ids of products renumbered',
    'refused',
    each('products', (record) => ({ ...record, id: `9${String(record['id'])}` })),
  ],
  ['every product with one slug', 'refused or held', each('products', (record) => ({ ...record, slug: 'phone' }))],
  [
    'names of products without their storage',
    'refused or held',
    each('products', (record) => ({ ...record, name: String(record['name']).replace(/ \d+[GT]B$/u, '') })),
  ],
  ['names of products undefined', 'refused or held', each('products', (record) => ({ ...record, name: 'undefined' }))],
  ['names of networks moved by one', 'refused or held', moved('networks', 'name', 'aliases')],
  ['ids of networks moved by one', 'refused or held', moved('networks', 'id')],
  ['slugs of networks moved by one', 'refused or held', moved('networks', 'slug')],
  ['aliases of networks moved by one', 'refused or held', moved('networks', 'aliases')],
  [
    'a whole network record moved',
    'refused or held',
    {
      list: 'networks',
      change: (records) => records.map((record, at) => (at === 0 ? { ...record, id: records[1]?.['id'] } : record)),
    },
  ],
  ['names of retailers moved by one', 'refused or held', moved('retailers', 'name', 'aliases')],
  ['ids of retailers moved by one', 'refused or held', moved('retailers', 'id')],
  [
    'half of the products gone',
    'refused',
    { list: 'products', change: (records) => records.filter((_, at) => at % 2 === 0) },
  ],
  ['one network gone', 'refused or held', { list: 'networks', change: (records) => records.slice(1) }],
  ['one retailer gone', 'refused or held', { list: 'retailers', change: (records) => records.slice(1) }],
  ['every product twice', 'refused', { list: 'products', change: (records) => [...records, ...records] }],
  [
    'texts of products edited',
    'silent',
    each('products', (record) => ({ ...record, content: { heading: 'New' } })),
    'an editor may change every text',
  ],
];

export const CMS_MUTATIONS: readonly Mutation[] = ROWS.map(([name, wanted, cms, because]) => ({
  name: `CMS: ${name}`,
  world: 'sample',
  feed: 'house',
  steps: [],
  wanted,
  cms,
  ...(because === undefined ? {} : { because }),
}));
