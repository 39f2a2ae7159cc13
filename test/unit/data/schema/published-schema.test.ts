import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  createPublishedSchema,
  PUBLISHED_FILES,
  PUBLISHED_SHAPES,
  schemaFileName,
  type PublishedFile,
} from '../../../../data/schema/published-schema.ts';
import { SNAPSHOT_FILES } from '../../../../data/snapshot/format.ts';

const SHA256 = 'a'.repeat(64);
const PICTURE = { path: '/images/0123456789abcdef/large.webp', bytes: 10, sha256: SHA256 };
const GIFT = { id: '7', name: 'Buds', slug: 'buds', content: {}, metaData: {}, images: {} };
const CATEGORY = { ...GIFT, pageContent: {}, gifts: [{ id: '7', name: 'Buds', slug: 'buds' }] };
const PRODUCT = { ...GIFT, condition: 'new', pageContent: {}, specs: { '4g': 'Yes' } };
const DEALS = {
  product: 0,
  rank: [0],
  plan: [0],
  retailer: [0],
  totalPence: [1],
  upfrontPence: [0],
  monthlyPence: [1],
  linkTemplate: [0],
  linkPart: ['x'],
};
const PLAN = {
  network: 0,
  dealType: 'contract',
  contractName: 'Plan',
  contractMonths: 24,
  dataMegabytes: 'unlimited',
  callMinutes: 0,
  textMessages: 1,
};
const DICTIONARIES = {
  currency: { code: 'GBP', label: '£' },
  networks: [
    { id: '1', name: 'A', slug: 'a', logos: { small: '', medium: 'https://a/', large: 'HTTP://a/', deal: '' } },
  ],
  retailers: [],
  manufacturers: [],
  plans: [PLAN],
  gifts: [],
  cashbacks: [{ type: 'Automatic', valuePence: 1 }],
  linkTemplates: [],
  pictures: [],
};
const SOURCE = {
  name: 'house',
  kind: 'feed',
  adapter: 'deals',
  state: 'fresh',
  files: [{ path: 'a.csv', bytes: 1, sha256: SHA256 }],
  read: 1,
  kept: 1,
  duplicate: 0,
  outOfScope: 0,
  quarantined: 0,
};
const NOTICE = { code: 'same-name', source: 'site', line: 1 };
const GATE = { gate: 'lost-deals', state: 'passed', detail: '' };
const NO_CHANGES = { count: 0, omitted: 0, items: [] };
const IDENTITY = { source: 'house', retailer: 'barn', key: 'H-1' };
const PRICES = { upfrontPence: 0, monthlyPence: 1, totalPence: 24 };
const HALF_PENNY = { ...IDENTITY, ...PRICES, monthlyPence: 0.5 };
const NEW_DEAL = { product: '101/new', deal: { ...IDENTITY, ...PRICES } };
const CHANGES = {
  from: '20261119T0230Z-0123abcd',
  before: { products: 1, deals: 1 },
  after: { products: 1, deals: 2 },
  productsNew: NO_CHANGES,
  productsGone: NO_CHANGES,
  productsChanged: {
    ...NO_CHANGES,
    count: 1,
    items: [{ product: '101/new', name: 'A', fields: ['name'], renamed: { name: { from: 'B', to: 'A' } } }],
  },
  dealsNew: { ...NO_CHANGES, count: 1, items: [NEW_DEAL] },
  dealsGone: NO_CHANGES,
  dealsMoved: {
    count: 1,
    omitted: 0,
    items: [{ deal: IDENTITY, from: { product: '101/new', ...PRICES }, to: { product: '102/new', ...PRICES } }],
  },
  dealsRepriced: {
    count: 1,
    omitted: 0,
    items: [{ product: '101/new', deal: IDENTITY, from: PRICES, to: { ...PRICES, totalPence: 25 } }],
  },
  dealsChanged: { count: 1, omitted: 0, items: [{ product: '101/new', deal: IDENTITY, fields: ['gift'] }] },
  cheapestChanged: { count: 1, omitted: 0, items: [{ product: '101/new', name: 'A', to: NEW_DEAL.deal }] },
  byProduct: {
    count: 1,
    omitted: 0,
    items: [
      {
        product: '101/new',
        name: 'A',
        dealsBefore: 1,
        dealsAfter: 2,
        new: 1,
        gone: 0,
        moved: 0,
        repriced: 1,
        changed: 1,
      },
    ],
  },
};
const SUMMARY = { code: 'same-name', outcome: 'notice', source: 'site', count: 1, samples: [NOTICE] };
const FIGURES = {
  deals: 1,
  products: 1,
  zeroUpfront: 0,
  zeroMonthly: 0,
  unlimitedData: 0,
  medianTotalPence: 60_000,
};
const CATALOGUE_SUMMARY = {
  currency: 'GBP',
  cms: [{ name: 'site', products: 1, sample: [7] }],
  feeds: [
    {
      name: 'house',
      ...FIGURES,
      retailers: [{ id: '31', slug: 'barn', ...FIGURES }],
      networks: [],
      sample: { key: [4_294_967_295], offer: [0], totalPence: [60_000], monthlyPence: [2_500] },
    },
  ],
};
const UNMATCHED = { feed: 'house', name: 'Nova 3', code: 'unknown-product', dealCount: 2, nearest: ['101/new'] };
const MANIFEST = {
  formatVersion: 1,
  id: '20261120T0230Z-0123abcd',
  sequence: 1,
  createdAt: '2026-11-20T02:30:00.000Z',
  contentHash: SHA256,
  counts: {
    products: 0,
    deals: 0,
    gifts: 0,
    giftCategories: 0,
    networks: 0,
    retailers: 0,
    manufacturers: 0,
    pictures: 0,
    quarantined: 0,
  },
  files: Object.fromEntries(SNAPSHOT_FILES.map((file) => [file, { bytes: 0, sha256: SHA256 }])),
  sources: [SOURCE],
  gates: [GATE],
};
const LAST_BUILD = {
  outcome: 'published',
  startedAt: '2026-11-20T02:30:00.000Z',
  seconds: 1.5,
  message: '',
  report: { sources: [SOURCE], notices: [SUMMARY], unmatchedNames: [UNMATCHED], gates: [GATE], goneNotices: [] },
};

