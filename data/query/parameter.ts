import type { EndpointName, ParameterName, ResourceWord } from './endpoint.ts';
import {
  DEAL_SORT_KEYS,
  FIELD_WORDS,
  GIFT_CATEGORY_EXPANSION_WORDS,
  listOrders,
  PRODUCT_EXPANSION_WORDS,
  PRODUCT_SORT_KEYS,
  SORT_DIRECTIONS,
  type ValueWord,
} from './vocabulary.ts';

/** Products per page and deals per product (D15). */
export const DEFAULT_PAGE_LIMIT = 20;
export const MAX_PAGE_LIMIT = 100;
export const MAX_DEALS_PER_PRODUCT = 1_000;

/** How long pagination may continue on the previous snapshot (D15). */
export const GRACE_SECONDS = 15 * 60;

/** Longest request target in bytes (D4). */
export const MAX_TARGET_BYTES = 8 * 1024;

export interface ValueExample {
  readonly summary: string;
  readonly value: string;
}

/** What a parameter takes, for clients. Filters have a table of their own. */
export interface ParameterText {
  readonly meaning: string;
  /** The recommended spelling; `<…>` stands for a word, `|` for one or the other. */
  readonly grammar: string;
  /** All accepted spellings, except spaces around values. A matching text is never a `malformed-value`. */
  readonly pattern: string;
  readonly words: readonly ValueWord[];
  readonly examples: readonly ValueExample[];
}

/** The resource whose words `expand` and `fields` take, by endpoint. */
const RESOURCES: Readonly<Partial<Record<EndpointName, ResourceWord>>> = {
  products: 'products',
  product: 'products',
  giftCategories: 'giftcategories',
  gifts: 'gifts',
};

const ALTERNATIVE_SPELLINGS =
  'Braces may stand for the parentheses, and the wrapper may be left out; a value listed twice counts once.';

const EXPAND = {
  products: createWordList('expand', 'products', {
    words: PRODUCT_EXPANSION_WORDS,
    examples: [
      { summary: 'the cheapest deal of each product', value: 'products(cheapestDeal)' },
      { summary: 'texts and every deal', value: 'products(content,deals)' },
      { summary: 'one product per model', value: 'products(grouped,cheapestDeal)' },
      { summary: 'without the wrapper', value: 'page-content' },
    ],
  }),
  giftcategories: createWordList('expand', 'giftcategories', {
    words: GIFT_CATEGORY_EXPANSION_WORDS,
    examples: [
      { summary: 'texts, and the gifts of each category', value: 'giftcategories(content,gifts)' },
      { summary: 'pictures', value: 'giftcategories(images)' },
    ],
  }),
} as const;

const FIELDS = {
  products: createWordList('fields', 'products', {
    words: FIELD_WORDS.products,
    examples: [
      { summary: 'a heading and two specifications', value: 'products(heading,os,battery-capacity)' },
      { summary: 'one picture', value: 'products(front,large,webp)' },
      { summary: 'what a list of phones shows', value: 'products(condition,manufacturer,deal-count)' },
      { summary: 'four pictures', value: 'products(front,back,small,webp,png)' },
    ],
  }),
  giftcategories: createWordList('fields', 'giftcategories', {
    words: FIELD_WORDS.giftcategories,
    examples: [{ summary: 'a heading and a picture', value: 'giftcategories(heading,front,large,png)' }],
  }),
  gifts: createWordList('fields', 'gifts', {
    words: FIELD_WORDS.gifts,
    examples: [
      { summary: 'texts and a picture', value: 'gifts(heading,introduction,front,large,webp)' },
      { summary: 'the title of a page', value: 'gifts(meta-data-title)' },
    ],
  }),
} as const;

const DEAL_ORDER = orderPattern('deals', DEAL_SORT_KEYS);
const PRODUCT_ORDER = orderPattern('products', PRODUCT_SORT_KEYS);

const SORT: ParameterText = {
  meaning:
    'The order of deals, of products, or of both, separated by a comma. Products sort by their cheapest qualifying ' +
    'deal, those without one come last in both directions. Without it: products by numeric id, new first; deals by ' +
    'total cost.',
  grammar: `deals(<key>-${SORT_DIRECTIONS.join('|')}),products(<key>-${SORT_DIRECTIONS.join('|')})`,
  pattern: `^(?:${DEAL_ORDER}|${PRODUCT_ORDER}|${DEAL_ORDER},${PRODUCT_ORDER}|${PRODUCT_ORDER},${DEAL_ORDER})$`,
  words: [...listOrders('deals', DEAL_SORT_KEYS), ...listOrders('products', PRODUCT_SORT_KEYS)],
  examples: [
    { summary: 'products, the cheapest first', value: 'products(total-cost-asc)' },
    { summary: 'deals, the most data first', value: 'deals(data-allowance-desc)' },
    { summary: 'both', value: 'products(name-asc),deals(upfront-cost-asc)' },
  ],
};

const LIMIT: ParameterText = {
  meaning: 'How many products a page has, how many deals of each product are sent after sorting, or both.',
  grammar: '<n>,deals(<n>)',
  pattern: '^(?:[0-9]+|deals\\([0-9]+\\)|[0-9]+,deals\\([0-9]+\\)|deals\\([0-9]+\\),[0-9]+)$',
  words: [],
  examples: [
    { summary: 'five products a page', value: '5' },
    { summary: 'the first three deals of each product', value: 'deals(3)' },
    { summary: 'both', value: '5,deals(3)' },
  ],
};

const CURSOR: ParameterText = {
  meaning:
    'Where a page begins. Taken from a link of `Link` as it is: it belongs to the rest of the query, ' +
    'except `limit`, and to the snapshot of the first page.',
  grammar: '<opaque>',
  pattern: '^[\\s\\S]*\\S[\\s\\S]*$',
  words: [],
  examples: [],
};

/** What a parameter of an endpoint takes; undefined for one that the endpoint does not have. */
export function findParameterText(
  endpoint: EndpointName,
  parameter: Exclude<ParameterName, 'filter'>,
): ParameterText | undefined {
  const resource = RESOURCES[endpoint];
  switch (parameter) {
    case 'expand':
      return resource === undefined || resource === 'gifts' ? undefined : EXPAND[resource];
    case 'fields':
      return resource === undefined ? undefined : FIELDS[resource];
    case 'sort':
      return SORT;
    case 'limit':
      return LIMIT;
    case 'cursor':
      return CURSOR;
  }
}

function createWordList(
  parameter: 'expand' | 'fields',
  resource: ResourceWord,
  { words, examples }: Pick<ParameterText, 'words' | 'examples'>,
): ParameterText {
  const list = '[A-Za-z0-9-]+(?:,[A-Za-z0-9-]+)*';
  const meaning = {
    expand: 'Adds whole objects to every item.',
    fields:
      'Chooses single attributes: an item then has `id`, `name`, `slug` and only these. Where `expand` names the same ' +
      'group, `fields` narrows it.',
  }[parameter];
  return {
    meaning: `${meaning} ${ALTERNATIVE_SPELLINGS}`,
    grammar: `${resource}(<word>,<word>,…)`,
    pattern: `^(?:${resource}\\(${list}\\)|${resource}\\{${list}\\}|${list})$`,
    words,
    examples,
  };
}

function orderPattern(wrapper: 'deals' | 'products', keys: readonly string[]): string {
  return `${wrapper}\\((?:${keys.join('|')})-(?:${SORT_DIRECTIONS.join('|')})\\)`;
}
