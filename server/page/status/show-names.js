import { createCopyButton } from '../lib/copy-button.js';
import { element } from '../lib/element.js';
import { createRow, createTable, formatNumber } from './table.js';

/** @typedef {import('../../status/status.ts').Status} Status */

/** Those with the most deals; the others are a press of a button away. */
const SHOWN_NAMES = 10;

const COLUMNS = [
  { title: 'What the feed calls it' },
  { title: 'Feed' },
  { title: 'Deals', isNumber: true },
  { title: 'Why', className: 'prose' },
  { title: 'Nearest products', className: 'prose' },
];

/**
 * Phones of the feeds that found no product, those with the most deals first: the list that wins deals.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showNames({ unmatchedNames }) {
  if (unmatchedNames.length === 0) return [];
  const frame = element('div');
  const show = (/** @type {number} */ count) => {
    frame.replaceChildren(
      createNameTable('phones of the feeds without a product', unmatchedNames.slice(0, count)),
      ...describeRest(unmatchedNames.length - count, show),
    );
  };
  show(SHOWN_NAMES);
  return [
    element('h2', { id: 'names-title' }, 'Phones of the feeds without a product'),
    element(
      'p',
      { class: 'muted' },
      'Add a name to ',
      element('code', {}, 'matches'),
      ' of the right product, add the product itself, or publish the one that is left out, and the next build has their deals. A line to copy is given only where a single product is near.',
    ),
    frame,
  ];
}

/**
 * @param {string} label
 * @param {Status['unmatchedNames']} names
 * @returns {HTMLElement}
 */
function createNameTable(label, names) {
  return createTable(
    label,
    COLUMNS,
    names.map((unmatched) =>
      createRow(COLUMNS, [
        unmatched.field === undefined ? unmatched.name : `${unmatched.field} ${unmatched.name}`,
        unmatched.feed,
        formatNumber(unmatched.dealCount),
        explainUnmatched(unmatched),
        describeNearest(unmatched),
      ]),
    ),
  );
}

/** @param {Status['unmatchedNames'][number]} unmatched */
function explainUnmatched({ code, field, leftOut, otherVariant }) {
  if (otherVariant !== undefined) return `only ${otherVariant} is served: the other condition is missing`;
  if (leftOut !== undefined) return `${leftOut.product} is left out: ${leftOut.code}`;
  if (code === 'ambiguous-product') return 'several products may be meant';
  return field === undefined ? 'no product is called that' : 'no product has it';
}

/**
 * @param {Status['unmatchedNames'][number]} unmatched
 * @returns {readonly (Node | string)[]}
 */
function describeNearest({ field, leftOut, otherVariant, nearestProducts, matchesLine }) {
  if (otherVariant !== undefined) return [''];
  if (nearestProducts.length > 0) {
    return [
      ...nearestProducts.map(({ product, name }) =>
        element('span', { class: 'block' }, `${name} `, element('code', { class: 'muted' }, product)),
      ),
      ...createMatchesLine(matchesLine),
    ];
  }
  // Only names are near each other, and where the product is known none other is wanted.
  return [field === undefined && leftOut === undefined ? 'none is near' : ''];
}

/**
 * The line for `matches` of a product, to be copied.
 * @param {string | undefined} line
 * @returns {readonly HTMLElement[]}
 */
export function createMatchesLine(line) {
  if (line === undefined) return [];
  return [
    element(
      'span',
      { class: 'row tight' },
      element('code', { class: 'command' }, line),
      createCopyButton('Copy', () => line),
    ),
  ];
}

/**
 * @param {number} count how many are not shown
 * @param {(count: number) => void} show
 * @returns {readonly HTMLElement[]}
 */
function describeRest(count, show) {
  if (count <= 0) return [];
  return [
    element(
      'button',
      { type: 'button', class: 'small', click: () => show(Infinity) },
      `Show ${formatNumber(count)} more`,
    ),
  ];
}
