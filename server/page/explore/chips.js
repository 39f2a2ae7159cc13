import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { ask } from '../lib/request.js';
import { MOST_COMPARED, targetOfNames } from './target.js';
import { FILTERS, pageOf, splitList, togglePick, writeAddress } from './view.js';

/** @typedef {import('./answer-types.ts').PhonesBody} PhonesBody */
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

/** The phones whose names were asked for: one that is not there any more is asked for once. @type {Set<string>} */
const asked = new Set();

/**
 * The names of picked phones that no list has shown, as after a reload.
 * @param {readonly string[]} slugs
 */
export async function findNames(slugs) {
  const unasked = slugs.filter((slug) => !asked.has(slug)).slice(0, MOST_COMPARED);
  if (unasked.length === 0) return [];
  for (const slug of unasked) asked.add(slug);
  // Without an answer the phones are called by their slugs.
  const answer = await ask(targetOfNames(unasked)).catch(() => undefined);
  return answer?.status === 200 ? /** @type {PhonesBody} */ (answer.body).products : [];
}

/**
 * The phones that are picked for the comparison, each as a link that removes it, and the link to the comparison.
 * @param {View} view
 * @param {(slug: string) => string} nameOf
 */
export function createPicks(view, nameOf) {
  const picked = splitList(view.picked);
  return [
    createChips(
      'Picked to compare',
      'Do not compare',
      picked.map((slug) => ({ label: nameOf(slug), without: togglePick(view, slug) })),
    ),
    picked.length > 1
      ? element(
          'a',
          { class: 'button primary', href: writeAddress({ ...view, compare: '1', phone: '', slug: '' }) },
          `Compare ${formatCount(picked.length, 'phone')}`,
        )
      : element('p', { class: 'muted small' }, 'Pick one more to compare'),
  ];
}
