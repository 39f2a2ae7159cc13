export type ParameterName = 'filter' | 'expand' | 'fields' | 'limit' | 'sort' | 'facets' | 'cursor';

/** The resources that a wrapper may name: `products(…)`, `deals(…)`, `giftcategories(…)`, `gifts(…)` (spec §4.1, §4.2, D26). */
export const RESOURCE_WORDS = ['products', 'deals', 'giftcategories', 'gifts'] as const;

export type ResourceWord = (typeof RESOURCE_WORDS)[number];

/** The groups of endpoints in the documentation. */
export const ENDPOINT_GROUPS = {
  Products: 'Phones, their texts, pictures and specifications, and the contract deals that there are for them.',
  Gifts: 'What comes free with a deal.',
  Lists: 'Every word that the filters of products know, so that a page can offer them.',
} as const;

interface EndpointShape {
  readonly name: string;
  readonly path: string;
  readonly parameters: readonly ParameterName[];
  /** Whose words `expand` and `fields` take. */
  readonly resource?: ResourceWord;
  /** The name of the function in a generated client. */
  readonly operation: string;
  readonly group: keyof typeof ENDPOINT_GROUPS;
  readonly summary: string;
  readonly description: string;
  /** What a 200 holds. */
  readonly response: string;
  /** Requests to the sample catalogue: path and query, without percent-encoding. */
  readonly examples: readonly (readonly [summary: string, target: string])[];
}

/** The endpoints of the interface (spec §4, D21). */
const ROWS = [
  {
    name: 'products',
    path: '/deals/v1/products/',
    parameters: ['filter', 'expand', 'fields', 'limit', 'sort', 'facets', 'cursor'],
    resource: 'products',
    operation: 'listProducts',
    group: 'Products',
    summary: 'Products, a page at a time',
    description:
      'Every item has `id`, `name` and `slug`; `expand` adds objects, `fields` single attributes. All filters must hold, ' +
      'those about deals on the same deal: a product without such a deal drops out. A comma within a filter means or.',
    response: 'A page of products, and their deals when those are expanded.',
    examples: [
      [
        'New phones with their cheapest deal, the cheapest phone first',
        '/deals/v1/products/?filter[condition]=eq{new}&expand=products(cheapestDeal)&sort=products(total-cost-asc)&limit=5',
      ],
      [
        'Free handsets on either of two networks for at most 40 a month, one phone per model, with a picture',
        '/deals/v1/products/?filter[networks]=eq{northway,quartet}&filter[upfrontCost]=eq{0}&filter[monthlyCost]=lte{40}&expand=products(grouped,cheapestDeal)&fields=products(front,large,webp)',
      ],
      [
        'What a monthly price from 20 to below 30 buys: three deals of each phone, the most data first',
        '/deals/v1/products/?filter[monthlyCost]=gte{20}&filter[monthlyCost]=lt{30}&expand=products(deals)&sort=deals(data-allowance-desc)&limit=3,deals(3)',
      ],
      [
        'What the side of a list of phones shows: how many phones each network, length and offer would leave',
        '/deals/v1/products/?filter[networks]=eq{northway}&filter[condition]=eq{new}&facets=networks,contractLength,offers&limit=3',
      ],
    ],
  },
  {
    name: 'product',
    path: '/deals/v1/products/<id>/',
    parameters: ['filter', 'expand', 'fields', 'limit', 'sort', 'cursor'],
    resource: 'products',
    operation: 'findProduct',
    group: 'Products',
    summary: 'One product by its id',
    description:
      'A new and a refurbished product may share an id: without `filter[condition]` both are sent. A product stays in the ' +
      'answer when no deal of it satisfies the filters; it then comes without deals.',
    response: 'The product, perhaps new and refurbished, and its deals when those are expanded.',
    examples: [
      [
        'One new phone with its texts, its specifications and every picture',
        '/deals/v1/products/101/?filter[condition]=eq{new}&expand=products(content,page-content,meta-data,specs,images)',
      ],
      [
        'Its deals with a gift or cashback, the lowest upfront cost first',
        '/deals/v1/products/101/?filter[condition]=eq{new}&filter[offers]=eq{gift,cashback}&expand=products(deals)&sort=deals(upfront-cost-asc)&limit=deals(10)',
      ],
      [
        'What its cheapest deal costs now, and on each day on which that was different',
        '/deals/v1/products/101/?filter[condition]=eq{new}&expand=products(cheapestDeal,priceHistory)',
      ],
    ],
  },
  {
    name: 'deals',
    path: '/deals/v1/deals/',
    parameters: ['filter', 'fields', 'limit', 'sort', 'cursor'],
    resource: 'deals',
    operation: 'listDeals',
    group: 'Products',
    summary: 'Deals of all products, a page at a time',
    description:
      'The deals that all filters let through, those about products on the product of the deal. They are the objects that ' +
      '`expand=products(deals)` adds to products.',
    response: 'A page of deals.',
    examples: [
      [
        'The cheapest deals with 100 gigabytes or more, and the products to join them by',
        '/deals/v1/deals/?filter[dataAllowance]=gte{100}&fields=deals(product-id,product-slug)&limit=5',
      ],
      [
        'The most data for nothing upfront, of two manufacturers',
        '/deals/v1/deals/?filter[upfrontCost]=eq{0}&filter[manufacturers]=eq{kestrel,aurel}&sort=deals(data-allowance-desc)&limit=5',
      ],
    ],
  },
  {
    name: 'giftCategories',
    path: '/deals/v1/gifts/categories/',
    parameters: ['expand', 'fields'],
    resource: 'giftcategories',
    operation: 'listGiftCategories',
    group: 'Gifts',
    summary: 'Gift categories',
    description: 'All categories by numeric id, in one answer.',
    response: 'All gift categories.',
    examples: [
      [
        'Every category with its texts, its picture and its gifts',
        '/deals/v1/gifts/categories/?expand=giftcategories(content,gifts)&fields=giftcategories(front,large,webp)',
      ],
    ],
  },
  {
    name: 'gifts',
    path: '/deals/v1/gifts/',
    parameters: ['fields'],
    resource: 'gifts',
    operation: 'listGifts',
    group: 'Gifts',
    summary: 'Gifts',
    description: 'All gifts by numeric id, in one answer.',
    response: 'All gifts.',
    examples: [
      ['Every gift with its heading and a picture', '/deals/v1/gifts/?fields=gifts(heading,front,large,webp)'],
    ],
  },
  createList('networks', 'listNetworks', 'Networks, the contract suppliers of deals'),
  createList('retailers', 'listRetailers', 'Retailers, the suppliers of deals'),
  createList('manufacturers', 'listManufacturers', 'Manufacturers of phones'),
] as const satisfies readonly EndpointShape[];

export type EndpointName = (typeof ROWS)[number]['name'];
export type Endpoint = EndpointShape & { readonly name: EndpointName };

export const ENDPOINTS: readonly Endpoint[] = ROWS;

/** A list of all values of a filter (D21). */
function createList<Name extends 'networks' | 'retailers' | 'manufacturers'>(
  name: Name,
  operation: string,
  summary: string,
): EndpointShape & { readonly name: Name } {
  const path = `/deals/v1/${name}/`;
  return {
    name,
    path,
    parameters: [],
    operation,
    group: 'Lists',
    summary,
    description: `Everything that \`filter[${name}]\` knows, by name.`,
    response: `All ${name}.`,
    examples: [[`The ${name}, by name`, path]],
  };
}
