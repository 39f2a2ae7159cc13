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
