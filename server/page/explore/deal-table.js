import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createPicture } from './picture.js';
import { createDealLink, describeOffer, formatPrice } from './show-text.js';
import { writeAddress } from './view.js';

/** @typedef {import('./answer-types.ts').Deal} Deal */
/** @typedef {import('./view.js').View} View */

/** How many deals are shown at first: what follows the table is not far then. */
const FIRST_ROWS = 20;

/**
 * The columns with their key of `sort=deals(…)`, where the interface has one. Prices come first: a telephone shows them next
 * to the plan, and the rest in a line below.
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
 */
export function createDealTable(view, deals, currency, caption) {
  const rows = deals.map((deal) => createRow(deal, currency));
  const table = element(
    'table',
    { class: 'deals' },
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...COLUMNS.map((column) => createHead(view, column)))),
    element('tbody', {}, ...rows),
  );
  const more = element(
    'button',
    { type: 'button', class: 'more-deals', hidden: rows.length <= FIRST_ROWS },
    `Show all ${formatCount(rows.length, 'deal')}`,
  );
  const showRows = (/** @type {number} */ count) => {
    for (const [index, row] of rows.entries()) row.hidden = index >= count;
    more.hidden = count >= rows.length;
  };
  more.addEventListener('click', () => {
    showRows(rows.length);
    focusRow(rows[FIRST_ROWS]);
  });
  showRows(FIRST_ROWS);
  return element('div', { class: 'deals-frame' }, element('div', { class: 'table-frame' }, table), more);
}

/** @param {HTMLTableRowElement | undefined} row */
function focusRow(row) {
  // A deal without a link has nothing else to focus.
  const target = row?.querySelector('a') ?? row;
  if (target === row) row?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}

/**
 * @param {View} view
 * @param {{ readonly label: string, readonly sort?: string, readonly isNumber?: boolean }} column
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
 */
function createRow(deal, currency) {
  const money = (/** @type {string} */ amount) => element('td', { class: 'number' }, formatPrice(amount, currency));
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
        element(
          'span',
          {},
          deal.contractSupplierName,
          element('span', { class: 'plan-name muted small' }, deal.contractName),
        ),
      ),
    ),
    money(deal.supplierContractPrice),
    money(deal.productUpfrontCost),
    money(deal.totalDealCost),
    element(
      'td',
      { class: 'retailer' },
      createDealLink(deal.dealLink, { text: deal.supplierName, hidden: ' (the deal, in a new tab)' }) ??
        deal.supplierName,
    ),
    // The head of the column says of what.
    element('td', { class: 'number' }, ...withUnit(deal.friendlyDataAllowance.replace(/ data$/, ''), 'data')),
    element('td', { class: 'number' }, deal.friendlyContractLength),
    element('td', {}, describeOffer(deal, currency)),
    element(
      'td',
      {},
      ...(talk.every((text) => text.startsWith('Unlimited'))
        ? withUnit('Unlimited', 'minutes and texts')
        : [talk.join(', ')]),
    ),
  );
}

/**
 * What is unlimited is said where the head of the column is not shown.
 * @param {string} text
 * @param {string} unit
 */
function withUnit(text, unit) {
  return text === 'Unlimited' ? [text, element('span', { class: 'unit' }, ` ${unit}`)] : [text];
}
