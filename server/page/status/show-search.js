import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createFailureNotice, createProblemNotice } from '../lib/problem-notice.js';
import { ask } from '../lib/request.js';
import { createCommand } from './show-names.js';
import { formatNumber } from '../lib/table.js';
import { withCode } from './with-code.js';

/** @typedef {import('../../explain/explain.ts').Explanation} Explanation */

/** What is asked: a record, and perhaps a request whose answer should have it. @typedef {{ record: string, target?: string }} Question */

/**
 * The question of every morning, and its answer beneath it.
 * @param {(question: Question) => void} onAsk is told what is asked, so that the address can say it
 */
export function createSearch(onAsk) {
  const input = createInput('record', { required: true, maxlength: 200, 'aria-describedby': 'record-hint' });
  const targetInput = createInput('target', { placeholder: '/deals/v1/products/?…' });
  const state = element('p', { class: 'muted', role: 'status' });
  const found = element('div', { class: 'found' });
  /** @type {AbortController | undefined} */
  let asking;

  const show = (/** @type {string} */ text, /** @type {readonly HTMLElement[]} */ elements) => {
    state.textContent = text;
    found.replaceChildren(...elements);
  };
  const search = async (/** @type {string} */ record, target = '') => {
    // An older answer must not come after a newer one.
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    input.value = record;
    targetInput.value = target;
    state.textContent = 'Searching …';
    const question = new URLSearchParams(asQuestion(record, target));
    try {
      const answer = await ask(`/status/explain.json?${question.toString()}`, { signal });
      if (answer.status !== 200) return show('', [createProblemNotice(answer)]);
      const explanation = /** @type {Explanation} */ (answer.body);
      show(summarise(explanation), describeResult(explanation));
    } catch (error) {
      if (!signal.aborted) show('', [createFailureNotice(error)]);
    }
  };
  const follow = (/** @type {string} */ record, /** @type {string} */ target) => {
    onAsk(asQuestion(record, target));
    void search(record, target);
  };
  const form = element(
    'form',
    { class: 'row', role: 'search' },
    element('label', { class: 'grow' }, element('span', { class: 'label' }, 'Phone or deal'), input),
    element('label', { class: 'grow' }, element('span', { class: 'label' }, 'Missing in the answer to'), targetInput),
    element('button', { class: 'primary', type: 'submit' }, 'Find out'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const record = input.value.trim();
    if (record !== '') follow(record, targetInput.value.trim());
  });
  const hint = element(
    'p',
    { id: 'record-hint', class: 'muted small' },
    'A phone by id, slug, name or words of it, also as a feed calls it; a deal by its key or ',
    element('code', {}, 'retailer:key'),
    '; a code of the report; any of them by ',
    element('code', {}, 'file:line'),
    ', or of a JSON export by ',
    element('code', {}, 'file (item n)'),
    '. With a request for products, which of its filters leaves it out.',
  );
  return {
    elements: [element('h2', { id: 'search-title' }, 'Why is my phone not there?'), form, hint, state, found],
    search,
    /** Asks as if it had been typed, and shows the answer. */
    ask: (/** @type {string} */ record) => {
      follow(record, '');
      form.scrollIntoView();
    },
    clear: () => {
      asking?.abort();
      input.value = '';
      targetInput.value = '';
      show('', []);
    },
  };
}

/**
 * @param {string} name
 * @param {import('../lib/element.js').Attributes} attributes
 */
function createInput(name, attributes) {
  return element('input', { name, type: 'search', autocomplete: 'off', spellcheck: 'false', ...attributes });
}

/**
 * @param {string} record
 * @param {string} target
 * @returns {Question}
 */
function asQuestion(record, target) {
  return { record, ...(target === '' ? {} : { target }) };
}

/** @param {Explanation} explanation */
function summarise({ asked, count }) {
  return count === 0
    ? `The snapshot knows nothing that is called “${asked}”.`
    : `Found: ${formatCount(count, 'record')}.`;
}

/**
 * @param {Explanation} explanation
 * @returns {readonly HTMLElement[]}
 */
function describeResult({ records, count }) {
  const deals = records.filter(({ kind }) => kind === 'deal');
  const others = records.filter(({ kind }) => kind !== 'deal');
  const more = count - records.length;
  return [
    ...others.map(describeRecord),
    // Those of a phone that was found are seldom asked for.
    deals.length > 0 &&
      element(
        'details',
        { open: others.length === 0 },
        element('summary', {}, formatCount(deals.length, 'deal'), ' served'),
        ...deals.map(describeRecord),
      ),
    more > 0 && element('p', { class: 'muted' }, `and ${formatNumber(more)} more; more words find fewer.`),
  ].filter((found) => found !== false);
}

/** What the command `deals explain` writes of a record. @param {Explanation['records'][number]} record */
function describeRecord({ title, lines }) {
  return element(
    'article',
    { class: 'found-record' },
    element('h3', {}, title),
    ...lines.map((line) => {
      const [, copied] = /^ *to copy: (.+)$/s.exec(line) ?? [];
      if (copied !== undefined) return createCommand(copied, 'p');
      return element('p', { class: line.startsWith(' ') && 'detail' }, ...withCode(line.trim()));
    }),
  );
}
