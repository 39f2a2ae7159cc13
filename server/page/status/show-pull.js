import { element } from '../lib/element.js';
import { formatBytes, formatCount } from '../lib/format.js';
import { createAge, formatAge, formatMoment } from './format-age.js';
import { createTable, formatNumber } from './table.js';

/** @typedef {NonNullable<import('../../../data/store/pull-state.ts').PullStatus['current']>} Revision */

/**
 * What `deals pull` brought from the object store; nothing where snapshots are built.
 * @param {import('./read-status.js').Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showPull({ pull, now }) {
  if (pull === undefined) return [];
  const { url, lastContactAt, announced, current, overdueSeconds, lastFailure, failures, refusals, fetchedBytes } =
    pull;
  const revisions = [announced, current].filter(
    (revision, i, all) => revision !== undefined && (i > 0 || revision.revision !== all[1]?.revision),
  );
  const pending = overdueSeconds === 0 ? 'announced' : `overdue by ${formatAge(overdueSeconds)}`;
  /** @type {readonly import('./table.js').Column<Revision>[]} */
  const columns = [
    { title: 'Revision', show: ({ revision }) => String(revision) },
    { title: 'Snapshot', show: ({ snapshot }) => element('code', {}, snapshot) },
    {
      title: 'Switch',
      show: ({ activateAt, leadSeconds }) => {
        const untilSeconds = (Date.parse(activateAt) - Date.parse(now)) / 1_000;
        return [
          untilSeconds > 0
            ? `in ${formatAge(untilSeconds)}, at ${formatMoment(activateAt)}`
            : createAge(activateAt, now),
          element('span', { class: 'muted small block' }, `lead ${formatAge(leadSeconds)}`),
        ];
      },
    },
    {
      title: 'State',
      show: (revision) =>
        revision === current
          ? element('span', { class: 'tag good' }, 'current')
          : element('span', { class: overdueSeconds === 0 ? 'tag' : 'tag warning' }, pending),
    },
  ];
  const failed = Object.entries(failures).map(([step, count]) => `${step} ${formatNumber(count)}`);
  return [
    element('h2', { id: 'pull-title' }, 'From the object store'),
    element(
      'p',
      {},
      element('code', {}, url),
      ' last answered ',
      lastContactAt === undefined ? 'never' : createAge(lastContactAt, now),
    ),
    createTable('revisions of the object store', columns, /** @type {Revision[]} */ (revisions)),
    ...(lastFailure === undefined
      ? []
      : [
          element(
            'p',
            {},
            element('span', { class: 'tag bad' }, `failed: ${lastFailure.step}`),
            ` ${lastFailure.message}.`,
          ),
        ]),
    element(
      'p',
      { class: 'muted small' },
      `${formatBytes(fetchedBytes)} fetched; ${formatCount(refusals, 'record')} refused; `,
      failed.length === 0 ? 'no look failed.' : `looks that failed, by step: ${failed.join(', ')}.`,
    ),
  ];
}
