import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { readLinks } from '../lib/request.js';
import { createPicture } from './picture.js';
import { describeData, formatPrice } from './show-text.js';
import { MOST_COMPARED } from './target.js';
import { splitList, togglePick, writeAddress } from './view.js';

/** @typedef {import('./answer-types.ts').Phone} Phone */
/** @typedef {import('./view.js').View} View */

const SORTS = [
  { value: 'total-cost-asc', label: 'Total cost, lowest first' },
  { value: 'contract-price-asc', label: 'Monthly price, lowest first' },
  { value: 'upfront-cost-asc', label: 'Upfront cost, lowest first' },
  { value: 'total-cost-desc', label: 'Total cost, highest first' },
  { value: 'name-asc', label: 'Name, A to Z' },
  { value: 'name-desc', label: 'Name, Z to A' },
];

/**
 * What stands over the phones: how many there are, their order, and whether versions of a model are one.
 * @param {View} view
 * @param {string} title
 * @param {(next: View) => void} go
 * @returns {HTMLElement}
 */
export function createToolbar(view, title, go) {
  const sort = element(
    'select',
    { id: 'sort', 'data-focus': 'sort' },
    ...SORTS.map(({ value, label }) => element('option', { value, selected: value === view.sort }, label)),
    // A key of the interface that this page does not offer, or one that is none.
    !SORTS.some(({ value }) => value === view.sort) &&
      element('option', { value: view.sort, selected: true }, view.sort),
  );
  sort.addEventListener('change', () => go({ ...view, sort: sort.value, cursor: '' }));
  const grouped = element('input', { type: 'checkbox', checked: view.grouped !== '', 'data-focus': 'grouped' });
  grouped.addEventListener('change', () => go({ ...view, grouped: grouped.checked ? '1' : '', cursor: '' }));
  return element(
    'div',
    { class: 'toolbar' },
    element('h1', { tabindex: -1, id: 'results-title' }, title),
    element('label', { class: 'choice' }, grouped, 'One of each model'),
    element('label', { class: 'sort', for: 'sort' }, element('span', { class: 'muted' }, 'Sort by'), sort),
  );
}

/**
 * The phones of a page, each with its picture and cheapest deal.
 * @param {View} view
 * @param {readonly Phone[]} phones
 * @param {(next: View) => void} pick
 * @returns {HTMLElement}
 */
export function createPhoneGrid(view, phones, pick) {
  return element('ul', { class: 'phones' }, ...phones.map((phone, index) => createCard(view, phone, index, pick)));
}

/**
 * Links to the other pages, from the `Link` header.
 * @param {View} view
 * @param {Headers} headers
 * @returns {HTMLElement | undefined} undefined when there is one page
 */
export function createPager(view, headers) {
  const links = readLinks(headers);
  if (Object.keys(links).length === 0) return undefined;
  const labels = [
    ['first', 'First'],
    ['prev', 'Previous'],
    ['next', 'Next'],
    ['last', 'Last'],
  ];
  return element(
    'nav',
    { class: 'pager', 'aria-label': 'Pages of phones' },
    ...labels.map(([relation = '', label = '']) => {
      const target = links[relation];
      // There is always a first and a last; on that page itself there is nowhere to go.
      const isHere =
        target === undefined ||
        (relation === 'first' && links['prev'] === undefined) ||
        (relation === 'last' && links['next'] === undefined);
      if (isHere) return element('span', { class: 'button', 'aria-disabled': 'true', role: 'link' }, label);
      const cursor = relation === 'first' ? '' : (new URL(target, location.origin).searchParams.get('cursor') ?? '');
      return element('a', { class: 'button', rel: relation, href: writeAddress({ ...view, cursor }) }, label);
    }),
  );
}

/**
 * How many phones come before this page, if the links or the previous page tell: a cursor is opaque.
 * @param {Headers} headers
 * @param {number} shownCount
 * @param {number | undefined} offset where the way here tells
 * @returns {number | undefined}
 */
export function findOffset(headers, shownCount, offset) {
  const links = readLinks(headers);
  if (links['prev'] === undefined) return 0;
  return links['next'] === undefined ? readTotal(headers, shownCount) - shownCount : offset;
}

/**
 * `25–48 of 70 phones`.
 * @param {Headers} headers
 * @param {number} shownCount
 * @param {number | undefined} offset
 * @returns {string}
 */
export function describePlace(headers, shownCount, offset) {
  const total = readTotal(headers, shownCount);
  if (total === shownCount) return formatCount(total, 'phone');
  const shown = offset === undefined ? String(shownCount) : `${offset + 1}–${offset + shownCount}`;
  return `${shown} of ${formatCount(total, 'phone')}`;
}

/**
 * @param {Headers} headers
 * @param {number} shownCount
 * @returns {number}
 */
export function readTotal(headers, shownCount) {
  return Number(headers.get('x-total-count') ?? shownCount);
}

/**
 * @param {View} view
 * @param {Phone} phone
 * @param {number} index
 * @param {(next: View) => void} pick
 * @returns {HTMLElement}
 */
function createCard(view, { id, name, slug, images, cheapestDeal }, index, pick) {
  const address = writeAddress({ ...view, phone: id, slug });
  return element(
    'li',
    { class: 'phone-card' },
    // The name next to the picture says what it shows.
    createPicture(images?.['largeFrontImageWebp'], '', { width: 100, height: 200, isLazy: index >= 8 }),
    element(
      'div',
      { class: 'phone-text' },
      element('h2', {}, element('a', { href: address, 'data-focus': `phone-${slug}` }, name)),
      ...(cheapestDeal === undefined
        ? [element('p', { class: 'muted' }, 'No deals today')]
        : describeCheapest(cheapestDeal)),
      createPick(view, name, slug, pick),
    ),
  );
}

/**
 * The box that picks a phone for the comparison.
 * @param {View} view
 * @param {string} name
 * @param {string} slug
 * @param {(next: View) => void} pick
 * @returns {HTMLElement}
 */
function createPick(view, name, slug, pick) {
  const picked = splitList(view.picked);
  const checked = picked.includes(slug);
  const disabled = !checked && picked.length >= MOST_COMPARED;
  const box = element('input', { type: 'checkbox', checked, disabled, 'data-focus': `pick-${slug}` });
  box.addEventListener('change', () => pick(togglePick(view, slug)));
  return element(
    'label',
    { class: 'choice pick' },
    box,
    element('span', {}, 'Compare', element('span', { class: 'visually-hidden' }, ` ${name}`)),
  );
}

/**
 * @param {import('./answer-types.ts').CheapestDeal} deal
 * @returns {readonly HTMLElement[]}
 */
function describeCheapest(deal) {
  const { currencyLabel: currency, upfrontProductCost: upfront } = deal;
  return [
    element(
      'p',
      { class: 'price' },
      element('strong', {}, formatPrice(deal.monthlyContractPrice, currency)),
      ' a month',
    ),
    element(
      'p',
      { class: 'muted' },
      upfront === 0 ? 'Nothing upfront' : `${formatPrice(upfront, currency)} upfront`,
      `, ${deal.contractLength} ${deal.contractLengthLabel}`,
    ),
    element('p', { class: 'total' }, `${formatPrice(deal.totalContractCost, currency)} in all`),
    element('p', { class: 'plan' }, `${describeData(deal)}, ${deal.contractSupplierName}`),
    element('p', { class: 'muted' }, `at ${deal.retailSupplierName}`),
  ];
}
