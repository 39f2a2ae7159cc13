import { element } from '../lib/element.js';
import { describePlace } from './place.js';
import { createRow, createTable } from './table.js';
import { withCode } from './with-code.js';

/** @typedef {import('../../../data/report/notice.ts').Notice} Notice */
/** @typedef {import('../lib/element.js').Child} Child */

/**
 * What may be told of a record, and whether there is anything to tell.
 * @typedef {import('./table.js').Column & {
 *   readonly isTold: (notice: Notice) => boolean,
 *   readonly describe: (notice: Notice) => readonly Child[],
 * }} RecordColumn
 */

/** @type {RecordColumn} */
const REMEDY = {
  title: 'What to do',
  className: 'prose',
  isTold: ({ remedy }) => remedy !== undefined,
  describe: ({ remedy = '' }) => withCode(remedy),
};

/** @type {readonly RecordColumn[]} */
const COLUMNS = [
  {
    title: 'Where',
    className: 'place',
    isTold: () => true,
    describe: (notice) => [element('code', {}, describePlace(notice))],
  },
  {
    title: 'Record',
    isTold: ({ record, names, retailer }) => record !== undefined || names !== undefined || retailer !== undefined,
    describe: ({ record, names = [], retailer }) => [
      record === undefined ? undefined : element('code', {}, record),
      names.length > 0 && element('span', { class: 'block' }, names.at(-1)),
      retailer === undefined ? undefined : element('span', { class: 'muted small block' }, retailer),
    ],
  },
  {
    title: 'Field',
    isTold: ({ field }) => field !== undefined,
    describe: ({ field }) => [field === undefined ? '' : element('code', {}, field)],
  },
  {
    title: 'Got',
    className: 'got',
    isTold: ({ found }) => found !== undefined,
    describe: (notice) => [quote(notice)],
  },
  {
    title: 'Expected',
    className: 'got',
    isTold: ({ expected }) => expected !== undefined,
    describe: ({ expected = '' }) => [expected],
  },
  {
    title: 'In its place',
    className: 'place',
    isTold: ({ other }) => other !== undefined,
    describe: ({ other }) =>
      other === undefined
        ? []
        : [element('code', {}, other.record), element('code', { class: 'muted block' }, describePlace(other))],
  },
  REMEDY,
];

/**
 * A table of records: file and line, what was found, what was expected. A column without values is left out.
 * @param {string} label
 * @param {readonly Notice[]} notices
 * @param {{ readonly hasRemedies?: boolean }} [options] false where what to do is said elsewhere
 * @returns {HTMLElement}
 */
export function createRecordTable(label, notices, { hasRemedies = true } = {}) {
  const told = hasRemedies ? COLUMNS : COLUMNS.filter((column) => column !== REMEDY);
  const columns = told.filter(({ isTold }) => notices.some(isTold));
  return createTable(
    label,
    columns,
    notices.map((notice) =>
      createRow(
        columns,
        columns.map(({ describe }) => describe(notice)),
      ),
    ),
    { isStacked: true },
  );
}

/**
 * What was found as it was written; what is said of a whole source is a sentence.
 * @param {Notice} notice
 * @returns {HTMLElement | string}
 */
function quote({ file, line, field, found = '', isFoundJson }) {
  // A number is no text, and has no quotes.
  if (isFoundJson === true) return element('code', {}, found);
  const isSentence = found === '' || file === undefined || (line === undefined && field === undefined);
  return isSentence ? found : element('q', {}, found);
}
