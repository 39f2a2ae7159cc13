import type { Random } from '../../oracle/random.ts';
import type { Catalogue } from './catalogue.ts';
import { judge, judgeWithId, keyOf, type Condition, type Label, type Product } from './judge.ts';
import {
  draftName,
  draftOf,
  KNOWN_COLOURS,
  NETWORK_NAMES,
  SHOP_COLOURS,
  textOf,
  WAYS,
  type Draft,
} from './write-names.ts';
import { PHONE_LIST } from './phones.ts';

export type FeedName = 'house' | 'awin' | 'shopping';

/** A row of a feed with the label of INPUTS. */
export interface Row {
  readonly feed: FeedName;
  readonly key: string;
  readonly group: string;
  readonly name: string;
  readonly condition: '' | Condition;
  readonly colour: string;
  readonly productId: string;
  readonly gtin: string;
  readonly edition: string;
  readonly version: string;
  readonly storageColumn: string;
  readonly network: NetworkReference;
  readonly label: Label;
}

/** How a row names its network, and the slug of ours that it means, `undefined` for none. */
export interface NetworkReference {
  readonly name: string;
  readonly id: string;
  readonly slug: string | undefined;
}

type RowFacts = Partial<Omit<Row, 'key' | 'name' | 'label' | 'feed' | 'group'>>;

/** Networks of the CMS. Awin's ids are 8 (EE), 21 (O2), 36 (Three), 41 (Vodafone); ours collide with them. */
export const NETWORKS = [
  { id: '8', name: 'Three', slug: 'three', aliases: ['Three UK', '3'] },
  { id: '21', name: 'Vodafone', slug: 'vodafone', aliases: ['Vodafone UK'], feedIds: { awin: ['41'] } },
  { id: '36', name: 'O2', slug: 'o2', aliases: ['O2 UK'] },
  { id: '41', name: 'EE', slug: 'ee', aliases: ['EE Mobile'], feedIds: { awin: ['8'] } },
];

/** Writes rows until the feeds hold `count` distinct names. */
export function writeRows(catalogue: Catalogue, random: Random, count: number): Row[] {
  const rows: Row[] = [];
  const names = new Set<string>();
  const groups: readonly (readonly [string, () => Row | undefined])[] = [
    ...Object.keys(WAYS).map((way) => [way, () => houseRow(way, [way])] as const),
    ['several ways at once', () => houseRow('several ways at once', severalWays())],
    ['several ways at once', () => houseRow('several ways at once', severalWays())],
    ...Object.entries(ID_ROWS).map(([group, write]) => [group, () => idRow(group, write)] as const),
    ...Object.entries(DECLARED_ROWS).map(([group, write]) => [group, () => declaredRow(group, write)] as const),
    ...Object.entries(NETWORK_ROWS).map(([group, references]) => [group, () => networkRow(group, references)] as const),
  ];
  // Small groups run out of new names, so a limit ends the search.
  for (let tries = 0; names.size < count && tries < count * 20; tries += 1) {
    const [, write] = groups[tries % groups.length] ?? [];
    const row = write?.();
    if (row === undefined || names.has(row.name)) continue;
    names.add(row.name);
    rows.push(row);
  }
  return rows;

  function finish(feed: FeedName, group: string, draft: Draft, label: Label, facts: RowFacts): Row {
    return {
      feed,
      key: `${feed.slice(0, 1).toUpperCase()}${10_000_000 + rows.length}`,
      group,
      name: textOf(draft),
      condition: draft.column,
      colour: '',
      productId: '',
      gtin: '',
      edition: '',
      version: '',
      storageColumn: '',
      network: { name: 'O2', id: '', slug: 'o2' },
      ...facts,
      label,
    };
  }

  function severalWays(): string[] {
    const ways = new Map<string, string>();
    const limit = 2 + random.below(3);
    for (const way of random.shuffled(Object.keys(WAYS))) {
      const slot = WAYS[way]?.slot ?? 'all';
      // Words that match nothing say little beside others.
      if (
        slot === 'all' ||
        slot === 'slip' ||
        slot === 'none' ||
        ways.has(slot) ||
        (BREAKING.has(way) && random.isLikely(0.9))
      )
        continue;
      ways.set(slot, way);
      if (ways.size === limit) break;
    }
    return [...ways.values()];
  }

  function written(ways: readonly string[]): Draft | undefined {
    const draft = draftName(catalogue, random);
    for (const way of ways) if (WAYS[way]?.write(draft, random, catalogue) !== true) return undefined;
    return draft;
  }

  function houseRow(group: string, ways: readonly string[]): Row | undefined {
    const draft = written(ways);
    if (draft === undefined) return undefined;
    return finish('house', group, draft, judge(draft.said, catalogue.productsByWords), {});
  }

  function idRow(group: string, write: WriteIdRow): Row | undefined {
    const product = random.pick(catalogue.products);
    const [feed, field, other] = write(product, catalogue, random);
    if (other === undefined) return undefined;
    const byName = judge(other.said, catalogue.productsByWords);
    // The column is the condition of the id's product, and both conditions of a phone share its id.
    other.column = product.condition;
    const label = judgeWithId(product, byName, other.said);
    const key = field === 'productId' ? 'id' : field;
    return finish(feed, group, other, label, { [field]: product[key] });
  }

  function declaredRow(group: string, write: WriteDeclared): Row | undefined {
    const draft = written(
      random.isLikely(0.5)
        ? ['as the maker writes it']
        : [
            random.pick([
              'RAM beside the storage',
              'words joined',
              'words split',
              'maker left out',
              '5G added or left out',
              'Plus for + or + for Plus',
              'RAM beside the storage, joined by +',
            ]),
          ],
    );
    if (draft === undefined) return undefined;
    const [feed, facts] = write(draft, random);
    return finish(feed, group, draft, judge(draft.said, catalogue.productsByWords), facts);
  }

  function networkRow(group: string, references: readonly NetworkReference[]): Row | undefined {
    const draft = written(['as the maker writes it']);
    if (draft === undefined) return undefined;
    const network = random.pick(references);
    draft.parts.after = `(${random.pick(SHOP_COLOURS)})`;
    const byName = judge(draft.said, catalogue.productsByWords);
    const label: Label =
      network.slug === undefined ? { kind: 'none', keys: [], rule: 'Networks and retailers' } : byName;
    return finish('awin', group, draft, label, { network, colour: draft.parts.after.slice(1, -1) });
  }
}

