import { element } from '../lib/element.js';

/** @typedef {import('../lib/element.js').Child} Child */

/**
 * A column: its title, and whether it holds numbers.
 * @typedef {{ readonly title: string, readonly isNumber?: boolean, readonly className?: string }} Column
 */

/**
 * A table in a frame that scrolls by itself where the screen is narrow, also by keyboard.
 * @param {string} label what the table holds, for those who do not see it; another for each table of a page
 * @param {readonly Column[]} columns the first names the row
 * @param {readonly HTMLTableRowElement[]} rows
 * @param {{ readonly isStacked?: boolean }} [options] true where the last column must be seen: on a narrow screen the
 *   cells of a row come one beneath the other
 * @returns {HTMLElement}
 */
export function createTable(label, columns, rows, { isStacked = false } = {}) {
  return element(
    'div',
    { class: 'table-frame', role: 'region', 'aria-label': `Table: ${label}`, tabindex: 0 },
    element(
      'table',
      { class: isStacked ? 'stacked' : undefined },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...columns.map((column) => element('th', { scope: 'col', class: classOf(column) }, column.title)),
        ),
      ),
      element('tbody', {}, ...rows),
    ),
  );
}

/**
 * A row: the cells of one record, in order of the columns.
 * @param {readonly Column[]} columns
 * @param {readonly (Child | readonly Child[])[]} cells
 * @returns {HTMLTableRowElement}
 */
export function createRow(columns, cells) {
  return element(
    'tr',
    {},
    ...columns.map((column, i) => {
      const cell = cells[i];
      const children = Array.isArray(cell) ? cell : [cell];
      return i === 0
        ? element('th', { scope: 'row', class: classOf(column) }, ...children)
        : element('td', { class: classOf(column), 'data-label': column.title }, ...children);
    }),
  );
}

/**
 * @param {Column} column
 * @returns {string | undefined}
 */
function classOf({ isNumber = false, className }) {
  return isNumber ? 'number' : className;
}

/**
 * @param {number} count
 * @returns {string}
 */
export function formatNumber(count) {
  return count.toLocaleString('en-GB');
}
