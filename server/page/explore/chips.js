import { element } from '../lib/element.js';
import { FILTERS, pageOf, splitList, writeAddress } from './view.js';

/** @typedef {import('./view.js').View} View */

/**
 * What is on, and the view without it.
 * @typedef {{ readonly label: string, readonly without: View }} Chip
 */

/**
 * The filters that are on.
 * @param {View} view
 * @param {(key: import('./view.js').FilterKey, value: string) => string} nameOf what a reader calls a value of a list
 * @returns {readonly Chip[]}
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
 * Links that each take one thing away.
 * @param {string} label
 * @param {string} verb what a screen reader reads before each
 * @param {readonly Chip[]} chips
 * @param {...HTMLElement} others
 */
export function createChips(label, verb, chips, ...others) {
  const links = chips.map((chip) =>
    element(
      'a',
      { href: writeAddress(chip.without), 'data-focus': `chip-${chip.label}` },
      element('span', { class: 'visually-hidden' }, `${verb} `),
      chip.label,
      element('span', { 'aria-hidden': 'true' }, '×'),
    ),
  );
  const items = [...links, ...others].map((link) => element('li', {}, link));
  return element('ul', { class: 'chips', 'aria-label': label }, ...items);
}
