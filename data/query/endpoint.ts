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

/** The groups in which endpoints are shown, with what each is about. */
export const ENDPOINT_GROUPS = {
  Products: 'Phones, their texts, pictures and specifications, and the contract deals that there are for them.',
  Gifts: 'What comes free with a deal.',
  Lists: 'Every word that the filters of products know, so that a page can offer them.',
} as const;

interface EndpointText {
  /** Under which a generated client has it. */
  readonly operation: string;
  readonly group: keyof typeof ENDPOINT_GROUPS;
  readonly summary: string;
  readonly description: string;
  /** What a 200 holds. */
  readonly answer: string;
}

/** What each endpoint is for. */
export const ENDPOINT_TEXTS: Readonly<Record<EndpointName, EndpointText>> = {
  products: {
    operation: 'listProducts',
    group: 'Products',
    summary: 'Products, a page at a time',
    description:
      'Every item has `id`, `name` and `slug`; `expand` adds objects, `fields` single attributes. All filters must hold, ' +
      'those about deals on the same deal: a product without such a deal drops out. A comma within a filter means or.',
    answer: 'A page of products, and their deals when those are expanded.',
  },
  product: {
    operation: 'findProduct',
    group: 'Products',
    summary: 'One product by its id',
    description:
      'A new and a refurbished product may share an id: without `filter[condition]` both are sent. A product stays in the ' +
      'answer when no deal of it satisfies the filters; it then comes without deals.',
    answer: 'The product, perhaps new and refurbished, and its deals when those are expanded.',
  },
  giftCategories: {
    operation: 'listGiftCategories',
    group: 'Gifts',
    summary: 'Gift categories',
    description: 'All categories by numeric id, in one answer.',
    answer: 'All gift categories.',
  },
  gifts: {
    operation: 'listGifts',
    group: 'Gifts',
    summary: 'Gifts',
    description: 'All gifts by numeric id, in one answer.',
    answer: 'All gifts.',
  },
  networks: {
    operation: 'listNetworks',
    group: 'Lists',
    summary: 'Networks, the contract suppliers of deals',
    description: 'Everything that `filter[networks]` knows, by name.',
    answer: 'All networks.',
  },
  retailers: {
    operation: 'listRetailers',
    group: 'Lists',
    summary: 'Retailers, the suppliers of deals',
    description: 'Everything that `filter[retailers]` knows, by name.',
    answer: 'All retailers.',
  },
  manufacturers: {
    operation: 'listManufacturers',
    group: 'Lists',
    summary: 'Manufacturers of phones',
    description: 'Everything that `filter[manufacturers]` knows, by name.',
    answer: 'All manufacturers.',
  },
};
