import { element } from './element.js';

/** @typedef {import('./element.js').Child} Child */

/**
 * A column: its title, and what its cells show of an item.
 * @template Item
 * @typedef {{
 *   readonly title: string,
 *   readonly show: (item: Item) => Child | readonly Child[],
 *   readonly className?: 'number' | 'prose' | 'place' | 'got' | 'bar-cell',
 * }} Column
 */

/**
 * A table in a frame that scrolls by itself where the screen is narrow, also by keyboard.
 * @template Item
 * @param {string} label what the table holds, for those who do not see it; another for each table of a page
 * @param {readonly Column<Item>[]} columns the first names the row
 * @param {readonly Item[]} items
 * @returns {HTMLElement}
 */
export function createTable(label, columns, items) {
  const titles = columns.map(({ title, className }) => element('th', { scope: 'col', class: className }, title));
  const rows = items.map((item) =>
    element(
      'tr',
      {},
      ...columns.map(({ show, className }, i) => {
        const shown = show(item);
        const children = Array.isArray(shown) ? shown : [shown];
        return i === 0
          ? element('th', { scope: 'row', class: className }, ...children)
          : element('td', { class: className }, ...children);
      }),
    ),
  );
  return element(
    'div',
    { class: 'table-frame', role: 'region', 'aria-label': `Table: ${label}`, tabindex: 0 },
    element('table', {}, element('thead', {}, element('tr', {}, ...titles)), element('tbody', {}, ...rows)),
  );
}

/**
 * The first of many items, and a button that shows the others.
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} shownCount
 * @param {(items: readonly Item[]) => HTMLElement} make
 * @returns {HTMLElement}
 */
export function createShortList(items, shownCount, make) {
  const frame = element('div', {}, make(items.slice(0, shownCount)));
  const more = items.length - shownCount;
  const showAll = () => {
    frame.replaceChildren(make(items));
    // The button that was pressed is gone; where it stood, reading goes on.
    /** @type {HTMLElement | null | undefined} */
    const reached = frame.querySelectorAll('summary')[shownCount] ?? frame.querySelector('.table-frame');
    reached?.focus();
  };
  if (more > 0) frame.append(createButton(`Show ${formatNumber(more)} more`, showAll));
  return frame;
}

/**
 * @param {string} label
 * @param {() => unknown} press
 * @returns {HTMLButtonElement}
 */
export function createButton(label, press) {
  return element('button', { type: 'button', class: 'small', click: press }, label);
}

/**
 * @param {number} count
 * @returns {string}
 */
export function formatNumber(count) {
  return count.toLocaleString('en-GB');
}