const BREAKING = new Set([
  'an accessory', 'a special edition', 'a grade beside new', 'a grade without a condition', 'storage left out', 'another storage', 'a word of a sibling added',
  'a year or generation added', 'maker and series left out', 'a word that INPUTS does not name', 'year left out', 'RAM in an uncommon form',
]); // prettier-ignore

type WriteIdRow = (
  product: Product,
  catalogue: Catalogue,
  random: Random,
) => readonly [FeedName, 'productId' | 'gtin' | 'edition' | 'version', Draft | undefined];

/** Names beside an id, a GTIN, or Awin's ids of an edition or version. */
const ID_ROWS: Readonly<Record<string, WriteIdRow>> = {
  'an id beside its own name': (product, _, random) => ['house', 'productId', sameName(product, random)],
  'an id beside the name of another product': (product, catalogue, random) => [
    'house',
    'productId',
    otherName(product, catalogue, random),
  ],
  'an id beside the name of a phone that is not in the CMS': (product, catalogue, random) => [
    'house',
    'productId',
    outsideName(product, catalogue, random),
  ],
  'an id beside a name that says too little': (product, _, random) => [
    'house',
    'productId',
    shortName(product, random),
  ],
  'a GTIN beside its own name': (product, _, random) => ['shopping', 'gtin', sameName(product, random)],
  'a GTIN beside the name of another product': (product, catalogue, random) => [
    random.isLikely(0.5) ? 'house' : 'shopping',
    'gtin',
    otherName(product, catalogue, random),
  ],
  'a GTIN beside a name that says too little': (product, _, random) => ['house', 'gtin', shortName(product, random)],
  'an edition id beside its own name': (product, _, random) => ['awin', 'edition', sameName(product, random)],
  'an edition id beside the name of another product': (product, catalogue, random) => [
    'awin',
    'edition',
    otherName(product, catalogue, random),
  ],
  'an edition id beside a name that says too little': (product, _, random) => [
    'awin',
    'edition',
    shortName(product, random),
  ],
  'a version id beside the name of another product': (product, catalogue, random) => [
    'awin',
    'version',
    otherName(product, catalogue, random),
  ],
};

