import { readCases } from '../../support/cases.ts';
import type { Random } from '../../support/random.ts';
import type { Catalogue } from './catalogue.ts';
import { draftOf, storageText, type Draft } from './draft.ts';
import type { Product } from './judge.ts';
import { PHONE_LIST } from './phones.ts';
import type { FeedName, RowFacts } from './rows.ts';
import { addColour } from './way-parts.ts';
import WORDS from './fixture/words.json' with { type: 'json' };
import { WAYS } from './ways.ts';

export interface IdRow {
  readonly group: string;
  readonly feed: FeedName;
  readonly field: 'productId' | 'gtin' | 'edition' | 'version';
  readonly write: WriteName;
}

type WriteName = (product: Product, catalogue: Catalogue, random: Random) => Draft | undefined;

/** What a row names its product by beside the name. */
const IDS = [
  ['house', 'productId', 'an id'],
  ['house', 'gtin', 'a GTIN'],
  ['shopping', 'gtin', 'a GTIN of Google Merchant'],
  ['awin', 'edition', 'an edition id'],
  ['awin', 'version', 'a version id'],
] as const;

const NAMES_BESIDE_IDS: Readonly<Record<string, WriteName>> = {
  'its own name': sameName,
  'the name of another product': otherName,
  'the name of a phone that is not in the CMS': outsideName,
  'a name that says too little': shortName,
};

/** Names beside an id, a GTIN, or Awin's ids of an edition or version. */
export const ID_ROWS: readonly IdRow[] = IDS.flatMap(([feed, field, id]) =>
  Object.entries(NAMES_BESIDE_IDS).map(([name, write]) => ({ group: `${id} beside ${name}`, feed, field, write })),
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
  draft.parts.after = random.pick(['', ...WORDS.knownColours]);
  const ways = ['storage left out', 'series word left out', 'maker and series left out', 'storage without unit'];
  return WAYS[random.pick(ways)]?.write(draft, random, catalogue) === true ? draft : undefined;
}

type WriteColumns = (draft: Draft, random: Random) => ({ readonly feed: FeedName } & Partial<RowFacts>) | undefined;

/** What columns beside the name say: a colour, a storage, a condition. */
export const COLUMN_ROWS: Readonly<Record<string, WriteColumns>> = {
  'a colour that Awin declares': (draft, random) => {
    const colour = random.pick([...WORDS.shopColours, ...WORDS.knownColours]);
    draft.parts.after = colour;
    return { feed: 'awin', colour };
  },
  'as Awin writes it': (draft, random) => {
    const colour = random.pick(WORDS.shopColours);
    const condition = draft.said.condition === 'refurbished' ? ' Refurbished' : '';
    draft.parts.after = '';
    draft.parts.sizes = `(${[draft.parts.sizes, colour].filter((text) => text !== '').join(' ')}${condition})`;
    return { feed: 'awin', colour };
  },
  'a colour that Google Merchant declares': (draft, random) => {
    const colour = random.pick([...WORDS.shopColours, ...WORDS.knownColours]);
    draft.parts.after = random.pick([colour, `- ${colour}`, `(${colour})`, '']);
    return { feed: 'shopping', colour };
  },
  'a colour column of a sheet': (draft, random) => {
    const colour = random.pick([...WORDS.shopColours, ...WORDS.knownColours]);
    draft.parts.after = random.pick([colour, `- ${colour}`, `(${colour})`, '']);
    return { feed: 'sheet', colour };
  },
  'a declared colour that is not that of the name': (draft, random) => {
    const [colour = '', other = ''] = random.shuffled(WORDS.knownColours);
    draft.parts.after = colour;
    draft.said.contradiction = 'Ids: a stated colour column that disagrees with the name is a contradiction';
    return { feed: random.pick<FeedName>(['awin', 'shopping', 'sheet']), colour: other };
  },
  'a storage column that agrees': (draft, random) => {
    if (draft.said.storage === undefined) {
      draft.said.open = 'Ids: a stated storage beside a name without one';
      draft.said.columnStorage = draft.size.storage;
    }
    return { feed: random.pick<FeedName>(['awin', 'sheet']), storage: storageText(draft.size.storage) };
  },
  'a storage column beside a name without storage': (draft, random) => {
    draft.parts.sizes = '';
    draft.said.open = 'Ids: a stated storage beside a name without one';
    draft.said.storage = undefined;
    draft.said.columnStorage = draft.size.storage;
    draft.said.ram = undefined;
    return { feed: random.pick<FeedName>(['awin', 'sheet']), storage: storageText(draft.size.storage) };
  },
  'a storage column that is not that of the name': (draft, random) => {
    if (draft.said.storage === undefined) return undefined;
    draft.said.contradiction = 'Ids: a stated storage column that disagrees with the name is a contradiction';
    const others = [16, 32, 64, 128, 256, 512, 1024].filter((storage) => storage !== draft.said.storage);
    return { feed: random.pick<FeedName>(['awin', 'sheet']), storage: storageText(random.pick(others)) };
  },
  'a condition column that is not that of the name': (draft, random) => {
    draft.parts.before = random.pick(['Refurbished', 'Used', 'Pre-owned']);
    draft.said.contradiction = 'Condition: beside a stated new it is a contradiction';
    draft.column = 'new';
    return { feed: random.pick<FeedName>(['awin', 'shopping']) };
  },
};

/** How a row names its network or retailer, and the slug of ours that it means, `undefined` for none. */
export interface Reference {
  readonly name: string;
  readonly id: string;
  readonly slug?: string;
  /** Awin where absent. */
  readonly feed?: FeedName;
  /** A second column with a name of the network. */
  readonly second?: string;
}

/**
 * Networks and retailers of the CMS, and how rows name them. Awin's ids of networks are 8 (EE), 21 (O2), 36 (Three) and 41
 * (Vodafone), and ours collide with them. Its ids of retailers are 3235 (Harbour Mobiles), which is ours of Corner Phones,
 * and 9001 (Dialstone).
 */
export const {
  networks: NETWORKS,
  retailers: RETAILERS,
  networkRows: NETWORK_ROWS,
  retailerRows: RETAILER_ROWS,
} = readCases(import.meta.dirname, 'suppliers.json') as Readonly<
  Record<'networks' | 'retailers', readonly object[]> &
    Record<'networkRows' | 'retailerRows', Readonly<Record<string, readonly Reference[]>>>
>;
