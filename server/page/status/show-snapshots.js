import { element } from '../lib/element.js';
import { createAge } from './format-age.js';
import { createTable, formatNumber } from '../lib/table.js';

/** @typedef {import('../../../data/store/snapshots.ts').ListedSnapshot} StoredSnapshot */

/**
 * What the store holds, newest first.
 * @param {import('./read-status.js').Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showSnapshots({ snapshots, served, now }) {
  const count = (/** @type {'products' | 'deals' | 'quarantined'} */ key) => (/** @type {StoredSnapshot} */ stored) =>
    stored.counts === undefined ? '' : formatNumber(stored.counts[key]);
  /** @type {readonly import('../lib/table.js').Column<StoredSnapshot>[]} */
  const columns = [
    { title: 'Snapshot', show: ({ id }) => element('code', {}, id) },
    { title: 'Made', show: ({ createdAt }) => (createdAt === undefined ? '' : createAge(createdAt, now)) },
    { title: 'Products', className: 'number', show: count('products') },
    { title: 'Deals', className: 'number', show: count('deals') },
    { title: 'Quarantined', className: 'number', show: count('quarantined') },
    {
      title: 'State',
      show: ({ id, isCurrent, isRolledBack, fault }) => [
        id === served?.id && element('span', { class: 'tag good' }, 'served'),
        isRolledBack && element('span', { class: 'tag' }, 'rolled back from'),
        isCurrent && id !== served?.id && element('span', { class: 'tag warning' }, 'current, not served'),
        fault !== undefined && element('span', { class: 'tag bad' }, fault),
      ],
    },
  ];
  return [
    element('h2', { id: 'snapshots-title' }, 'Snapshots in the store'),
    snapshots.length === 0
      ? element('p', { class: 'muted' }, 'There are none.')
      : createTable('snapshots in the store', columns, snapshots),
  ];
}
