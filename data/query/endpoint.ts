/** The endpoints of the interface (spec §4, D21) with the parameters that each takes. */
export const ENDPOINTS = [
  {
    name: 'products',
    path: '/deals/v1/products/',
    parameters: ['filter', 'expand', 'fields', 'limit', 'sort', 'cursor'],
  },
  {
    name: 'product',
    path: '/deals/v1/products/<id>/',
    parameters: ['filter', 'expand', 'fields', 'limit', 'sort', 'cursor'],
  },
  { name: 'giftCategories', path: '/deals/v1/gifts/categories/', parameters: ['expand', 'fields'] },
  { name: 'gifts', path: '/deals/v1/gifts/', parameters: ['fields'] },
  { name: 'networks', path: '/deals/v1/networks/', parameters: [] },
  { name: 'retailers', path: '/deals/v1/retailers/', parameters: [] },
  { name: 'manufacturers', path: '/deals/v1/manufacturers/', parameters: [] },
] as const satisfies readonly { name: string; path: string; parameters: readonly ParameterName[] }[];

export type ParameterName = 'filter' | 'expand' | 'fields' | 'limit' | 'sort' | 'cursor';
export type EndpointName = (typeof ENDPOINTS)[number]['name'];

/** The groups of endpoints in the documentation. */
export const ENDPOINT_GROUPS = {
  Products: 'Phones, their texts, pictures and specifications, and the contract deals that there are for them.',
  Gifts: 'What comes free with a deal.',
  Lists: 'Every word that the filters of products know, so that a page can offer them.',
} as const;

interface EndpointText {
  /** The name of the function in a generated client. */
  readonly operation: string;
  readonly group: keyof typeof ENDPOINT_GROUPS;
  readonly summary: string;
  readonly description: string;
  /** What a 200 holds. */
  readonly response: string;
}

export const ENDPOINT_TEXTS: Readonly<Record<EndpointName, EndpointText>> = {
  products: {
    operation: 'listProducts',
    group: 'Products',
    summary: 'Products, a page at a time',
    description:
      'Every item has `id`, `name` and `slug`; `expand` adds objects, `fields` single attributes. All filters must hold, ' +
      'those about deals on the same deal: a product without such a deal drops out. A comma within a filter means or.',
    response: 'A page of products, and their deals when those are expanded.',
  },
  product: {
    operation: 'findProduct',
    group: 'Products',
    summary: 'One product by its id',
    description:
      'A new and a refurbished product may share an id: without `filter[condition]` both are sent. A product stays in the ' +
      'answer when no deal of it satisfies the filters; it then comes without deals.',
    response: 'The product, perhaps new and refurbished, and its deals when those are expanded.',
  },
  giftCategories: {
    operation: 'listGiftCategories',
    group: 'Gifts',
    summary: 'Gift categories',
    description: 'All categories by numeric id, in one answer.',
    response: 'All gift categories.',
  },
  gifts: {
    operation: 'listGifts',
    group: 'Gifts',
    summary: 'Gifts',
    description: 'All gifts by numeric id, in one answer.',
    response: 'All gifts.',
  },
  networks: {
    operation: 'listNetworks',
    group: 'Lists',
    summary: 'Networks, the contract suppliers of deals',
    description: 'Everything that `filter[networks]` knows, by name.',
    response: 'All networks.',
  },
  retailers: {
    operation: 'listRetailers',
    group: 'Lists',
    summary: 'Retailers, the suppliers of deals',
    description: 'Everything that `filter[retailers]` knows, by name.',
    response: 'All retailers.',
  },
  manufacturers: {
    operation: 'listManufacturers',
    group: 'Lists',
    summary: 'Manufacturers of phones',
    description: 'Everything that `filter[manufacturers]` knows, by name.',
    response: 'All manufacturers.',
  },
};

/** The resource that a wrapper may name: `products(…)`, `giftcategories(…)`, `gifts(…)` (spec §4.1, §4.2). */
export const RESOURCE_WORDS = ['products', 'giftcategories', 'gifts'] as const;

export type ResourceWord = (typeof RESOURCE_WORDS)[number];

/** A request to the sample catalogue, without percent-encoding. */
export interface ExampleRequest {
  readonly summary: string;
  readonly target: string;
}

/** Example requests by endpoint. */
export const EXAMPLE_REQUESTS: Readonly<Record<EndpointName, readonly ExampleRequest[]>> = {
  products: [
    {
      summary: 'New phones with their cheapest deal, the cheapest phone first',
      target:
        '/deals/v1/products/?filter[condition]=eq{new}&expand=products(cheapestDeal)&sort=products(total-cost-asc)&limit=5',
    },
    {
      summary: 'Free handsets on either of two networks for at most 40 a month, one phone per model, with a picture',
      target:
        '/deals/v1/products/?filter[networks]=eq{northway,quartet}&filter[upfrontCost]=eq{0}&filter[monthlyCost]=lte{40}&expand=products(grouped,cheapestDeal)&fields=products(front,large,webp)',
    },
    {
      summary: 'What a monthly price from 20 to below 30 buys: three deals of each phone, the most data first',
      target:
        '/deals/v1/products/?filter[monthlyCost]=gte{20}&filter[monthlyCost]=lt{30}&expand=products(deals)&sort=deals(data-allowance-desc)&limit=3,deals(3)',
    },
  ],
  product: [
    {
      summary: 'One new phone with its texts, its specifications and every picture',
      target:
        '/deals/v1/products/101/?filter[condition]=eq{new}&expand=products(content,page-content,meta-data,specs,images)',
    },
    {
      summary: 'Its deals with a gift or cashback, the lowest upfront cost first',
      target:
        '/deals/v1/products/101/?filter[condition]=eq{new}&filter[offers]=eq{gift,cashback}&expand=products(deals)&sort=deals(upfront-cost-asc)&limit=deals(10)',
    },
    {
      summary: 'What its cheapest deal costs now, and on each day on which that was different',
      target: '/deals/v1/products/101/?filter[condition]=eq{new}&expand=products(cheapestDeal,priceHistory)',
    },
  ],
  giftCategories: [
    {
      summary: 'Every category with its texts, its picture and its gifts',
      target:
        '/deals/v1/gifts/categories/?expand=giftcategories(content,gifts)&fields=giftcategories(front,large,webp)',
    },
  ],
  gifts: [
    {
      summary: 'Every gift with its heading and a picture',
      target: '/deals/v1/gifts/?fields=gifts(heading,front,large,webp)',
    },
  ],
  networks: [{ summary: 'The networks, by name', target: '/deals/v1/networks/' }],
  retailers: [{ summary: 'The retailers, by name', target: '/deals/v1/retailers/' }],
  manufacturers: [{ summary: 'The manufacturers, by name', target: '/deals/v1/manufacturers/' }],
};
