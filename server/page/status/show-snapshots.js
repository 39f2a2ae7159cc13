import { element } from '../lib/element.js';
import { createAge } from './format-age.js';
import { createRow, createTable, formatNumber } from './table.js';

/** @typedef {import('../../status/status.ts').Status} Status */

const COLUMNS = [
  { title: 'Snapshot' },
  { title: 'Made' },
  { title: 'Products', isNumber: true },
  { title: 'Deals', isNumber: true },
  { title: 'Quarantined', isNumber: true },
  { title: 'State' },
];

/**
 * What the store holds, newest first.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showSnapshots({ snapshots, now }) {
  return [
    element('h2', { id: 'snapshots-title' }, 'Snapshots in the store'),
    snapshots.length === 0
      ? element('p', { class: 'muted' }, 'There are none.')
      : createTable(
          'snapshots in the store',
          COLUMNS,
          snapshots.map((stored) => describeStored(stored, now)),
        ),
  ];
}

/**
 * @param {Status['snapshots'][number]} stored
 * @param {string} now
 * @returns {HTMLTableRowElement}
 */
function describeStored(
  { id, createdAt, products, deals, quarantined, isServed, isCurrent, isRolledBack, fault },
  now,
) {
  return createRow(COLUMNS, [
    element('code', {}, id),
    createdAt === undefined ? '' : createAge(createdAt, now),
    ...[products, deals, quarantined].map((count) => (count === undefined ? '' : formatNumber(count))),
    [
      isServed && element('span', { class: 'tag good' }, 'served'),
      isRolledBack && element('span', { class: 'tag' }, 'rolled back from'),
      isCurrent && !isServed && element('span', { class: 'tag warning' }, 'current, not served'),
      fault === undefined ? undefined : element('span', { class: 'tag bad' }, fault),
    ],
  ]);
}
