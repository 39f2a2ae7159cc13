import { FILTERS } from './view.js';

/** @typedef {import('./view.js').View} View */

export const PHONES_PER_PAGE = 24;

/** The lists whose values the filters offer. */
export const LIST_TARGETS = /** @type {const} */ ({
  networks: '/deals/v1/networks/',
  retailers: '/deals/v1/retailers/',
  manufacturers: '/deals/v1/manufacturers/',
});

/**
 * The request for the phones of a view.
 * @param {View} view
 * @returns {string}
 */
export function targetOfPhones(view) {
  const words = view.grouped === '' ? 'cheapestDeal' : 'cheapestDeal,grouped';
  return join('/deals/v1/products/', [
    ...filtersOf(view, () => true),
    `expand=products(${words})`,
    'fields=products(front,large,webp)',
    `sort=products(${encode(view.sort)})`,
    `limit=${PHONES_PER_PAGE}`,
    ...(view.cursor === '' ? [] : [`cursor=${encode(view.cursor)}`]),
  ]);
}

/**
 * The request for one phone, new and refurbished, with its deals. Filters of products are not sent: the chosen phone is
 * always shown.
 * @param {View} view
 * @returns {string}
 */
export function targetOfPhone(view) {
  return join(`/deals/v1/products/${encode(view.phone)}/`, [
    ...filtersOf(view, ({ of }) => of === 'deal'),
    'expand=products(content,specs,cheapestDeal,deals)',
    'fields=products(front,back,left,right,large,webp)',
    `sort=deals(${encode(view.dealSort)})`,
    `limit=deals(${encode(view.deals)})`,
  ]);
}

/**
 * @param {View} view
 * @param {(filter: (typeof FILTERS)[number]) => boolean} isSent
 * @returns {readonly string[]}
 */
function filtersOf(view, isSent) {
  return FILTERS.filter((filter) => view[filter.key] !== '' && isSent(filter)).map(
    ({ key, filter, operator }) => `filter[${filter}]=${operator}{${encode(view[key])}}`,
  );
}

/**
 * @param {string} path
 * @param {readonly string[]} parameters
 * @returns {string}
 */
function join(path, parameters) {
  return `${path}?${parameters.join('&')}`;
}

/**
 * Encodes what would end a value or a parameter; the rest stays readable.
 * @param {string} text
 * @returns {string}
 */
function encode(text) {
  return encodeURIComponent(text).replaceAll('%2C', ',');
}
