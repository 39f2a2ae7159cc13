import type { Random } from '../../support/random.ts';
import type { Catalogue } from './catalogue.ts';
import { draftOf, storageText, type Draft } from './draft.ts';
import type { Product } from './judge.ts';
import { PHONE_LIST } from './phones.ts';
import type { FeedName, RowFacts } from './rows.ts';
import { addColour } from './way-parts.ts';
import { KNOWN_COLOURS, SHOP_COLOURS } from './words.ts';
import { WAYS } from './ways.ts';

interface IdRow {
  readonly feed: FeedName;
  readonly field: 'productId' | 'gtin' | 'edition' | 'version';
  readonly draft: Draft | undefined;
}

type WriteName = (product: Product, catalogue: Catalogue, random: Random) => Draft | undefined;

/** Names beside an id, a GTIN, or Awin's ids of an edition or version. */
export const ID_ROWS: Readonly<Record<string, (...of: Parameters<WriteName>) => IdRow>> = Object.fromEntries(
  (
    [
      ['house', 'productId', 'an id'],
      ['house', 'gtin', 'a GTIN'],
      ['shopping', 'gtin', 'a GTIN of Google Merchant'],
      ['awin', 'edition', 'an edition id'],
      ['awin', 'version', 'a version id'],
    ] as const
  ).flatMap(([feed, field, id]) =>
    (
      [
        ['its own name', sameName],
        ['the name of another product', otherName],
        ['the name of a phone that is not in the CMS', outsideName],
        ['a name that says too little', shortName],
      ] as const
    ).map(([name, write]: readonly [string, WriteName]) => [
      `${id} beside ${name}`,
      (product: Product, catalogue: Catalogue, random: Random): IdRow => ({
        feed,
        field,
        draft: write(product, catalogue, random),
      }),
    ]),
  ),
);

function sameName(product: Product, catalogue: Catalogue, random: Random): Draft {
  const draft = draftOf(product.phone, random, product);
  if (random.isLikely(0.7)) addColour(draft, random, catalogue);
  return draft;
}

/** Half of the time a sibling: another storage, or a model that begins alike. */
function otherName(product: Product, catalogue: Catalogue, random: Random): Draft {
  const { phone, condition, id } = product;
  const others = catalogue.products.filter((other) => other.condition === condition && other.id !== id);
  const siblings = others.filter(
    (other) => other.phone.maker === phone.maker && other.phone.words.slice(0, 2) === phone.words.slice(0, 2),
  );
  return sameName(random.pick(siblings.length > 0 && random.isLikely(0.5) ? siblings : others), catalogue, random);
}

function outsideName(product: Product, catalogue: Catalogue, random: Random): Draft {
  const draft = draftOf(random.pick(PHONE_LIST.filter((phone) => !catalogue.phones.has(phone))), random);
  draft.said.condition = product.condition;
  return draft;
}

function shortName(product: Product, catalogue: Catalogue, random: Random): Draft | undefined {
  const draft = draftOf(product.phone, random, product);
  draft.parts.after = random.pick(['', ...KNOWN_COLOURS]);
  const ways = ['storage left out', 'series word left out', 'maker and series left out', 'storage without unit'];
  return WAYS[random.pick(ways)]?.write(draft, random, catalogue) === true ? draft : undefined;
}

type WriteColumns = (
  draft: Draft,
  random: Random,
  hasSheet: boolean,
) => ({ readonly feed: FeedName } & Partial<RowFacts>) | undefined;

/** What columns beside the name say: a colour, a storage, a condition. */
export const COLUMN_ROWS: Readonly<Record<string, WriteColumns>> = {
  'a colour that Awin declares': (draft, random) => {
    const colour = random.pick([...SHOP_COLOURS, ...KNOWN_COLOURS]);
    draft.parts.after = colour;
    return { feed: 'awin', colour };
  },
  'as Awin writes it': (draft, random) => {
    const colour = random.pick(SHOP_COLOURS);
    const condition = draft.said.condition === 'refurbished' ? ' Refurbished' : '';
    draft.parts.after = '';
    draft.parts.sizes = `(${[draft.parts.sizes, colour].filter((text) => text !== '').join(' ')}${condition})`;
    return { feed: 'awin', colour };
  },
  'a colour that Google Merchant declares': (draft, random) => {
    const colour = random.pick([...SHOP_COLOURS, ...KNOWN_COLOURS]);
    draft.parts.after = random.pick([colour, `- ${colour}`, `(${colour})`, '']);
    return { feed: 'shopping', colour };
  },
  'a colour column of a sheet': (draft, random, hasSheet) => {
    const colour = random.pick([...SHOP_COLOURS, ...KNOWN_COLOURS]);
    draft.parts.after = random.pick([colour, `- ${colour}`, `(${colour})`, '']);
    return hasSheet ? { feed: 'sheet', colour } : undefined;
  },
  'a declared colour that is not that of the name': (draft, random, hasSheet) => {
    const [colour = '', other = ''] = random.shuffled(KNOWN_COLOURS);
    draft.parts.after = colour;
    draft.said.contradiction = 'Ids: a stated colour column that disagrees with the name is a contradiction';
    return { feed: random.pick(feeds(hasSheet, 'awin', 'shopping')), colour: other };
  },
  'a storage column that agrees': (draft, random, hasSheet) => {
    if (draft.said.storage === undefined) {
      draft.said.open = 'Ids: a stated storage beside a name without one';
      draft.said.columnStorage = draft.size.storage;
    }
    return { feed: random.pick(feeds(hasSheet, 'awin')), storage: storageText(draft.size.storage) };
  },
  'a storage column beside a name without storage': (draft, random, hasSheet) => {
    draft.parts.sizes = '';
    draft.said.open = 'Ids: a stated storage beside a name without one';
    draft.said.storage = undefined;
    draft.said.columnStorage = draft.size.storage;
    draft.said.ram = undefined;
    return { feed: random.pick(feeds(hasSheet, 'awin')), storage: storageText(draft.size.storage) };
  },
  'a storage column that is not that of the name': (draft, random, hasSheet) => {
    if (draft.said.storage === undefined) return undefined;
    draft.said.contradiction = 'Ids: a stated storage column that disagrees with the name is a contradiction';
    const others = [16, 32, 64, 128, 256, 512, 1024].filter((storage) => storage !== draft.said.storage);
    return { feed: random.pick(feeds(hasSheet, 'awin')), storage: storageText(random.pick(others)) };
  },
  'a condition column that is not that of the name': (draft, random) => {
    draft.parts.before = random.pick(['Refurbished', 'Used', 'Pre-owned']);
    draft.said.contradiction = 'Condition: beside a stated new it is a contradiction';
    draft.column = 'new';
    return { feed: random.pick<FeedName>(['awin', 'shopping']) };
  },
};

