import { element } from '../lib/element.js';
import { readLinks } from '../lib/request.js';
import { createPicture } from './picture.js';
import { describeCheapest } from './show-text.js';
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
 * @param {View} view
 * @param {Phone} phone
 * @param {number} index
 * @param {(next: View) => void} pick
 */
function createCard(view, { id, name, slug, images, cheapestDeal }, index, pick) {
  const address = writeAddress({ ...view, phone: id, slug });
  return element(
    'li',
    { class: 'panel phone-card' },
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
