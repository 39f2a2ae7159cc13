import { element } from '../lib/element.js';
import { formatBytes, formatCount } from '../lib/format.js';
import { createAge, formatAge, formatMoment } from './format-age.js';
import { createRow, createTable, formatNumber } from './table.js';

/** @typedef {import('../../status/status.ts').Status} Status */
/** @typedef {import('../../status/status.ts').RevisionStatus} RevisionStatus */
/** @typedef {import('../lib/element.js').Child} Child */

const COLUMNS = [{ title: 'Revision' }, { title: 'Snapshot' }, { title: 'Switch' }, { title: 'State' }];

/**
 * What `deals pull` brought from the object store; nothing where snapshots are built.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showPull({ pull, now }) {
  if (pull === undefined) return [];
  const { url, lastContactAt, announced, current, overdueSeconds, lastFailure, failures, refusals, fetchedBytes } =
    pull;
  const isPending = announced !== undefined && announced.revision !== current?.revision;
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
    createTable('revisions of the object store', COLUMNS, [
      ...(isPending ? [describeRevision(announced, now, describePending(overdueSeconds))] : []),
      ...(current === undefined
        ? []
        : [describeRevision(current, now, element('span', { class: 'tag good' }, 'current'))]),
    ]),
    ...(lastFailure === undefined
      ? []
      : [
          element(
            'p',
            {},
            element('span', { class: 'tag bad' }, `failed: ${lastFailure.step}`),
            ` ${lastFailure.message}. What to do: ${lastFailure.remedy}.`,
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

/**
 * @param {number} overdueSeconds
 * @returns {HTMLElement}
 */
function describePending(overdueSeconds) {
  return overdueSeconds === 0
    ? element('span', { class: 'tag' }, 'announced')
    : element('span', { class: 'tag warning' }, `overdue by ${formatAge(overdueSeconds)}`);
}

/**
 * @param {RevisionStatus} revision
 * @param {string} now
 * @param {Child} state
 * @returns {HTMLTableRowElement}
 */
function describeRevision({ revision, snapshot, activateAt, leadSeconds }, now, state) {
  const untilSeconds = (Date.parse(activateAt) - Date.parse(now)) / 1_000;
  return createRow(COLUMNS, [
    String(revision),
    element('code', {}, snapshot),
    [
      untilSeconds > 0 ? `in ${formatAge(untilSeconds)}, at ${formatMoment(activateAt)}` : createAge(activateAt, now),
      element('span', { class: 'muted small block' }, `lead ${formatAge(leadSeconds)}`),
    ],
    state,
  ]);
}
