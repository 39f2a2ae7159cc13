import { element } from '../lib/element.js';
import { createPicture } from './picture.js';
import { describeOffer, formatMoney } from './show-text.js';
import { writeAddress } from './view.js';

/** @typedef {import('./answer-types.ts').Deal} Deal */
/** @typedef {import('./view.js').View} View */

/**
 * The columns with their key of `sort=deals(…)`, where the interface has one. Prices come first: a telephone shows no more
 * than them next to the plan, and the rest by scrolling.
 */
const COLUMNS = [
  { label: 'Network and plan' },
  { label: 'Monthly', sort: 'contract-price' },
  { label: 'Upfront', sort: 'upfront-cost' },
  { label: 'In all', sort: 'total-cost' },
  { label: 'Retailer' },
  { label: 'Data', sort: 'data-allowance' },
  { label: 'Length', isNumber: true },
  { label: 'Comes with' },
  { label: 'Minutes and texts' },
];

/**
 * The deals of a phone, in the order in which they came.
 * @param {View} view
 * @param {readonly Deal[]} deals
 * @param {string} currency
 * @param {string} caption
 * @param {(index: number | undefined) => void} onPoint the deal that a reader is at
 * @returns {{ readonly element: HTMLElement, readonly mark: (index: number | undefined) => void, readonly goTo: (index: number) => void }}
 */
export function createDealTable(view, deals, currency, caption, onPoint) {
  const rows = deals.map((deal, index) => {
    const row = createRow(deal, currency);
    row.addEventListener('pointerenter', () => onPoint(index));
    row.addEventListener('focusin', () => onPoint(index));
    return row;
  });
  const table = element(
    'table',
    { class: 'deals' },
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...COLUMNS.map((column) => createHead(view, column)))),
    element('tbody', { pointerleave: () => onPoint(undefined) }, ...rows),
  );
  return {
    // Wider than a telephone: it scrolls, by keys too.
    element: element(
      'div',
      { class: 'table-frame deals-frame', tabindex: 0, role: 'region', 'aria-label': 'Table of deals' },
      table,
    ),
    mark: (marked) => {
      for (const [index, row] of rows.entries()) row.classList.toggle('marked', index === marked);
    },
    goTo: (index) => {
      rows[index]?.scrollIntoView({ block: 'nearest' });
      rows[index]?.querySelector('a')?.focus({ preventScroll: true });
    },
  };
}

/**
 * @param {View} view
 * @param {{ readonly label: string, readonly sort?: string, readonly isNumber?: boolean }} column
 * @returns {HTMLElement}
 */
function createHead(view, { label, sort, isNumber = sort !== undefined }) {
  const className = isNumber ? 'number' : undefined;
  if (sort === undefined) return element('th', { scope: 'col', class: className }, label);
  const isUp = view.dealSort === `${sort}-asc`;
  const isDown = view.dealSort === `${sort}-desc`;
  const next = `${sort}-${isUp ? 'desc' : 'asc'}`;
  return element(
    'th',
    { scope: 'col', class: className, 'aria-sort': isUp ? 'ascending' : isDown ? 'descending' : 'none' },
    element(
      'a',
      { href: writeAddress({ ...view, dealSort: next }), 'data-focus': `sort-${sort}`, class: 'sort-link' },
      label,
      element('span', { 'aria-hidden': 'true', class: 'arrow' }, isUp ? '↑' : isDown ? '↓' : ''),
    ),
  );
}

/**
 * @param {Deal} deal
 * @param {string} currency
 * @returns {HTMLTableRowElement}
 */
function createRow(deal, currency) {
  const money = (/** @type {string} */ amount) => element('td', { class: 'number' }, formatMoney(amount, currency));
  const talk = [deal.friendlyCallAllowance, deal.friendlyTextAllowance];
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      element(
        'span',
        { class: 'network' },
        deal.smallNetworkImage !== '' &&
          createPicture(deal.smallNetworkImage, '', { class: 'logo', width: 36, height: 18, isLazy: true }),
        element('span', {}, deal.contractSupplierName, element('span', { class: 'plan-name' }, deal.contractName)),
      ),
    ),
    money(deal.supplierContractPrice),
    money(deal.productUpfrontCost),
    money(deal.totalDealCost),
    element('td', { class: 'retailer' }, createDealLink(deal)),
    // The head of the column says of what.
    element('td', { class: 'number' }, deal.friendlyDataAllowance.replace(/ data$/, '')),
    element('td', { class: 'number' }, deal.friendlyContractLength),
    element('td', { class: 'offer' }, describeOffer(deal, currency)),
    element(
      'td',
      { class: 'talk' },
      ...(talk.every((text) => text.startsWith('Unlimited')) ? ['Unlimited'] : [talk.join(', ')]),
    ),
  );
}

/**
 * The retailer, as a link to the deal.
 * @param {Deal} deal
 * @returns {HTMLElement | string}
 */
function createDealLink({ dealLink, supplierName }) {
  // What a feed calls a link may be anything.
  if (!/^https?:/i.test(dealLink)) return supplierName;
  return element(
    'a',
    { href: dealLink, target: '_blank', rel: 'noopener noreferrer nofollow' },
    supplierName,
    element('span', { class: 'visually-hidden' }, ' (the deal, in a new tab)'),
  );
}
