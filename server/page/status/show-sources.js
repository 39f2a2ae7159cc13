import { element } from '../lib/element.js';
import { formatBytes, formatCount } from '../lib/format.js';
import { drawParts } from './chart.js';
import { createAge } from './format-age.js';
import { createRow, createTable, formatNumber } from './table.js';

/** @typedef {import('../../status/status.ts').Status} Status */
/** @typedef {import('../../status/status.ts').SourceStatus} SourceStatus */

/** @type {Readonly<Record<SourceStatus['state'], { readonly text: string, readonly kind: string }>>} */
const STATES = {
  fresh: { text: 'fresh', kind: 'good' },
  'carried-forward': { text: 'held', kind: 'warning' },
  failed: { text: 'failed', kind: 'bad' },
  absent: { text: 'absent', kind: 'bad' },
};

const COLUMNS = [
  { title: 'Source' },
  { title: 'State' },
  { title: 'Last fresh' },
  { title: 'Files first read' },
  { title: 'Of what was read', className: 'bar-cell' },
  { title: 'Read', isNumber: true },
  { title: 'Kept', isNumber: true },
  { title: 'Duplicate', isNumber: true },
  { title: 'Out of scope', isNumber: true },
  { title: 'Quarantined', isNumber: true },
  { title: 'Files', isNumber: true },
];

const LEGEND = [
  { kind: 'kept', label: 'kept' },
  { kind: 'duplicate', label: 'duplicate' },
  { kind: 'out-of-scope', label: 'out of scope' },
  { kind: 'quarantined', label: 'quarantined' },
];

/**
 * Where everything came from, how old it is, and what became of it.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showSources({ sources, now }) {
  return [
    element('h2', { id: 'sources-title' }, 'Sources'),
    sources.length === 0
      ? element('p', { class: 'muted' }, 'The snapshot names no source.')
      : createSourceTable('sources', sources, now),
    element(
      'p',
      { class: 'legend muted small' },
      ...LEGEND.map(({ kind, label }) =>
        element('span', {}, element('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }), label),
      ),
    ),
  ];
}

/**
 * `house is held`, for each source that is not fresh: nothing new is known of its records.
 * @param {readonly SourceStatus[]} sources
 * @returns {readonly string[]}
 */
export function describeHeld(sources) {
  return sources.flatMap(({ name, state, heldBecause }) => {
    switch (state) {
      case 'fresh':
        return [];
      case 'carried-forward':
        return [`${name} is held`];
      case 'failed':
        return [`${name} ${heldBecause === undefined ? 'could not be read' : 'is withdrawn'}`];
      case 'absent':
        return [`${name} has no file`];
    }
  });
}

/**
 * @param {string} label
 * @param {readonly SourceStatus[]} sources
 * @param {string} now
 * @returns {HTMLElement}
 */
export function createSourceTable(label, sources, now) {
  return createTable(
    label,
    COLUMNS,
    sources.map((source) => describeSource(source, now)),
  );
}

/**
 * @param {SourceStatus} source
 * @param {string} now
 * @returns {HTMLTableRowElement}
 */
function describeSource(source, now) {
  const { name, kind, adapter, state, freshAt, heldBecause, unchangedSince } = source;
  const { read, kept, duplicate, outOfScope, quarantined } = source;
  return createRow(COLUMNS, [
    [
      element('b', {}, name),
      element('span', { class: 'muted small block' }, `${kind === 'cms' ? 'CMS' : 'feed'}, ${adapter}`),
    ],
    [
      element('span', { class: `tag ${STATES[state].kind}` }, STATES[state].text),
      heldBecause !== undefined && element('span', { class: 'muted small block' }, heldBecause),
    ],
    freshAt === undefined ? 'never' : createAge(freshAt, now),
    unchangedSince === undefined ? '' : createAge(unchangedSince, now),
    drawParts([
      { label: 'kept', count: kept, kind: 'kept' },
      { label: 'duplicate', count: duplicate, kind: 'duplicate' },
      { label: 'out of scope', count: outOfScope, kind: 'out-of-scope' },
      { label: 'quarantined', count: quarantined, kind: 'quarantined' },
    ]),
    [
      formatNumber(read),
      state === 'carried-forward' && element('span', { class: 'muted small block' }, 'earlier deals'),
    ],
    ...[kept, duplicate, outOfScope, quarantined].map(formatNumber),
    [formatCount(source.fileCount, 'file'), element('span', { class: 'muted small block' }, formatBytes(source.bytes))],
  ]);
}