const SOUND: Readonly<Record<PublishedFile, object>> = {
  'dictionaries.json': DICTIONARIES,
  'products.ndjson': PRODUCT,
  'gifts.ndjson': GIFT,
  'gift-categories.ndjson': CATEGORY,
  'pictures.ndjson': PICTURE,
  'deals.ndjson': DEALS,
  'provenance.ndjson': {
    product: 0,
    source: ['house'],
    file: ['a.csv'],
    line: [2],
    key: ['H-1'],
    matches: [{ rule: 'gtin', found: '01234567' }],
    match: [0],
  },
  'product-origins.ndjson': { id: '101', condition: 'new', source: 'site', file: 'a.json', line: 1 },
  'notices.ndjson': NOTICE,
  'changes.json': CHANGES,
  'quarantine.ndjson': NOTICE,
  'report.json': {
    sources: [SOURCE],
    notices: [SUMMARY],
    unmatchedNames: [UNMATCHED],
    summary: CATALOGUE_SUMMARY,
  },
  'manifest.json': MANIFEST,
  'current.json': { snapshot: MANIFEST.id },
  'last-build.json': LAST_BUILD,
};

/** Faulty in one place each, by what is put over the sound value. */
const FAULTY: readonly (readonly [PublishedFile, string, object])[] = [
  ['dictionaries.json', 'a currency in lower case', { currency: { code: 'gbp', label: '£' } }],
  ['dictionaries.json', 'a currency without a label', { currency: { code: 'GBP', label: '' } }],
  ['dictionaries.json', 'a logo that is a script', withLogo('javascript:alert(1)')],
  ['dictionaries.json', 'a logo on another path', withLogo('/private/x.webp')],
  ['dictionaries.json', 'a network without logos', { networks: [{ id: '1', name: 'A', slug: 'a' }] }],
  ['dictionaries.json', 'a contract of no months', { plans: [{ ...PLAN, contractMonths: 0 }] }],
  ['dictionaries.json', 'a contract of half a month', { plans: [{ ...PLAN, contractMonths: 1.5 }] }],
  ['dictionaries.json', 'an allowance below zero', { plans: [{ ...PLAN, callMinutes: -1 }] }],
  ['dictionaries.json', 'an allowance in words', { plans: [{ ...PLAN, callMinutes: 'lots' }] }],
  ['dictionaries.json', 'a cashback below zero', { cashbacks: [{ type: 'x', valuePence: -1 }] }],
  ['dictionaries.json', 'a cashback above the ceiling', { cashbacks: [{ type: 'x', valuePence: 1_000_000_001 }] }],
  ['products.ndjson', 'an id with a leading zero', { id: '012' }],
  ['products.ndjson', 'an id that is a number', { id: 12 }],
  ['products.ndjson', 'an unknown condition', { condition: 'used' }],
  ['products.ndjson', 'a slug without a letter', { slug: '123' }],
  ['products.ndjson', 'a slug in upper case', { slug: 'Nova' }],
  ['products.ndjson', 'a slug of 201 characters', { slug: 'a'.repeat(201) }],
  ['products.ndjson', 'an empty name', { name: '' }],
  ['products.ndjson', 'an empty text', { content: { heading: '' } }],
  ['products.ndjson', 'a null', { content: { heading: null } }],
  ['products.ndjson', 'an unknown attribute', { specs: { colour: 'red' } }],
  ['products.ndjson', 'an unknown key', { price: '1' }],
  ['products.ndjson', 'an unknown picture', { images: { hugeFrontImageWebp: '' } }],
  ['products.ndjson', 'a picture of another scheme', { images: { largeFrontImageWebp: 'data:image/png,' } }],
  ['gifts.ndjson', 'a picture that gifts have not', { images: { smallFrontImageWebp: '' } }],
  ['gift-categories.ndjson', 'a gift without a slug', { gifts: [{ id: '7', name: 'Buds' }] }],
  ['gift-categories.ndjson', 'gifts that are ids', { gifts: ['7'] }],
  ['pictures.ndjson', 'a path out of the folder', { path: '/images/0123456789abcdef/../x.webp' }],
  ['pictures.ndjson', 'another format', { path: '/images/0123456789abcdef/large.svg' }],
  ['pictures.ndjson', 'a short hash', { sha256: 'abc' }],
  ['pictures.ndjson', 'bytes below zero', { bytes: -1 }],
  ['deals.ndjson', 'no deals', { rank: [] }],
  ['deals.ndjson', 'more deals than a line may have', { rank: Array.from({ length: 4097 }, () => 0) }],
  ['deals.ndjson', 'a price below zero', { totalPence: [-1] }],
  ['deals.ndjson', 'a price with a fraction', { totalPence: [1.5] }],
  ['deals.ndjson', 'a price as text', { totalPence: ['1'] }],
  ['deals.ndjson', 'a price above ten million pounds', { totalPence: [1_000_000_001] }],
  ['deals.ndjson', 'a link part that is no text', { linkPart: [1] }],
  ['provenance.ndjson', 'line 0', { line: [0] }],
  ['provenance.ndjson', 'an unknown rule', { matches: [{ rule: 'guess', found: 'x' }] }],
  ['product-origins.ndjson', 'line 0', { line: 0 }],
  ['product-origins.ndjson', 'an unknown condition', { condition: 'used' }],
  ['notices.ndjson', 'an unknown key', { price: 1 }],
  ['quarantine.ndjson', 'another deal without its line', { other: { source: 'house', file: 'a.csv', record: 'H-1' } }],
  ['changes.json', 'a path in place of the snapshot before', { from: '../../etc' }],
  ['changes.json', 'a count below zero', { productsNew: { ...NO_CHANGES, count: -1 } }],
  ['changes.json', 'a list without what it omits', { productsGone: { count: 0, items: [] } }],
  [
    'changes.json',
    'a price with a fraction',
    { dealsNew: { ...NO_CHANGES, items: [{ ...NEW_DEAL, deal: HALF_PENNY }] } },
  ],
  ['changes.json', 'a change of nothing', { dealsChanged: { ...NO_CHANGES, items: [{ ...NEW_DEAL, fields: [] }] } }],
  [
    'changes.json',
    'more listed changes than a list may have',
    { productsNew: { ...NO_CHANGES, items: Array.from({ length: 101 }, () => ({ product: '1/new', name: 'A' })) } },
  ],
  ['quarantine.ndjson', 'an unknown code', { code: 'odd' }],
  ['quarantine.ndjson', 'line 0', { line: 0 }],
  ['report.json', 'gates, which are in the manifest', { gates: [GATE] }],
  ['report.json', 'no summary to compare with', { summary: {} }],
  [
    'report.json',
    'half a record with something in a field',
    {
      summary: {
        ...CATALOGUE_SUMMARY,
        fields: [{ source: 'site', fields: [{ field: 'gift', filled: 0.5, records: 1 }] }],
      },
    },
  ],
  ['quarantine.ndjson', 'a price without its total', { prices: { now: { upfront: 0, monthly: 2_999 } } }],
  ['report.json', 'an unknown outcome', { notices: [{ ...SUMMARY, outcome: 'odd' }] }],
  ['report.json', 'a source in an unknown state', { sources: [{ ...SOURCE, state: 'odd' }] }],
  ['manifest.json', 'a source that is fresh on no day', { sources: [{ ...SOURCE, freshAt: 'yesterday' }] }],
  ['manifest.json', 'another format version', { formatVersion: 2 }],
  ['manifest.json', 'sequence 0', { sequence: 0 }],
  ['manifest.json', 'another form of id', { id: '2026-11-20' }],
  ['manifest.json', 'a time that is not UTC', { createdAt: '2026-11-20T02:30:00+01:00' }],
  ['manifest.json', 'a day that does not exist', { createdAt: '2026-02-30T02:30:00Z' }],
  ['manifest.json', 'a missing file', { files: {} }],
  ['manifest.json', 'a gate in an unknown state', { gates: [{ ...GATE, state: 'odd' }] }],
  ['current.json', 'a path in place of an id', { snapshot: '../../etc' }],
  ['last-build.json', 'an unknown outcome', { outcome: 'odd' }],
];

