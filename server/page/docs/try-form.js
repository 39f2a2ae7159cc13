import { createCopyButton } from '../lib/copy-button.js';
import { element } from '../lib/element.js';
import { findKey, onKeyChange } from '../lib/key.js';
import { createFailureNotice } from '../lib/problem-notice.js';
import { toCurl, toFetch } from '../lib/request-text.js';
import { ask } from '../lib/request.js';
import { readInline } from './markdown.js';
import { meaningOf } from './openapi-types.js';
import { isRepeated, readTarget, writeExample, writeTarget } from './request-target.js';
import { showAnswer } from './show-answer.js';
import { createWordPicker } from './word-picker.js';

/** @typedef {import('./openapi-types.js').Operation} Operation */
/** @typedef {import('./openapi-types.js').Parameter} Parameter */

/** More words than these are folded. */
const UNFOLDED_WORDS = 3;

/**
 * A form that sends a request of an operation and shows what is answered, in place.
 * @param {string} path
 * @param {Operation} operation
 * @param {readonly Parameter[]} parameters
 * @returns {HTMLElement}
 */
export function createTryForm(path, operation, parameters) {
  const { operationId } = operation;
  // No field for `If-None-Match`: a button under the response sends its tag.
  const fields = parameters
    .filter((parameter) => parameter.in !== 'header')
    .map((each) => createField(operationId, each));
  const filters = fields.filter(({ name }) => name.startsWith('filter['));
  const others = fields.filter((field) => !filters.includes(field));
  const line = element('code', { class: 'target' });
  const answer = element('div', { class: 'answer' }, element('p', { class: 'muted' }, 'The answer comes here.'));
  const send = element('button', { type: 'submit', class: 'primary' }, 'Send');
  const filterCount = element('span', { class: 'tag good' });
  const filterFold = element(
    'details',
    { class: 'filters' },
    element('summary', {}, 'Filters ', filterCount),
    element('div', { class: 'fields' }, ...filters.map((field) => field.element)),
  );

  const valuesOf = () => new Map(fields.map(({ name, input }) => [name, input.value]));
  const targetOf = () => writeTarget(path, parameters, valuesOf());
  const showTarget = () => {
    line.textContent = `GET ${targetOf()}`;
    const count = filters.filter(({ input }) => input.value.trim() !== '').length;
    filterCount.hidden = count === 0;
    filterCount.textContent = String(count);
  };
  const fill = (/** @type {string} */ target) => {
    const values = readTarget(path, target);
    for (const { name, input } of fields) {
      input.value = values.get(name) ?? '';
      input.dispatchEvent(new Event('input'));
    }
    if (filters.some(({ input }) => input.value !== '')) filterFold.open = true;
    showTarget();
  };

  let askCount = 0;
  /** What a new key is tried with, when the one before was refused. @type {string | undefined} */
  let refusedTarget;
  const submit = async (target = targetOf(), headers = {}) => {
    const turn = ++askCount;
    send.disabled = true;
    const shown = await ask(target, { headers }).then(
      (got) => {
        refusedTarget = got.status === 401 || got.status === 403 ? target : undefined;
        return showAnswer(got, {
          follow: (to) => {
            fill(to);
            void submit(to);
          },
          askAgain: (tag) => void submit(target, { 'If-None-Match': tag }),
        });
      },
      (error) => [createFailureNotice(error)],
    );
    // Another request was sent meanwhile: its answer is the one to show.
    if (turn !== askCount) return;
    send.disabled = false;
    answer.replaceChildren(...shown);
  };
  onKeyChange(() => {
    if (refusedTarget !== undefined && findKey() !== undefined) void submit(refusedTarget);
  });

  const form = element(
    'form',
    { autocomplete: 'off' },
    element('div', { class: 'fields' }, ...others.map((field) => field.element)),
    filters.length > 0 && filterFold,
    element('p', { class: 'request' }, line),
    element(
      'div',
      { class: 'row tight' },
      send,
      createCopyButton('Copy curl', () => toCurl(targetOf(), findKey()), 'With the key of this tab'),
      createCopyButton('Copy fetch', () => toFetch(targetOf(), findKey()), 'With the key of this tab'),
    ),
  );
  form.addEventListener('input', showTarget);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  showTarget();
  return element('div', { class: 'try panel' }, element('div', {}, createExamples(operation, fill), form), answer);
}

/**
 * Requests to begin with.
 * @param {Operation} operation
 * @param {(target: string) => void} fill
 * @returns {HTMLElement | undefined}
 */
function createExamples({ 'x-examples': examples = [] }, fill) {
  if (examples.length === 0) return undefined;
  return element(
    'div',
    { class: 'examples', role: 'group', 'aria-label': 'Fill in an example' },
    element('span', { class: 'label' }, 'Fill in an example'),
    ...examples.map(({ summary, target }) =>
      element('button', { type: 'button', class: 'quiet small', click: () => fill(target) }, summary),
    ),
  );
}

/**
 * @param {string} operationId
 * @param {Parameter} parameter
 * @returns {{ readonly name: string, readonly input: HTMLInputElement, readonly element: HTMLElement }}
 */
function createField(operationId, parameter) {
  const { name, required = false, examples = {}, 'x-words': words = [], 'x-grammar': grammar = '' } = parameter;
  const [first] = Object.values(examples);
  const id = `${operationId}-${name}`;
  const meaning = parameter.in === 'query' ? meaningOf(parameter) : undefined;
  const example = first === undefined ? undefined : writeExample(first.value);
  // `products(<word>,…)` and `eq|ne{<value>,…}`; of `sort` each word is a whole value.
  const wrapper = isRepeated(parameter) ? 'eq{' : /^[a-z]+\((?=<word>)/.exec(grammar)?.[0];
  const recommended = words.filter(isRecommended);
  const input = element('input', {
    id,
    name,
    spellcheck: 'false',
    autocapitalize: 'off',
    required,
    placeholder: example === undefined ? undefined : isRepeated(parameter) ? example : `e.g. ${example}`,
    'aria-describedby': meaning === undefined ? undefined : `${id}-meaning`,
  });
  if (required && example !== undefined) input.value = example;
  const boxes =
    recommended.length === 0
      ? undefined
      : createWordPicker(input, { label: `Words of ${name}`, wrapper, words: recommended });
  const isFolded = recommended.length > UNFOLDED_WORDS;
  return {
    name,
    input,
    element: element(
      'div',
      { class: isFolded ? 'try-field wide-field' : 'try-field' },
      element('label', { for: id, class: 'label' }, name, required && ' (required)'),
      meaning !== undefined && element('p', { class: 'muted small', id: `${id}-meaning` }, ...readInline(meaning)),
      input,
      boxes !== undefined && isFolded
        ? element('details', { class: 'words-fold' }, element('summary', { class: 'small' }, `Words of ${name}`), boxes)
        : boxes,
    ),
  };
}

/**
 * Whether a word is the usual one: the others mean one of these.
 * @param {import('./openapi-types.js').Word} word
 * @returns {boolean}
 */
function isRecommended({ effect }) {
  return !effect.startsWith('means ');
}