function sameName(product: Product, random: Random): Draft {
  const draft = draftOf(product.phone, random, product);
  if (random.isLikely(0.7)) draft.parts.after = random.pick(KNOWN_COLOURS);
  return draft;
}

/** Half of the time a sibling: another storage, or a model that begins alike. */
function otherName(product: Product, catalogue: Catalogue, random: Random): Draft | undefined {
  const ofCondition = catalogue.products.filter(
    ({ condition, id }) => condition === product.condition && id !== product.id,
  );
  const siblings = ofCondition.filter(
    ({ phone }) => phone.maker === product.phone.maker && phone.words.slice(0, 2) === product.phone.words.slice(0, 2),
  );
  const other = random.pick(siblings.length > 0 && random.isLikely(0.5) ? siblings : ofCondition);
  return sameName(other, random);
}

function outsideName(product: Product, catalogue: Catalogue, random: Random): Draft {
  const outside = PHONE_LIST.filter((phone) => !catalogue.productsByPhone.has(phone));
  const draft = draftOf(random.pick(outside), random);
  draft.said.condition = product.condition;
  return draft;
}

function shortName(product: Product, random: Random): Draft | undefined {
  const draft = draftOf(product.phone, random, product);
  const way =
    WAYS[
      random.pick(['storage left out', 'series word left out', 'maker and series left out', 'storage without unit'])
    ];
  draft.parts.after = random.pick(['', ...KNOWN_COLOURS]);
  return way?.write(draft, random, { products: [], productsByWords: new Map(), productsByPhone: new Map() }) === true
    ? draft
    : undefined;
}

type WriteDeclared = (draft: Draft, random: Random) => readonly [FeedName, RowFacts];

/** What columns beside the name say: a colour, a storage. */
const DECLARED_ROWS: Readonly<Record<string, WriteDeclared>> = {
  'a colour that Awin declares': (draft, random) => {
    const colour = random.pick([...SHOP_COLOURS, ...KNOWN_COLOURS]);
    draft.parts.after = colour;
    return ['awin', { colour }];
  },
  'as Awin writes it': (draft, random) => {
    const colour = random.pick(SHOP_COLOURS);
    const condition = draft.said.condition === 'refurbished' ? ' Refurbished' : '';
    draft.parts.sizes = `(${[draft.parts.sizes, colour].filter((text) => text !== '').join(' ')}${condition})`;
    return ['awin', { colour }];
  },
  'a colour that Google Merchant declares': (draft, random) => {
    const colour = random.pick([...SHOP_COLOURS, ...KNOWN_COLOURS]);
    draft.parts.after = random.pick([colour, `- ${colour}`, `(${colour})`, '']);
    return ['shopping', { colour }];
  },
  'a declared colour that is not that of the name': (draft, random) => {
    const [colour = '', other = ''] = random.shuffled(KNOWN_COLOURS);
    draft.parts.after = colour;
    draft.said.contradiction = 'Ids: a stated colour column that disagrees with the name is a contradiction';
    return [random.isLikely(0.5) ? 'awin' : 'shopping', { colour: other }];
  },
  'a storage column that agrees': (draft) => {
    if (draft.said.storage === undefined) draft.said.open = 'Ids: a stated storage beside a name without one';
    return ['awin', { storageColumn: draft.size.storage === 1024 ? '1TB' : `${draft.size.storage}GB` }];
  },
  'a storage column that is not that of the name': (draft, random) => {
    if (draft.said.storage === undefined) draft.said.open = 'Ids: a stated storage beside a name without one';
    else draft.said.contradiction = 'Ids: a stated storage column that disagrees with the name is a contradiction';
    return [
      'awin',
      {
        storageColumn: random.pick(
          ['16GB', '32GB', '64GB', '128GB', '256GB', '512GB', '1TB'].filter(
            (text) => text !== `${draft.size.storage}GB` && (text !== '1TB' || draft.size.storage !== 1024),
          ),
        ),
      },
    ];
  },
};

/** References to networks by Awin's name and id; EE and Vodafone declare theirs. */
const NETWORK_ROWS: Readonly<Record<string, readonly NetworkReference[]>> = {
  'a network by name, its id one of ours': [
    { name: 'O2', id: '21', slug: 'o2' },
    { name: 'Three', id: '36', slug: 'three' },
    { name: 'O2 UK', id: '21', slug: 'o2' },
    { name: 'Three UK', id: '36', slug: 'three' },
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
};

export { keyOf, NETWORK_NAMES };
