import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { splitList, togglePick, writeAddress } from './view.js';

/** @typedef {import('./view.js').View} View */

/**
 * The phones that are picked for the comparison, each as a link that removes it, and the link to the comparison.
 * @param {View} view
 * @param {(slug: string) => string} nameOf
 * @returns {readonly HTMLElement[]}
 */
export function createPicks(view, nameOf) {
  const picked = splitList(view.picked);
  const isEnough = picked.length > 1;
  return [
    element(
      'ul',
      { class: 'active-filters', 'aria-label': 'Picked to compare' },
      ...picked.map((slug) =>
        element(
          'li',
          {},
          element(
            'a',
            { class: 'chip', href: writeAddress(togglePick(view, slug)) },
            element('span', { class: 'visually-hidden' }, 'Do not compare '),
            nameOf(slug),
            element('span', { 'aria-hidden': 'true' }, '×'),
          ),
        ),
      ),
    ),
    isEnough
      ? element(
          'a',
          { class: 'button primary', href: writeAddress({ ...view, compare: '1', phone: '', slug: '' }) },
          `Compare ${formatCount(picked.length, 'phone')}`,
        )
      : element('p', { class: 'muted small' }, 'Pick one more to compare'),
  ];
}
