import { element } from '../lib/element.js';
import { readInline } from './markdown.js';

/** @typedef {import('./openapi-types.js').Word} Word */

/** What stands before the words of a value: `products(`, `eq{`. The words of `sort` have brackets of their own. */
const OPENING = /^[a-z]*[({]/;

/**
 * Boxes to tick for the words of a value such as `products(content,deals)`, `eq{new}` or `deals(total-cost-asc)`: each
 * puts its word into the value or takes it out.
 * @param {HTMLInputElement} input where the value is; an `input` event tells of a change
 * @param {{ readonly label: string, readonly wrapper: string | undefined, readonly words: readonly Word[] }} options the
 *   wrapper is what is put around the words where there is none yet: `products(`; undefined where each word is a value
 */
export function createWordPicker(input, { label, wrapper, words }) {
  const boxes = words.map(({ word, effect }, index) => {
    const box = element('input', { type: 'checkbox', 'aria-describedby': `${input.id}-effect-${index}` });
    box.addEventListener('change', () => {
      const others = readWords(input.value, wrapper).filter((each) => each !== word && !isInstead(each, word, wrapper));
      input.value = writeWords(box.checked ? [...others, word] : others, input.value, wrapper);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    return {
      word,
      box,
      // The label alone is the name of the box: its effect is told after it.
      line: element(
        'div',
        { class: 'word' },
        element('label', {}, box, element('code', {}, word)),
        element('span', { class: 'muted small', id: `${input.id}-effect-${index}` }, ...readInline(effect)),
      ),
    };
  });
  const showChosen = () => {
    const chosen = readWords(input.value, wrapper);
    for (const { word, box } of boxes) box.checked = chosen.includes(word);
  };
  input.addEventListener('input', showChosen);
  showChosen();
  return element('fieldset', { class: 'word-picker', 'aria-label': label }, ...boxes.map(({ line }) => line));
}

/**
 * @param {string} text
 * @param {string | undefined} wrapper
 */
function readWords(text, wrapper) {
  const trimmed = text.trim();
  const inner = wrapper !== undefined && OPENING.test(trimmed) ? trimmed.replace(OPENING, '').slice(0, -1) : trimmed;
  return inner
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/**
 * @param {readonly string[]} words
 * @param {string} before the value as it was: its operator stays
 * @param {string | undefined} wrapper
 */
function writeWords(words, before, wrapper) {
  const list = words.join(',');
  if (list === '' || wrapper === undefined) return list;
  const opening = OPENING.exec(before.trim())?.[0] ?? wrapper;
  return `${opening}${list}${opening.endsWith('{') ? '}' : ')'}`;
}

/**
 * Whether two words exclude each other: a sort has one key of deals and one of products.
 * @param {string} one
 * @param {string} other
 * @param {string | undefined} wrapper
 */
function isInstead(one, other, wrapper) {
  return wrapper === undefined && OPENING.exec(one)?.[0] === OPENING.exec(other)?.[0];
}
