import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createPicture } from './picture.js';
import { clearFilters, toPhones, writeAddress } from './view.js';

/** @typedef {import('./answer-types.ts').Gift} Gift */
/** @typedef {import('./answer-types.ts').GiftCategory} GiftCategory */
/** @typedef {import('./view.js').View} View */

/**
 * What comes free with a deal: the categories with their gifts, then the gifts of no category.
 * @param {View} view
 * @param {readonly GiftCategory[]} categories
 * @param {readonly Gift[]} gifts
 */
export function createGiftsPage(view, categories, gifts) {
  const listed = new Set(categories.flatMap((category) => category.gifts.gifts.map(({ id }) => id)));
  const others = gifts.filter(({ id }) => !listed.has(id));
  const title = formatCount(gifts.length, 'gift');
  const withGift = { ...clearFilters(toPhones(view)), offers: 'gift' };
  return {
    title: 'Gifts',
    news: title,
    parts: [
      element(
        'div',
        { class: 'toolbar' },
        element('h1', { tabindex: -1, id: 'results-title' }, title),
        element('a', { class: 'button', href: writeAddress(withGift) }, 'Phones with a gift'),
      ),
      ...categories.map((category) => {
        const ids = category.gifts.gifts.map(({ id }) => id);
        return createCategory(
          category.name,
          category,
          ids.flatMap((id) => gifts.find((gift) => gift.id === id) ?? []),
        );
      }),
      ...(others.length === 0 ? [] : [createCategory('Other gifts', {}, others)]),
    ],
  };
}

/**
 * @param {string} name
 * @param {Partial<GiftCategory>} category
 * @param {readonly Gift[]} gifts in the order of the category
 */
function createCategory(name, { content, images }, gifts) {
  return element(
    'section',
    { 'aria-label': name },
    element(
      'div',
      { class: 'toolbar' },
      element('h2', {}, name),
      images?.largeFrontImageWebp !== undefined &&
        createPicture(images.largeFrontImageWebp, '', { width: 30, height: 60, isLazy: true }),
    ),
    content?.introduction !== undefined && element('p', { class: 'muted' }, content.introduction),
    gifts.length === 0 && element('p', { class: 'muted' }, 'No gift of this category is published'),
    element('ul', { class: 'phones' }, ...gifts.map(createCard)),
  );
}

const SIZE = { width: 100, height: 200, isLazy: true };

/** @param {Gift} gift */
function createCard({ name, content, images }) {
  return element(
    'li',
    { class: 'panel phone-card' },
    createPicture(images?.largeFrontImageWebp, '', SIZE),
    element(
      'div',
      { class: 'phone-text' },
      element('h3', {}, name),
      content?.introduction !== undefined && element('p', { class: 'muted small' }, content.introduction),
    ),
  );
}
