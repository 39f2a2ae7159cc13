import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createAge } from './format-age.js';
import { createShortList, createTable, formatNumber } from '../lib/table.js';

/** @typedef {import('./read-status.js').Status} Status */
/** @typedef {import('../../../data/report/report.ts').ProductWithoutDeals} Phone */

/** Those that had a deal latest; the others are a press of a button away. */
const SHOWN_PHONES = 10;

/**
 * Phones that are served without a deal: what the feeds have for each, and when it last had one.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showWithoutDeals(status) {
  const { report, productNames, now } = status;
  const phones = report?.withoutDeals ?? [];
  if (phones.length === 0) return [];
  const latestFirst = phones.toSorted((a, b) => ((a.lastDeal?.at ?? '') < (b.lastDeal?.at ?? '') ? 1 : -1));
  /** @type {readonly import('../lib/table.js').Column<Phone>[]} */
  const columns = [
    {
      title: 'Phone',
      className: 'prose',
      show: (phone) => [
        `${productNames[phone.product] ?? ''} `,
        element('code', { class: 'muted' }, phone.product),
        lostItsLast(phone, status) && element('span', { class: 'tag warning change' }, 'new'),
      ],
    },
    {
      title: 'Read for it',
      className: 'number',
      show: ({ leftOut }) => formatNumber(leftOut.reduce((sum, { count }) => sum + count, 0)),
    },
    { title: 'What became of that', className: 'prose', show: ({ leftOut }) => describeLeftOutDeals(leftOut) },
    {
      title: 'Last had a deal',
      show: ({ lastDeal }) => (lastDeal === undefined ? 'not on record' : createAge(lastDeal.at, now)),
    },
  ];
  return [
    element('h2', { id: 'without-deals-title' }, 'Phones without a deal'),
    element(
      'p',
      { class: 'muted' },
      `${formatCount(phones.length, 'phone')} of the CMS ${phones.length === 1 ? 'has' : 'have'} no deal. Where nothing was read for a phone, look for its name among the phones of the feeds.`,
    ),
    createShortList(latestFirst, SHOWN_PHONES, (shown) => createTable('phones without a deal', columns, shown)),
  ];
}

/**
 * Whether it had a deal in the snapshot before.
 * @param {Phone} phone
 * @param {Pick<Status, 'served'>} status
 * @returns {boolean}
 */
export function lostItsLast({ lastDeal }, { served }) {
  return lastDeal !== undefined && lastDeal.snapshot === served?.previous;
}

/**
 * `2 out-of-stock (first H-12), 1 negative-money (H-17)`; without keys where they are not known.
 * @param {readonly { readonly code: string, readonly count: number, readonly first?: readonly { readonly record?: string | undefined }[] }[]} leftOut
 * @returns {readonly (Node | string)[]}
 */
function describeLeftOutDeals(leftOut) {
  return leftOut.flatMap(({ code, count, first: [deal] = [] }, position) => [
    `${position === 0 ? '' : ', '}${formatNumber(count)} `,
    element('code', {}, code),
    deal?.record === undefined ? '' : ` (${count === 1 ? '' : 'first '}${deal.record})`,
  ]);
}
