import { FACETS, FILTERS } from './filter.ts';
import type { Endpoint, ParameterName, ResourceWord } from './endpoint.ts';
import {
  DEAL_SORT_KEYS,
  EXPANSION_WORDS,
  FIELD_WORDS,
  PRODUCT_SORT_KEYS,
  SORT_DIRECTIONS,
  SORT_WORDS,
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

type ValueExample = readonly [summary: string, value: string];

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

const DIRECTIONS = SORT_DIRECTIONS.join('|');
const [DEAL_ORDER, PRODUCT_ORDER] = [
  `deals\\((?:${DEAL_SORT_KEYS.join('|')})-(?:${DIRECTIONS})\\)`,
  `products\\((?:${PRODUCT_SORT_KEYS.join('|')})-(?:${DIRECTIONS})\\)`,
];

/** Of the list of deals (D27). */
const DEAL_TEXTS = {
  sort: {
    meaning: 'The order of the deals; without it by total cost.',
    grammar: `deals(<key>-${DIRECTIONS})`,
    pattern: `^${DEAL_ORDER}$`,
    words: SORT_WORDS.deals,
    examples: [['the most data first', 'deals(data-allowance-desc)']],
  },
  limit: {
    meaning: `How many deals a page has, 1 to ${MAX_PAGE_LIMIT}; ${DEFAULT_PAGE_LIMIT} without it.`,
    grammar: '<n>',
    pattern: '^[0-9]+$',
    words: [],
    examples: [['fifty deals a page', '50']],
  },
} as const satisfies Record<string, ParameterText>;

const TEXTS = {
  sort: {
    meaning:
      'The order of deals, of products, or of both, separated by a comma. Products sort by their cheapest qualifying ' +
      'deal, those without one come last in both directions. Without it: products by numeric id, new first; deals by ' +
      'total cost.',
    grammar: `deals(<key>-${DIRECTIONS}),products(<key>-${DIRECTIONS})`,
    pattern: `^(?:${DEAL_ORDER}|${PRODUCT_ORDER}|${DEAL_ORDER},${PRODUCT_ORDER}|${PRODUCT_ORDER},${DEAL_ORDER})$`,
    words: [...SORT_WORDS.deals, ...SORT_WORDS.products],
    examples: [
      ['products, the cheapest first', 'products(total-cost-asc)'],
      ['deals, the most data first', 'deals(data-allowance-desc)'],
      ['both', 'products(name-asc),deals(upfront-cost-asc)'],
    ],
  },
  limit: {
    meaning:
      'How many products a page has, how many deals of each product are sent after sorting, or both. A page has 1 to ' +
      `${MAX_PAGE_LIMIT} products, ${DEFAULT_PAGE_LIMIT} without \`limit\`; of deals 1 to ${MAX_DEALS_PER_PRODUCT} for each ` +
      'product, all of them without `limit`.',
    grammar: '<n>,deals(<n>)',
    pattern: '^(?:[0-9]+|deals\\([0-9]+\\)|[0-9]+,deals\\([0-9]+\\)|deals\\([0-9]+\\),[0-9]+)$',
    words: [],
    examples: [
      ['five products a page', '5'],
      ['the first three deals of each product', 'deals(3)'],
      ['both', '5,deals(3)'],
    ],
  },
  facets: {
    meaning:
      'Counts products for each value of these filters: `count` is the `X-Total-Count` that the same request would have with ' +
      'the value in place of what the request has for that filter. Values that would find nothing are left out.',
    grammar: '<word>,<word>,…',
    pattern: `^(?:${FACETS.join('|')})(?:,(?:${FACETS.join('|')}))*$`,
    words: FILTERS.filter(({ isFacet }) => isFacet).map(({ name, effect }) => ({
      word: name,
      effect: `counts by \`filter[${name}]\`: ${effect}`,
    })),
    examples: [
      ['networks and lengths', 'networks,contractLength'],
      ['all that a page can show at its side', FACETS.join(',')],
    ],
  },
  cursor: {
    meaning:
      'Where a page begins. Taken from a link of `Link` as it is: it belongs to the rest of the query, ' +
      'except `limit`, and to the snapshot of the first page.',
    grammar: '<opaque>',
    pattern: '^[\\s\\S]*\\S[\\s\\S]*$',
    words: [],
    examples: [],
  },
} as const satisfies Record<string, ParameterText>;

/** Examples of `expand` and `fields` for each resource that has them. */
const LIST_EXAMPLES: Readonly<Record<'expand' | 'fields', Readonly<Record<ResourceWord, readonly ValueExample[]>>>> = {
  expand: {
    products: [
      ['the cheapest deal of each product', 'products(cheapestDeal)'],
      ['texts and every deal', 'products(content,deals)'],
      ['one product per model', 'products(grouped,cheapestDeal)'],
      ['without the wrapper', 'page-content'],
    ],
    deals: [],
    giftcategories: [
      ['texts, and the gifts of each category', 'giftcategories(content,gifts)'],
      ['pictures', 'giftcategories(images)'],
    ],
    gifts: [],
  },
  fields: {
    products: [
      ['a heading and two specifications', 'products(heading,os,battery-capacity)'],
      ['one picture', 'products(front,large,webp)'],
      ['what a list of phones shows', 'products(condition,manufacturer,deal-count)'],
      ['four pictures', 'products(front,back,small,webp,png)'],
      ['the product of each deal, to join it by', 'deals(product-id,product-slug)'],
    ],
    deals: [['the product of each deal, to join it by', 'deals(product-id,product-slug)']],
    giftcategories: [['a heading and a picture', 'giftcategories(heading,front,large,png)']],
    gifts: [
      ['texts and a picture', 'gifts(heading,introduction,front,large,webp)'],
      ['the title of a page', 'gifts(meta-data-title)'],
    ],
  },
};

/** What a parameter of an endpoint takes, under a name: endpoints that share the text share the name. */
export function findParameterText(
  { name, resource = 'products' }: Endpoint,
  parameter: Exclude<ParameterName, 'filter'>,
): ParameterText & { readonly component: string } {
  // A product is one of the products.
  const component = `${parameter}-${name === 'product' ? 'products' : name}`;
  if (parameter === 'expand' || parameter === 'fields') return { component, ...describeList(parameter, resource) };
  if (name === 'deals' && parameter !== 'facets' && parameter !== 'cursor') {
    return { component, ...DEAL_TEXTS[parameter] };
  }
  return { component: parameter, ...TEXTS[parameter] };
}

function describeList(parameter: 'expand' | 'fields', resource: ResourceWord): ParameterText {
  const list = '[A-Za-z0-9-]+(?:,[A-Za-z0-9-]+)*';
  const meaning = {
    expand: 'Adds whole objects to every item.',
    fields: 'Adds single attributes to each item. Where `expand` names the same group, `fields` narrows it.',
  }[parameter];
  const own = `(?:${resource}\\(${list}\\)|${resource}\\{${list}\\}|${list})`;
  const ofDeals = `deals(?:\\(${list}\\)|\\{${list}\\})`;
  const hasDeals = parameter === 'fields' && resource === 'products';
  const wrapped = FIELD_WORDS.deals.map(({ word, effect }) => ({ word: `deals(${word})`, effect }));
  return {
    meaning: `${meaning} Braces may stand for the parentheses, and the wrapper may be left out; a value listed twice counts once.`,
    grammar: `${resource}(<word>,<word>,…)${hasDeals ? ',deals(<word>,<word>,…)' : ''}`,
    pattern: hasDeals ? `^(?:${own}|${ofDeals}|${own},${ofDeals}|${ofDeals},${own})$` : `^${own}$`,
    words:
      parameter === 'expand' ? EXPANSION_WORDS[resource] : [...FIELD_WORDS[resource], ...(hasDeals ? wrapped : [])],
    examples: LIST_EXAMPLES[parameter][resource],
  };
}
