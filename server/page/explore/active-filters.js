import { element } from '../lib/element.js';
import { clearFilters, FILTERS, pageOf, splitList, writeAddress } from './view.js';

/** @typedef {import('./view.js').View} View */

/** A filter that is on, and the view without it. @typedef {{ readonly label: string, readonly without: View }} ActiveFilter */

/**
 * @param {View} view
 * @param {(key: import('./view.js').FilterKey, value: string) => string} nameOf what a reader calls a value of a list
 * @returns {readonly ActiveFilter[]}
 */
export function listActiveFilters(view, nameOf) {
  const applied = FILTERS.filter(({ key, of }) => view[key] !== '' && (pageOf(view) === 'phones' || of === 'deal'));
  return applied.flatMap(({ key, kind, label }) => {
    if (kind === 'value') return [{ label: `${label} ${view[key]}`, without: { ...view, [key]: '', cursor: '' } }];
    const values = splitList(view[key]);
    return values.map((value) => ({
      label: `${label}: ${nameOf(key, value)}`,
      without: { ...view, [key]: values.filter((other) => other !== value).join(','), cursor: '' },
    }));
  });
}

/**
 * Each filter that is on, as a link to the view without it.
 * @param {View} view
 * @param {readonly ActiveFilter[]} filters
 * @returns {HTMLElement | undefined}
 */
export function createActiveFilters(view, filters) {
  if (filters.length === 0) return undefined;
  return element(
    'ul',
    { class: 'active-filters', 'aria-label': 'Filters that are on' },
    ...filters.map(({ label, without }) =>
      element(
        'li',
        {},
        element(
          'a',
          { class: 'chip', href: writeAddress(without), 'data-focus': `chip-${label}` },
          element('span', { class: 'visually-hidden' }, 'Remove '),
          label,
          element('span', { 'aria-hidden': 'true' }, '×'),
        ),
      ),
    ),
    element('li', {}, element('a', { class: 'chip plain', href: writeAddress(clearFilters(view)) }, 'Clear all')),
  );
}
