import { element } from '../lib/element.js';

/**
 * A sentence of the tables of notices, in which a word of the configuration stands between backticks.
 * @param {string} text
 * @returns {readonly (Node | string)[]}
 */
export function withCode(text) {
  return text.split('`').map((part, i) => (i % 2 === 1 ? element('code', {}, part) : part));
}
