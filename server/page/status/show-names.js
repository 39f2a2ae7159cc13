import { createCopyButton } from '../lib/copy-button.js';
import { element } from '../lib/element.js';
import { createShortList, createTable, formatNumber } from '../lib/table.js';
import { withCode } from './with-code.js';

/** @typedef {import('../../../data/report/report.ts').SnapshotReport['unmatchedNames'][number]} UnmatchedName */

/** Those with the most deals; the others are a press of a button away. */
const SHOWN_NAMES = 10;

/** The names of the products being served. @type {Readonly<Record<string, string>>} */
let productNames = {};

/** @type {import('./read-status.js').Status['codes'] | undefined} */
let codes;

/**
 * Phones of the feeds that found no product, those with the most deals first: the list that wins deals.
 * @param {import('./read-status.js').Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showNames(status) {
  ({ productNames, codes } = status);
  const names = status.report?.unmatchedNames ?? [];
  if (names.length === 0) return [];
  return [
    element('h2', { id: 'names-title' }, 'Phones of the feeds without a product'),
    element(
      'p',
      { class: 'muted' },
      'Add a name to ',
      element('code', {}, 'matches'),
      ' of the right product, add the product itself, or publish the one that is left out, and the next build has their deals.',
    ),
    createShortList(names, SHOWN_NAMES, (shown) => createNameTable('phones of the feeds without a product', shown)),
  ];
}

/** @type {readonly import('../lib/table.js').Column<UnmatchedName>[]} */
const COLUMNS = [
  { title: 'What the feed calls it', show: ({ field, name }) => (field === undefined ? name : `${field} ${name}`) },
  { title: 'Feed', show: ({ feed }) => feed },
  { title: 'Deals', className: 'number', show: ({ dealCount }) => formatNumber(dealCount) },
  { title: 'Nearest products', className: 'prose', show: describeNearest },
  { title: 'What to do', className: 'prose', show: describeRemedy },
];

/**
 * @param {string} label
 * @param {readonly UnmatchedName[]} names
 * @returns {HTMLElement}
 */
function createNameTable(label, names) {
  return createTable(label, COLUMNS, names);
}

/** @param {UnmatchedName} unmatched */
function describeNearest({ nearest }) {
  return nearest.map((product) =>
    element(
      'span',
      { class: 'block' },
      `${productNames[product] ?? ''} `,
      element('code', { class: 'muted' }, product),
    ),
  );
}

/** @param {UnmatchedName} unmatched */
function describeRemedy({ name, code, remedy = codes?.[code].remedy ?? '' }) {
  return [...withCode(remedy), ...createMatchesLine(name, remedy)];
}

/**
 * The line for `matches` of a product, to be copied, where the remedy is to add the name to one product.
 * @param {string} name
 * @param {string} [remedy]
 * @returns {readonly HTMLElement[]}
 */
function createMatchesLine(name, remedy = '') {
  const line = `"matches": {"names": [${JSON.stringify(name)}]}`;
  return remedy.includes(`${line} to product `) ? [createCommand(line, 'span')] : [];
}

/**
 * A text with a button that copies it.
 * @param {string} text
 * @param {'p' | 'span'} tag
 * @param {string} [before]
 * @returns {HTMLElement}
 */
export function createCommand(text, tag, before = '') {
  const code = element('code', { class: 'command' }, text);
  return element(
    tag,
    { class: 'row tight' },
    before,
    code,
    createCopyButton('Copy', () => text),
  );
}
