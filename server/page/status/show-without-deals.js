import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createAge } from './format-age.js';
import { createRow, createTable, formatNumber } from './table.js';

/** @typedef {import('../../status/status.ts').Status} Status */
/** @typedef {NonNullable<Status['withoutDeals']>['items'][number]} PhoneWithoutDeals */

/** Those that had a deal latest; the others are a press of a button away. */
const SHOWN_PHONES = 10;

const COLUMNS = [
  { title: 'Phone', className: 'prose' },
  { title: 'Read for it', isNumber: true },
  { title: 'What became of that', className: 'prose' },
  { title: 'Last had a deal' },
];

/**
 * Phones that are served without a deal: what the feeds have for each, and when it last had one.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showWithoutDeals({ withoutDeals, now }) {
  if (withoutDeals === undefined || withoutDeals.count === 0) return [];
  const { count, items } = withoutDeals;
  const frame = element('div');
  const show = (/** @type {number} */ shown) => {
    const rows = items.slice(0, shown).map((phone) => describePhone(phone, now));
    frame.replaceChildren(createTable('phones without a deal', COLUMNS, rows, { isStacked: true }));
    const more = items.length - rows.length;
    if (more > 0) {
      const press = () => show(Infinity);
      frame.append(
        element('button', { type: 'button', class: 'small', click: press }, `Show ${formatNumber(more)} more`),
      );
    } else if (count > items.length) {
      frame.append(element('p', { class: 'muted' }, `and ${formatNumber(count - items.length)} more.`));
    }
  };
  show(SHOWN_PHONES);
  return [
    element('h2', { id: 'without-deals-title' }, 'Phones without a deal'),
    element(
      'p',
      { class: 'muted' },
      `${formatCount(count, 'phone')} of the CMS ${count === 1 ? 'has' : 'have'} no deal. Where nothing was read for a phone, look for its name among the phones of the feeds.`,
    ),
    frame,
  ];
}

/**
 * @param {PhoneWithoutDeals} phone
 * @param {string} now
 * @returns {HTMLTableRowElement}
 */
function describePhone({ product, name, leftOut, lastDeal, isNew }, now) {
  return createRow(COLUMNS, [
    [
      `${name} `,
      element('code', { class: 'muted' }, product),
      isNew && ' ',
      isNew && element('span', { class: 'tag warning' }, 'new'),
    ],
    formatNumber(leftOut.reduce((sum, each) => sum + each.count, 0)),
    describeLeftOutDeals(leftOut),
    lastDeal === undefined ? 'not on record' : createAge(lastDeal.at, now),
  ]);
}

/**
 * `2 out-of-stock (first H-12), 1 negative-money (H-17)`; without keys where they are not known.
 * @param {readonly { readonly code: string, readonly count: number, readonly deals?: readonly { readonly record?: string | undefined }[] }[]} leftOut
 * @returns {readonly (Node | string)[]}
 */
export function describeLeftOutDeals(leftOut) {
  return leftOut.flatMap(({ code, count, deals: [deal] = [] }, position) => [
    `${position === 0 ? '' : ', '}${formatNumber(count)} `,
    element('code', {}, code),
    deal?.record === undefined ? '' : ` (${count === 1 ? '' : 'first '}${deal.record})`,
  ]);
}
