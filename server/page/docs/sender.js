import { element } from '../lib/element.js';
import { createKeyForm } from '../lib/key-form.js';
import { findKey, onKeyChange } from '../lib/key.js';
import { createFailureNotice, createProblemNotice } from '../lib/problem-notice.js';
import { ask, readLinks } from '../lib/request.js';
import { createCopyButtons, showAnswer, showMeasures, showTarget } from '../lib/show-answer.js';

/** @typedef {import('../lib/element.js').Child} Child */
/** @typedef {import('../lib/request.js').Answer} Answer */

/**
 * A form that sends a request and shows what is answered, in place.
 * @param {readonly Child[]} fields what is above the request
 * @param {(target: string) => void} onFollow is told the request of a link of the answer, to show it
 */
export function createSender(fields, onFollow) {
  let target = '';
  let askCount = 0;
  let isRefused = false;
  const line = element('p');
  const answer = element('div', { class: 'answer' }, element('p', { class: 'muted' }, 'The answer comes here.'));
  const send = async (headers = {}) => {
    const turn = ++askCount;
    const shown = await ask(target, { headers }).then(describe, (error) => [createFailureNotice(error)]);
    // Another request was sent meanwhile: its answer is the one to show.
    if (turn === askCount) answer.replaceChildren(...shown);
  };
  const describe = (/** @type {Answer} */ got) => {
    const { problem, headers, status } = got;
    const tag = headers.get('etag');
    isRefused = status === 401;
    const links = Object.entries(readLinks(headers)).map(([relation, to]) => {
      const follow = () => {
        onFollow(to);
        void send();
      };
      return element('button', { type: 'button', class: 'small', click: follow }, `${relation} page`);
    });
    const askAgain = () => void send({ 'If-None-Match': tag });
    const again = element('button', { type: 'button', class: 'small', click: askAgain }, 'Ask again with its ETag');
    const notice = isRefused ? createKeyForm(problem?.code, 'h4') : createProblemNotice(got);
    return [
      showMeasures(got),
      ...(status >= 400 ? [notice] : []),
      element('div', { class: 'row tight' }, ...links, status === 200 && tag !== null && again),
      showAnswer(got),
    ];
  };
  // What was refused is tried with the new key.
  onKeyChange(() => {
    if (isRefused && findKey() !== undefined) void send();
  });
  const form = element(
    'form',
    { autocomplete: 'off' },
    ...fields,
    line,
    element(
      'div',
      { class: 'row tight' },
      element('button', { type: 'submit', class: 'primary' }, 'Send'),
      ...createCopyButtons(() => target),
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  return {
    element: element('div', { class: 'try panel' }, form, answer),
    form,
    /** @param {string} next the request to send */
    show: (next) => {
      target = next;
      line.replaceChildren(showTarget(target));
    },
  };
}
