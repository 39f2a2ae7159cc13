import { element } from '../lib/element.js';
import { createCopyButtons, showAnswer, showMeasures, showTarget } from '../lib/show-answer.js';

/** @typedef {import('../lib/request.js').Answer} Answer */

/**
 * Shows the request that made a page, to read and to copy, with its answer.
 * @param {HTMLElement} bar
 */
export function fillRequestBar(bar) {
  let shownTarget = '';
  /** @type {Answer | undefined} */
  let shownAnswer;
  const line = element('div', { class: 'grow' });
  const measures = element('div');
  const inside = element('div', { class: 'request-inside' });
  const fold = element('details', {}, element('summary', {}, 'Answer'), inside);
  // What is not seen is not laid out either.
  const showInside = () =>
    inside.replaceChildren(...(fold.open && shownAnswer !== undefined ? [showAnswer(shownAnswer)] : []));
  fold.addEventListener('toggle', showInside);
  const buttons = createCopyButtons(() => shownTarget);
  bar.append(element('div', { class: 'request-summary' }, line, measures, ...buttons), fold);
  return {
    /** @param {string} target of a request under way */
    ask: (target) => {
      if (target !== shownTarget) measures.replaceChildren();
      shownTarget = target;
      line.replaceChildren(showTarget(target));
    },
    /** @param {Answer} answer */
    show: (answer) => {
      shownAnswer = answer;
      measures.replaceChildren(showMeasures(answer));
      showInside();
    },
  };
}
