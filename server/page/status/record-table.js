import { element } from '../lib/element.js';
import { describePlace } from './place.js';
import { createTable } from '../lib/table.js';
import { withCode } from './with-code.js';

/** @typedef {import('../../../data/report/notice.ts').Notice} Notice */

/**
 * What may be told of a record, and whether there is anything to tell.
 * @type {readonly (import('../lib/table.js').Column<Notice> & { readonly isTold?: (notice: Notice) => boolean })[]}
 */
const COLUMNS = [
  { title: 'Where', className: 'place', show: (notice) => element('code', {}, describePlace(notice)) },
  {
    title: 'Record',
    isTold: ({ record, names, retailer }) => record !== undefined || names !== undefined || retailer !== undefined,
    show: ({ record, names = [], retailer }) => [
      record !== undefined && element('code', {}, record),
      names.length > 0 && element('span', { class: 'block' }, names.at(-1)),
      retailer !== undefined && element('span', { class: 'muted small block' }, retailer),
    ],
  },
  {
    title: 'Field',
    isTold: ({ field }) => field !== undefined,
    show: ({ field }) => field !== undefined && element('code', {}, field),
  },
  { title: 'Got', className: 'got', isTold: ({ found }) => found !== undefined, show: quoteFound },
  {
    title: 'Expected',
    className: 'got',
    isTold: ({ expected }) => expected !== undefined,
    show: ({ expected }) => expected,
  },
  {
    title: 'In its place',
    className: 'place',
    isTold: ({ other }) => other !== undefined,
    show: ({ other }) =>
      other !== undefined && [
        element('code', {}, other.record),
        element('code', { class: 'muted block' }, describePlace(other)),
      ],
  },
  {
    title: 'What to do',
    className: 'prose',
    isTold: ({ remedy }) => remedy !== undefined,
    show: ({ remedy = '' }) => withCode(remedy),
  },
];

/**
 * A table of records: file and line, what was found, what was expected. A column without values is left out.
 * @param {string} label
 * @param {readonly Notice[]} notices
 * @returns {HTMLElement}
 */
export function createRecordTable(label, notices) {
  const columns = COLUMNS.filter(({ isTold = () => true }) => notices.some(isTold));
  return createTable(label, columns, notices);
}

/**
 * What was found as it was written; what is said of a whole source is a sentence.
 * @param {Notice} notice
 * @returns {HTMLElement | string}
 */
function quoteFound({ file, line, field, found = '', isFoundJson }) {
  // A number is no text, and has no quotes.
  if (isFoundJson === true) return element('code', {}, found);
  const isSentence = found === '' || file === undefined || (line === undefined && field === undefined);
  return isSentence ? found : element('q', {}, found);
}