function withLogo(small: string): object {
  const [network] = DICTIONARIES.networks;
  return { networks: [{ ...network, logos: { ...network?.logos, small } }] };
}

function createValidators() {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv, ['date-time']);
  return new Map(PUBLISHED_FILES.map((file) => [file, ajv.compile(createPublishedSchema(file))] as const));
}

describe('the published JSON Schemas', () => {
  const validators = createValidators();

  it.each(PUBLISHED_FILES)('%s is described in this folder', async (file) => {
    const text = `${JSON.stringify(createPublishedSchema(file), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`../../../../data/schema/${schemaFileName(file)}`);
  });

  it.each(PUBLISHED_FILES)('zod and ajv take a sound %s', (file) => {
    expect(PUBLISHED_SHAPES[file].safeParse(SOUND[file]).error).toBeUndefined();
    expect(validators.get(file)?.(SOUND[file])).toBe(true);
  });

  it.each(FAULTY)('zod and ajv refuse %s with %s', (file, _, fault) => {
    const value = { ...SOUND[file], ...fault };
    expect(PUBLISHED_SHAPES[file].safeParse(value).success).toBe(false);
    expect(validators.get(file)?.(value)).toBe(false);
  });

  it.each(PUBLISHED_FILES)('zod and ajv refuse %s without any one of its keys that zod needs', (file) => {
    for (const key of Object.keys(SOUND[file])) {
      const value = Object.fromEntries(Object.entries(SOUND[file]).filter(([name]) => name !== key));
      const isSound = PUBLISHED_SHAPES[file].safeParse(value).success;
      expect({ key, isSound: validators.get(file)?.(value) }).toEqual({ key, isSound });
    }
  });
});
