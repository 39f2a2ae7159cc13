import { FILTERS, pageOf, splitList } from './view.js';

/** @typedef {import('./answer-types.ts').Phone} Phone */
/** @typedef {import('./view.js').View} View */

/** The most phones side by side. */
export const MOST_COMPARED = 4;

const PHONES_PER_PAGE = 24;

/** The lists whose values the filters offer. */
export const LIST_TARGETS = /** @type {const} */ ({
  networks: '/deals/v1/networks/',
  retailers: '/deals/v1/retailers/',
  manufacturers: '/deals/v1/manufacturers/',
});

const GIFT_CATEGORIES_TARGET =
  '/deals/v1/gifts/categories/?expand=giftcategories(content,gifts)&fields=giftcategories(front,large,webp)';

export const GIFTS_TARGET = '/deals/v1/gifts/?fields=gifts(introduction,front,large,webp)';

/**
 * The request behind a view.
 * @param {View} view
 */
export function targetOf(view) {
  switch (pageOf(view)) {
    case 'phones':
      return targetOfPhones(view);
    case 'phone':
      return targetOfPhone(view);
    case 'compare':
      return targetOfCompared(view);
    case 'gifts':
      return GIFT_CATEGORIES_TARGET;
  }
}

/**
 * The request for the phones among which those of the same model are: the interface has no filter for it. Words that the
 * model and the name of the phone share are in the names of the others.
 * @param {Phone} phone
 * @returns {string | undefined} undefined without a model
 */
export function targetOfSiblings({ name, model, manufacturer }) {
  if (model === undefined) return undefined;
  const ofModel = model.split('-');
  const words = (name.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => ofModel.includes(word));
  const filters = [
    manufacturer === undefined ? '' : `filter[manufacturers]=eq{${encode(manufacturer.slug)}}`,
    words.length === 0 ? '' : `filter[name]=has{${encode(words.slice(0, 10).join(' '))}}`,
  ].filter((filter) => filter !== '');
  return join('/deals/v1/products/', [
    ...filters,
    'expand=products(cheapestDeal)',
    'fields=products(condition,model)',
    'sort=products(name-asc)',
    'limit=100',
  ]);
}

/**
 * The request for what phones are called.
 * @param {readonly string[]} slugs
 */
export function targetOfNames(slugs) {
  return join('/deals/v1/products/', [`filter[slug]=eq{${slugs.map(encode).join(',')}}`, `limit=${slugs.length}`]);
}

/**
 * The request for the phones of a view.
 * @param {View} view
 */
function targetOfPhones(view) {
  const words = view.grouped === '' ? 'cheapestDeal' : 'cheapestDeal,grouped';
  return join('/deals/v1/products/', [
    ...filtersOf(view, () => true),
    `expand=products(${words})`,
    'fields=products(front,large,webp)',
    'facets=networks,retailers,manufacturers,condition,offers',
    `sort=products(${encode(view.sort)})`,
    `limit=${PHONES_PER_PAGE}`,
    ...(view.cursor === '' ? [] : [`cursor=${encode(view.cursor)}`]),
  ]);
}

/**
 * The request for one phone, new and refurbished, with its deals. Filters of products are not sent: the chosen phone is
 * always shown.
 * @param {View} view
 */
function targetOfPhone(view) {
  return join(`/deals/v1/products/${encode(view.phone)}/`, [
    ...filtersOf(view, ({ of }) => of === 'deal'),
    'expand=products(content,specs,cheapestDeal,priceHistory,deals)',
    'fields=products(condition,manufacturer,model,front,back,left,right,large,webp)',
    `sort=deals(${encode(view.dealSort)})`,
    `limit=deals(${encode(view.deals)})`,
  ]);
}

/**
 * The request for the phones that are compared.
 * @param {View} view
 */
function targetOfCompared(view) {
  const slugs = splitList(view.picked).slice(0, MOST_COMPARED).map(encode);
  return join('/deals/v1/products/', [
    ...filtersOf(view, ({ of }) => of === 'deal'),
    `filter[slug]=eq{${slugs.join(',')}}`,
    'expand=products(specs,cheapestDeal)',
    'fields=products(condition,front,large,webp)',
    `limit=${MOST_COMPARED}`,
  ]);
}

/**
 * @param {View} view
 * @param {(filter: (typeof FILTERS)[number]) => boolean} isSent
 */
function filtersOf(view, isSent) {
  return FILTERS.filter((filter) => view[filter.key] !== '' && isSent(filter)).map(
    ({ key, filter, operator }) => `filter[${filter}]=${operator}{${encode(view[key])}}`,
  );
}

/**
 * @param {string} path
 * @param {readonly string[]} parameters
 */
function join(path, parameters) {
  return `${path}?${parameters.join('&')}`;
}

/**
 * Encodes what would end a value or a parameter; the rest stays readable.
 * @param {string} text
 */
function encode(text) {
  return encodeURIComponent(text).replaceAll('%2C', ',');
}
