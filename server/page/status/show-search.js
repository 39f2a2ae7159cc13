import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createFailureNotice, createProblemNotice } from '../lib/problem-notice.js';
import { ask } from '../lib/request.js';
import { describePlace } from './place.js';
import { createRecordTable } from './record-table.js';
import { createMatchesLine, createNameTable } from './show-names.js';
import { describeLeftOutDeals } from './show-without-deals.js';
import { createButton, createTable, formatNumber } from './table.js';
import { withCode } from './with-code.js';

/** @typedef {import('../../explain/explanation.ts').Explanation} Explanation */
/** @typedef {import('../../explain/explanation.ts').ExplainedProduct} ExplainedProduct */
/** @typedef {import('../../explain/explanation.ts').ExplainedDeal} ExplainedDeal */
/** @typedef {import('../../explain/explanation.ts').ExplainedNotice} ExplainedNotice */
/** @typedef {import('../lib/element.js').Child} Child */

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
      show(summarise(explanation), describeResult(explanation, follow));
    } catch (error) {
      if (!signal.aborted) show('', [createFailureNotice(error)]);
    }
  };
  const follow = (/** @type {string} */ record, target = targetInput.value.trim()) => {
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
    if (record !== '') follow(record);
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
function summarise({ asked, products, deals, others, leftOut, notices, names }) {
  const counts = /** @type {const} */ ([
    [products.count, 'phone'],
    [deals.count, 'deal'],
    [others.count, 'other record'],
    [leftOut.count, 'record left out', 'records left out'],
    [notices.count, 'finding'],
    [names.count, 'name without a phone', 'names without a phone'],
  ]);
  const parts = counts.filter(([count]) => count > 0).map(([count, one, many]) => formatCount(count, one, many));
  return parts.length === 0 ? `The snapshot knows nothing that is called “${asked}”.` : `Found: ${parts.join(', ')}.`;
}

/**
 * @param {Explanation} explanation
 * @param {(record: string) => void} follow
 * @returns {readonly HTMLElement[]}
 */
function describeResult({ products, deals, others, leftOut, notices, names, nearest, currencyLabel, target }, follow) {
  const heading = (/** @type {string} */ text) => element('h3', {}, text);
  const some = (
    /** @type {{ count: number, items: readonly unknown[] }} */ { count, items },
    /** @type {HTMLElement[]} */ ...shown
  ) => (count === 0 ? [] : [...shown, ...describeMore(count - items.length)]);
  return [
    ...some(products, ...products.items.map((product) => describeProduct(product, currencyLabel, target))),
    // Those of a phone that was found are seldom asked for.
    ...some(
      deals,
      element(
        'details',
        { open: products.count === 0 },
        element('summary', {}, formatCount(deals.count, 'deal'), ' served'),
        createDealTable(deals.items),
      ),
    ),
    ...some(
      others,
      ...others.items.map(({ kind, id, name, slug }) =>
        element('p', {}, `${kind} ${id ?? ''} `, element('b', {}, name), ' ', element('code', {}, slug), ' is served.'),
      ),
    ),
    ...some(leftOut, ...describeNotices('Left out', leftOut.items)),
    ...some(notices, ...describeNotices('Found', notices.items)),
    ...some(names, heading('What feeds call it'), createNameTable('found names of feeds', names.items)),
    ...(nearest.length === 0
      ? []
      : [
          element(
            'p',
            { class: 'row tight' },
            'Was one of these meant?',
            ...nearest.map((word) => createButton(word, () => follow(word))),
          ),
        ]),
  ];
}

/**
 * @param {ExplainedProduct} found
 * @param {string} currencyLabel
 * @param {string | undefined} target
 */
function describeProduct(found, currencyLabel, target) {
  const { product, name, slug, dealCount, cheapest, dealsLeftOut, lastDeal, origin, held, notices, answer } = found;
  const price = (/** @type {string | undefined} */ amount) => `${currencyLabel}${amount}`;
  const offer =
    cheapest === undefined
      ? 'No deal is for it, so every list with a deal filter leaves it out.'
      : `${formatCount(dealCount, 'deal')}. The cheapest costs ${price(cheapest.totalCost)} in all (${price(cheapest.upfrontCost)} + ${price(cheapest.monthlyCost)} a month), from ${cheapest.retailer} on ${cheapest.network}.`;
  return element(
    'article',
    { class: 'found-product' },
    element(
      'h3',
      {},
      name,
      ' ',
      element('span', { class: 'tag good' }, 'served'),
      dealCount === 0 && element('span', { class: 'tag warning change' }, 'no deals'),
      held !== undefined && element('span', { class: 'tag warning change' }, 'held'),
    ),
    element('p', {}, offer),
    dealsLeftOut.length > 0 &&
      element('p', {}, 'Read for it and left out: ', ...describeLeftOutDeals(dealsLeftOut), '.'),
    dealCount === 0 && dealsLeftOut.length === 0 && element('p', {}, 'No record of a feed is for it.'),
    lastDeal !== undefined && element('p', {}, `It last had a deal in ${lastDeal.snapshot}, as of ${lastDeal.at}.`),
    ...describeHeld(held),
    element(
      'p',
      { class: 'muted small' },
      ...[product, slug, describePlace(origin)].flatMap((text, i) => [i > 0 && ' · ', element('code', {}, text)]),
    ),
    ...describeFindings(notices),
    ...describeAnswer(answer, target),
  );
}

/** @param {ExplainedProduct['held']} held */
function describeHeld(held) {
  if (held === undefined) return [];
  return [
    element('p', {}, `Its source is held: ${held.because}; last found in it ${held.since ?? 'at an unknown time'}.`),
  ];
}

/**
 * Whether the answer to a request has it, and what each filter alone says.
 * @param {import('../../explain/explanation.ts').ExplainedAnswer | undefined} answer
 * @param {string} [target]
 */
function describeAnswer(answer, target = '') {
  if (answer === undefined) return [];
  const { isAnswered, why, filters } = answer;
  return [
    element(
      'p',
      {},
      element('span', { class: `tag ${isAnswered ? 'good' : 'bad'}` }, isAnswered ? 'in' : 'not in'),
      ' the answer to ',
      element('code', {}, target),
      `: ${why}.`,
    ),
    element(
      'ul',
      { class: 'findings' },
      ...filters.map(({ filter, holds, dealCount }) =>
        element(
          'li',
          {},
          element('code', {}, filter),
          holds ? ' holds' : ' fails',
          dealCount !== undefined && `: ${formatCount(dealCount, 'deal')} of it`,
        ),
      ),
    ),
  ];
}

/**
 * Findings about what is served.
 * @param {readonly ExplainedNotice[]} notices
 */
function describeFindings(notices) {
  if (notices.length === 0) return [];
  const items = notices.map(({ code, field, found, isFoundJson, meaning, remedy }) => {
    const value = found === undefined || isFoundJson === true ? found : `“${found}”`;
    const facts = [field, value].filter((fact) => fact !== undefined).join(': ');
    return element(
      'li',
      {},
      element('code', {}, code),
      ' ',
      ...withCode(meaning),
      `${facts === '' ? '' : ` (${facts})`}; `,
      ...withCode(remedy),
    );
  });
  return [element('ul', { class: 'findings' }, ...items)];
}

/** @param {readonly ExplainedDeal[]} deals */
function createDealTable(deals) {
  const small = (/** @type {string} */ text) => element('span', { class: 'muted small block' }, text);
  /** @type {readonly import('./table.js').Column<ExplainedDeal>[]} */
  const columns = [
    {
      title: 'Deal',
      show: ({ key, held, retailer }) => [
        element('code', {}, key),
        held !== undefined && element('span', { class: 'tag warning change' }, 'held'),
        small(retailer),
      ],
    },
    { title: 'Of the phone', show: ({ name, product }) => [name, small(product)] },
    {
      title: 'Offers',
      show: ({ months, data, network, place, dealCount }) => [
        `${months} months, ${data}, ${network}`,
        small(`${place} of ${dealCount} by total cost`),
      ],
    },
    { title: 'Upfront', className: 'number', show: ({ upfrontCost }) => upfrontCost },
    { title: 'Monthly', className: 'number', show: ({ monthlyCost }) => monthlyCost },
    { title: 'In all', className: 'number', show: ({ totalCost }) => totalCost },
    { title: 'From', className: 'place', show: ({ origin }) => element('code', {}, describePlace(origin)) },
    { title: 'Matched by', className: 'prose', show: ({ match }) => [...withCode(match.meaning), small(match.found)] },
    {
      title: 'Findings',
      className: 'prose',
      show: ({ held, notices, answer }) => [
        ...describeHeld(held),
        ...describeFindings(notices),
        ...describeAnswer(answer, 'the request'),
      ],
    },
  ];
  return createTable('found deals', columns, deals);
}

/**
 * A table for each code, headed by what it means. What is to be done about all of its records is said once.
 * @param {string} title
 * @param {readonly ExplainedNotice[]} items
 * @returns {HTMLElement[]}
 */
function describeNotices(title, items) {
  return [...new Set(items.map(({ code }) => code))].flatMap((code) => {
    const records = items.filter((item) => item.code === code);
    const [first] = /** @type {[ExplainedNotice]} */ (records);
    const isSame = records.every(({ remedy }) => remedy === first.remedy);
    return [
      element('h3', {}, `${title}: `, element('code', {}, code), ' ', element('span', { class: 'tag' }, first.outcome)),
      element('p', {}, ...withCode(first.meaning), ...(isSame ? ['; what to do: ', ...withCode(first.remedy)] : [])),
      ...(isSame ? createMatchesLine(first.names?.at(-1) ?? '', first.remedy) : []),
      createRecordTable(
        `found records of ${code}`,
        records.map(({ remedy, ...record }) => (isSame ? record : { ...record, remedy })),
      ),
    ];
  });
}

/** @param {number} more */
function describeMore(more) {
  return more > 0 ? [element('p', { class: 'muted' }, `and ${formatNumber(more)} more; more words find fewer.`)] : [];
}
