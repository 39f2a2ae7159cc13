import { element } from '../lib/element.js';
import { formatBytes, formatCount } from '../lib/format.js';
import { drawParts } from './chart.js';
import { createAge } from './format-age.js';
import { createTable, formatNumber } from '../lib/table.js';

/** @typedef {import('../../../data/report/report.ts').ManifestSource} Source */

/** @type {Readonly<Record<Source['state'], { readonly text: string, readonly kind: string }>>} */
const STATES = {
  fresh: { text: 'fresh', kind: 'good' },
  'carried-forward': { text: 'held', kind: 'warning' },
  failed: { text: 'failed', kind: 'bad' },
  absent: { text: 'absent', kind: 'bad' },
};

const PARTS = /** @type {const} */ ({
  kept: 'kept',
  duplicate: 'duplicate',
  outOfScope: 'out of scope',
  quarantined: 'quarantined',
});
const PART_KEYS = /** @type {(keyof typeof PARTS)[]} */ (Object.keys(PARTS));

/**
 * Where everything came from, how old it is, and what became of it.
 * @param {import('./read-status.js').Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showSources({ served, now }) {
  const sources = served?.sources ?? [];
  return [
    element('h2', { id: 'sources-title' }, 'Sources'),
    sources.length === 0
      ? element('p', { class: 'muted' }, 'The snapshot names no source.')
      : createSourceTable('sources', sources, now),
    element(
      'p',
      { class: 'legend muted small' },
      ...PART_KEYS.map((key) =>
        element('span', {}, element('span', { class: `swatch ${key}`, 'aria-hidden': 'true' }), PARTS[key]),
      ),
    ),
  ];
}

/**
 * `house is held`, for each source that is not fresh: nothing new is known of its records.
 * @param {readonly Source[]} sources
 * @returns {readonly string[]}
 */
export function describeHeld(sources) {
  const words = {
    fresh: () => [],
    'carried-forward': (/** @type {Source} */ { name }) => [`${name} is held`],
    failed: (/** @type {Source} */ { name, held = [] }) => [
      `${name} ${held.length === 0 ? 'could not be read' : 'is withdrawn'}`,
    ],
    absent: (/** @type {Source} */ { name }) => [`${name} has no file`],
  };
  return sources.flatMap((source) => words[source.state](source));
}

/**
 * @param {string} label
 * @param {readonly Source[]} sources
 * @param {string} now
 * @returns {HTMLElement}
 */
export function createSourceTable(label, sources, now) {
  const small = (/** @type {string} */ text) => element('span', { class: 'muted small block' }, text);
  /** @type {readonly import('../lib/table.js').Column<Source>[]} */
  const columns = [
    {
      title: 'Source',
      show: ({ name, kind, adapter }) => [
        element('b', {}, name),
        small(`${kind === 'cms' ? 'CMS' : 'feed'}, ${adapter}`),
      ],
    },
    {
      title: 'State',
      className: 'prose',
      show: ({ state, held = [] }) => [
        state === 'fresh' && held.length > 0
          ? element('span', { class: 'tag warning' }, 'in part held')
          : element('span', { class: `tag ${STATES[state].kind}` }, STATES[state].text),
        ...[...new Set(held.map(({ because }) => because))].map(small),
      ],
    },
    { title: 'Last fresh', show: ({ freshAt }) => (freshAt === undefined ? 'never' : createAge(freshAt, now)) },
    {
      title: 'Files first read',
      show: ({ unchangedSince }) => (unchangedSince === undefined ? '' : createAge(unchangedSince, now)),
    },
    {
      title: 'Of what was read',
      className: 'bar-cell',
      show: (source) => drawParts(PART_KEYS.map((key) => ({ label: PARTS[key], count: source[key], kind: key }))),
    },
    {
      title: 'Read',
      className: 'number',
      show: ({ read, state }) => [formatNumber(read), state === 'carried-forward' && small('earlier deals')],
    },
    { title: 'Kept', className: 'number', show: ({ kept }) => formatNumber(kept) },
    { title: 'Duplicate', className: 'number', show: ({ duplicate }) => formatNumber(duplicate) },
    { title: 'Out of scope', className: 'number', show: ({ outOfScope }) => formatNumber(outOfScope) },
    { title: 'Quarantined', className: 'number', show: ({ quarantined }) => formatNumber(quarantined) },
    {
      title: 'Files',
      className: 'number',
      show: ({ files }) => [
        formatCount(files.length, 'file'),
        small(formatBytes(files.reduce((sum, { bytes }) => sum + bytes, 0))),
      ],
    },
  ];
  return createTable(label, columns, sources);
}
