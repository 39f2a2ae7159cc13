import { element } from '../lib/element.js';

/** @typedef {import('../lib/element.js').Child} Child */

/**
 * Something that is closed until it is wanted.
 * @param {import('../lib/element.js').Attributes} attributes
 * @param {readonly Child[]} summary
 * @param {readonly Child[]} content
 */
export function createFold(attributes, summary, content) {
  return element('details', attributes, element('summary', {}, ...summary), ...content);
}

/** Opens what the address points to and all that it is folded in, and scrolls there. */
export function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = target?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
  target?.scrollIntoView();
}
