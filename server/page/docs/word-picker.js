import { element } from '../lib/element.js';

/** @typedef {import('./openapi-types.js').Word} Word */

/**
 * Buttons for the words of a list such as `products(content,deals)`: each puts its word into the list or takes it out.
 * @param {HTMLInputElement} input where the list is; an `input` event tells of a change
 * @param {{ readonly label: string, readonly wrapper: string, readonly words: readonly Word[] }} options
 * @returns {HTMLElement}
 */
export function createWordPicker(input, { label, wrapper, words }) {
  const buttons = words.map(({ word, effect }) => {
    const button = element('button', { type: 'button', class: 'small word', 'aria-pressed': 'false' }, word);
    button.title = effect.replaceAll('`', '');
    button.addEventListener('click', () => {
      const chosen = readWords(input.value);
      const next = chosen.includes(word) ? chosen.filter((each) => each !== word) : [...chosen, word];
      input.value = next.length === 0 ? '' : `${wrapper}(${next.join(',')})`;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    return button;
  });
  const showChosen = () => {
    const chosen = readWords(input.value);
    for (const [index, { word }] of words.entries()) {
      buttons[index]?.setAttribute('aria-pressed', String(chosen.includes(word)));
    }
  };
  input.addEventListener('input', showChosen);
  showChosen();
  return element('div', { class: 'word-picker', role: 'group', 'aria-label': label }, ...buttons);
}

/**
 * The words of a list, with or without a wrapper.
 * @param {string} text
 * @returns {readonly string[]}
 */
function readWords(text) {
  const inner = /^[a-z]*[({](.*)[)}]$/.exec(text.trim())?.[1] ?? text;
  return inner
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