function feeds(hasSheet: boolean, ...always: FeedName[]): FeedName[] {
  return hasSheet ? [...always, 'sheet'] : always;
}

/** How a row names its network or retailer, and the slug of ours that it means, `undefined` for none. */
export interface Reference {
  readonly name: string;
  readonly id: string;
  readonly slug: string | undefined;
  /** Awin where absent. */
  readonly feed?: FeedName;
  /** A second column with a name of the network. */
  readonly second?: string;
}

/** Networks of the CMS. Awin's ids are 8 (EE), 21 (O2), 36 (Three), 41 (Vodafone); ours collide with them. */
export const NETWORKS = [
  { id: '8', name: 'Three', slug: 'three', aliases: ['Three UK', '3'] },
  { id: '21', name: 'Vodafone', slug: 'vodafone', aliases: ['Vodafone UK'], feedIds: { awin: ['41'] } },
  { id: '36', name: 'O2', slug: 'o2', aliases: ['O2 UK'] },
  { id: '41', name: 'EE', slug: 'ee', aliases: ['EE Mobile'], feedIds: { awin: ['8'] } },
];

export const NETWORK_ROWS: Readonly<Record<string, readonly Reference[]>> = {
  'a network by name, its id one of ours': [
    { name: 'O2', id: '21', slug: 'o2' },
    { name: 'Three', id: '36', slug: 'three' },
    { name: 'O2 UK', id: '21', slug: 'o2' },
    { name: 'three uk', id: '36', slug: 'three' },
  ],
  'a network by name and declared id': [
    { name: 'EE', id: '8', slug: 'ee' },
    { name: 'Vodafone', id: '41', slug: 'vodafone' },
    { name: 'EE Mobile', id: '8', slug: 'ee' },
  ],
  'a network by declared id alone': [
    { name: 'Everything Everywhere', id: '8', slug: 'ee' },
    { name: 'VF Consumer', id: '41', slug: 'vodafone' },
  ],
  'a network whose id is declared for another': [
    { name: 'EE', id: '41', slug: undefined },
    { name: 'O2', id: '8', slug: undefined },
    { name: 'Vodafone', id: '8', slug: undefined },
  ],
  'an unknown network with one of our ids': [
    { name: 'Sky Mobile', id: '21', slug: undefined },
    { name: 'Lebara', id: '36', slug: undefined },
    { name: 'Smarty', id: '', slug: undefined },
  ],
  'two columns that name two networks': [
    { name: 'EE', id: '', slug: undefined, second: 'Vodafone' },
    { name: 'O2', id: '21', slug: undefined, second: 'Three' },
  ],
  'two columns that name one network': [
    { name: 'EE', id: '', slug: 'ee', second: 'EE Mobile' },
    { name: 'O2', id: '21', slug: 'o2', second: 'O2 UK' },
  ],
  'our own id, slug, name or alias of a network': [
    { name: '21', id: '', slug: 'vodafone', feed: 'house' },
    { name: '8', id: '', slug: 'three', feed: 'house' },
    { name: 'ee', id: '', slug: 'ee', feed: 'house' },
    { name: 'O2 UK', id: '', slug: 'o2', feed: 'house' },
    { name: '3', id: '', slug: 'three', feed: 'house' },
  ],
};

/** Retailers of the CMS. Awin's ids are 3235 (Harbour Mobiles), which is ours of Corner Phones, and 9001 (Dialstone). */
export const RETAILERS = [
  { id: '410', name: 'Harbour Mobiles', slug: 'harbour-mobiles', aliases: ['Harbour Mobiles Ltd'] },
  { id: '3235', name: 'Corner Phones', slug: 'corner-phones', aliases: [] },
  { id: '512', name: 'Dialstone', slug: 'dialstone', aliases: [], feedIds: { awin: ['9001'] } },
];

export const RETAILER_ROWS: Readonly<Record<string, readonly Reference[]>> = {
  'a retailer by name, its id one of ours': [
    { name: 'Harbour Mobiles', id: '3235', slug: 'harbour-mobiles' },
    { name: 'Harbour Mobiles Ltd', id: '512', slug: 'harbour-mobiles' },
  ],
  'a retailer by declared id': [
    { name: 'Dialstone', id: '9001', slug: 'dialstone' },
    { name: 'Stone Dials Online', id: '9001', slug: 'dialstone' },
  ],
  'a retailer whose id is declared for another': [{ name: 'Corner Phones', id: '9001', slug: undefined }],
  'an unknown retailer with one of our ids': [
    { name: 'Some Other Shop', id: '3235', slug: undefined },
    { name: 'Some Other Shop', id: '410', slug: undefined },
  ],
};
