import { element } from '../lib/element.js';
import { readInline } from './markdown.js';
import { meaningOf } from './openapi-types.js';
import { isRepeated, readTarget, writeExample, writeTarget } from './request-target.js';
import { createSender } from './sender.js';
import { createWordPicker } from './word-picker.js';

/** @typedef {import('./openapi-types.js').Operation} Operation */
/** @typedef {import('./openapi-types.js').Parameter} Parameter */

/** More words than these are folded. */
const UNFOLDED_WORDS = 3;

/**
 * A form that makes and sends a request of an operation.
 * @param {string} path
 * @param {Operation} operation
 * @param {readonly Parameter[]} parameters
 */
export function createTryForm(path, { operationId, 'x-examples': examples = [] }, parameters) {
  // No field for `If-None-Match`: a button under the answer sends its tag.
  const fields = parameters.filter((each) => each.in !== 'header').map((each) => createField(operationId, each));
  const filters = fields.filter(({ name }) => name.startsWith('filter['));
  const others = fields.filter((field) => !filters.includes(field));
  const filterFold = element(
    'details',
    { class: 'filters' },
    element('summary', {}, 'Filters'),
    element('div', { class: 'fields' }, ...filters.map((field) => field.element)),
  );
  const fill = (/** @type {string} */ target) => {
    const values = readTarget(path, target);
    for (const { name, input } of fields) {
      input.value = values.get(name) ?? '';
      input.dispatchEvent(new Event('input'));
    }
    if (filters.some(({ input }) => input.value !== '')) filterFold.open = true;
    showTarget();
  };
  const sender = createSender(
    [
      examples.length > 0 && createExamples(examples, fill),
      element('div', { class: 'fields' }, ...others.map((field) => field.element)),
      filters.length > 0 && filterFold,
    ],
    fill,
  );
  const showTarget = () => {
    const values = new Map(fields.map(({ name, input }) => [name, input.value]));
    sender.show(writeTarget(path, parameters, values));
  };
  sender.form.addEventListener('input', showTarget);
  showTarget();
  return sender.element;
}

/**
 * Requests to begin with.
 * @param {NonNullable<Operation['x-examples']>} examples
 * @param {(target: string) => void} fill
 */
function createExamples(examples, fill) {
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
 */
function createField(operationId, parameter) {
  const { name, required = false, examples = {}, 'x-words': allWords = [], 'x-grammar': grammar = '' } = parameter;
  const [first] = Object.values(examples);
  const example = first === undefined ? undefined : writeExample(first.value);
  const id = `${operationId}-${name}`;
  const meaning = parameter.in === 'query' ? meaningOf(parameter) : undefined;
  // `products(<word>,…)` and `eq|ne{<value>,…}`; of `sort` each word is a whole value.
  const wrapper = isRepeated(parameter) ? 'eq{' : /^[a-z]+\((?=<word>)/.exec(grammar)?.[0];
  // The others mean one of these.
  const words = allWords.filter(({ effect }) => !effect.startsWith('means '));
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
  const label = `Words of ${name}`;
  const boxes = words.length === 0 ? undefined : createWordPicker(input, { label, wrapper, words });
  const isFolded = words.length > UNFOLDED_WORDS;
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
        ? element('details', {}, element('summary', { class: 'small' }, label), boxes)
        : boxes,
    ),
  };
}
