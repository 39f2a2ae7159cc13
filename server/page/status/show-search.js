import { createCopyButton } from '../lib/copy-button.js';
import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createFailureNotice, createProblemNotice } from '../lib/problem-notice.js';
import { ask } from '../lib/request.js';
import { createAge } from './format-age.js';
import { describePlace } from './place.js';
import { createRecordTable } from './record-table.js';
import { createMatchesLine } from './show-names.js';
import { describeLeftOutDeals } from './show-without-deals.js';
import { createRow, createTable, formatNumber } from './table.js';
import { withCode } from './with-code.js';

/** @typedef {import('../../status/record-search.ts').RecordSearch} RecordSearch */
/** @typedef {import('../../status/record-search.ts').FoundProduct} FoundProduct */
/** @typedef {import('../../status/record-search.ts').FoundDeal} FoundDeal */
/** @typedef {import('../../status/record-search.ts').FoundNotice} FoundNotice */
/** @typedef {import('../../status/record-search.ts').FoundPrices} FoundPrices */

/**
 * The question of every morning, and its answer beneath it.
 * @param {(record: string) => void} onAsk is told what is asked, so that the address can say it
 * @returns {{ readonly elements: readonly HTMLElement[], readonly search: (record: string) => Promise<void>, readonly clear: () => void }}
 */
export function createSearch(onAsk) {
  const input = element('input', {
    id: 'record',
    name: 'record',
    type: 'search',
    maxlength: 200,
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'record-hint',
  });
  const state = element('p', { class: 'muted', role: 'status' });
  const found = element('div', { class: 'found' });
  /** @type {AbortController | undefined} */
  let asking;

  const search = async (/** @type {string} */ record) => {
    // An older answer must not come after a newer one.
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    input.value = record;
    state.textContent = 'Searching …';
    try {
      const answer = await ask(`/status/explain.json?${new URLSearchParams({ record }).toString()}`, { signal });
      state.textContent = '';
      if (answer.status !== 200) {
        found.replaceChildren(createProblemNotice(answer));
        return;
      }
      const result = /** @type {RecordSearch} */ (answer.body);
      state.textContent = summarise(result);
      found.replaceChildren(...describeResult(result, follow));
    } catch (error) {
      if (signal.aborted) return;
      state.textContent = '';
      found.replaceChildren(createFailureNotice(error));
    }
  };
  const follow = (/** @type {string} */ record) => {
    onAsk(record);
    void search(record);
  };
  const form = element(
    'form',
    { class: 'row', role: 'search' },
    element('label', { class: 'grow', for: 'record' }, element('span', { class: 'label' }, 'Phone or deal'), input),
    element('button', { class: 'primary', type: 'submit' }, 'Find out'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const record = input.value.trim();
    if (record !== '') follow(record);
  });
  return {
    elements: [
      element('h2', { id: 'search-title' }, 'Why is my phone not there?'),
      form,
      element(
        'p',
        { id: 'record-hint', class: 'muted small' },
        'A phone by id, slug, name or a part of it, also as a feed calls it; a deal by its key or ',
        element('code', {}, 'retailer:key'),
        '; either by ',
        element('code', {}, 'file:line'),
        ', or of a JSON export by ',
        element('code', {}, 'file (item n)'),
        '.',
      ),
      state,
      found,
    ],
    search,
    clear: () => {
      asking?.abort();
      input.value = '';
      state.textContent = '';
      found.replaceChildren();
    },
  };
}

/**
 * @param {RecordSearch} result
 * @returns {string}
 */
function summarise({ asked, products, deals, leftOut, names, renamed, gone }) {
  const parts = [
    products.count > 0 && `${formatCount(products.count, 'phone')} served`,
    deals.count > 0 && `${formatCount(deals.count, 'deal')} served`,
    leftOut.count > 0 && `${formatCount(leftOut.count, 'record')} left out`,
    renamed.length > 0 && `${formatCount(renamed.length, 'phone')} called otherwise now`,
    gone.length > 0 && `${formatCount(gone.length, 'phone')} gone since the snapshot before`,
    names.count > 0 && `${formatCount(names.count, 'name')} of feeds`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? `The snapshot knows nothing that is called “${asked}”.` : `Found: ${parts.join(', ')}.`;
}

/**
 * @param {RecordSearch} result
 * @param {(record: string) => void} follow
 * @returns {readonly HTMLElement[]}
 */
function describeResult(result, follow) {
  const { asked, products, deals, leftOut, names, renamed, gone, nearest } = result;
  const counts = [products.count, deals.count, leftOut.count, names.count, renamed.length, gone.length];
  const isNothing = counts.every((n) => n === 0);
  return [
    ...products.items.map((product) => describeProduct(product, result)),
    ...describeMore(products),
    ...(deals.count === 0 ? [] : [describeDeals(deals.items), ...describeMore(deals)]),
    ...(leftOut.count === 0 ? [] : [...describeLeftOut(leftOut.items), ...describeMore(leftOut)]),
    ...(renamed.length === 0 ? [] : [describeRenamed(renamed, follow)]),
    ...(gone.length === 0 ? [] : [describeGone(gone)]),
    ...(names.count === 0
      ? []
      : [element('h3', {}, 'What feeds call it'), describeNames(names.items), ...describeMore(names)]),
    ...(nearest.length === 0 ? [] : [describeNearest(nearest, follow)]),
    ...(isNothing ? [describeCommand(asked)] : []),
  ];
}

/**
 * @param {FoundProduct} found
 * @param {RecordSearch} result
 * @returns {HTMLElement}
 */
function describeProduct(found, { currencyLabel, now }) {
  const { product, name, slug, dealCount, cheapest, dealsLeftOut, lastDeal, origin, sourceState, notices } = found;
  return element(
    'article',
    { class: 'found-product' },
    element(
      'h3',
      {},
      name,
      ' ',
      element('span', { class: 'tag good' }, 'served'),
      ' ',
      dealCount === 0 && element('span', { class: 'tag warning' }, 'no deals'),
      sourceState !== undefined && element('span', { class: 'tag warning' }, sourceState),
    ),
    element(
      'p',
      {},
      dealCount === 0
        ? 'No deal is for it, so every list with a deal filter leaves it out.'
        : `${formatCount(dealCount, 'deal')}. The cheapest costs ${cheapest === undefined ? '' : describePrices(cheapest, currencyLabel)}${cheapest === undefined ? '' : `, from ${cheapest.retailer} on ${cheapest.network}`}.`,
    ),
    dealsLeftOut.length > 0 &&
      element('p', {}, 'Read for it and left out: ', ...describeLeftOutDeals(dealsLeftOut), '.'),
    dealCount === 0 && dealsLeftOut.length === 0 && element('p', {}, 'No record of a feed is for it.'),
    lastDeal !== undefined && element('p', {}, 'It last had a deal ', createAge(lastDeal.at, now), '.'),
    element(
      'p',
      { class: 'muted small' },
      element('code', {}, product),
      ' · ',
      element('code', {}, slug),
      origin !== undefined && ' · ',
      origin !== undefined && element('code', {}, describePlace(origin)),
    ),
    ...describeNotices(notices),
  );
}

/**
 * Findings about what is served.
 * @param {readonly FoundNotice[]} notices
 * @returns {readonly HTMLElement[]}
 */
function describeNotices(notices) {
  if (notices.length === 0) return [];
  return [
    element(
      'ul',
      { class: 'findings' },
      ...notices.map(({ code, field, found, isFoundJson, meaning, remedy }) =>
        element(
          'li',
          {},
          element('code', {}, code),
          ' ',
          ...withCode(meaning),
          field !== undefined && ` (${field}`,
          found !== undefined && `${field === undefined ? ' (' : ': '}${isFoundJson === true ? found : `“${found}”`}`,
          (field !== undefined || found !== undefined) && ')',
          '; ',
          ...withCode(remedy ?? ''),
        ),
      ),
    ),
  ];
}

const DEAL_COLUMNS = [
  { title: 'Deal' },
  { title: 'Retailer' },
  { title: 'Of the phone' },
  { title: 'Upfront', isNumber: true },
  { title: 'Monthly', isNumber: true },
  { title: 'In all', isNumber: true },
  { title: 'From', className: 'place' },
  { title: 'Matched by', className: 'prose' },
  { title: 'Findings', className: 'prose' },
];

/**
 * @param {readonly FoundDeal[]} deals
 * @returns {HTMLElement}
 */
function describeDeals(deals) {
  return createTable(
    'found deals',
    DEAL_COLUMNS,
    deals.map(({ key, retailer, name, product, prices, origin, match, sourceState, notices }) =>
      createRow(DEAL_COLUMNS, [
        [element('code', {}, key), sourceState !== undefined && element('span', { class: 'tag warning' }, sourceState)],
        retailer ?? '',
        [name, element('span', { class: 'muted small block' }, product)],
        prices?.upfrontCost ?? '',
        prices?.monthlyCost ?? '',
        prices?.totalCost ?? '',
        element('code', {}, describePlace(origin)),
        [match.meaning, element('span', { class: 'muted small block' }, match.found)],
        describeNotices(notices),
      ]),
    ),
  );
}

/**
 * A table for each rule that leaves something out, headed by what the rule says.
 * @param {readonly FoundNotice[]} items
 * @returns {readonly HTMLElement[]}
 */
function describeLeftOut(items) {
  const codes = [...new Set(items.map(({ code }) => code))];
  return codes.flatMap((code) => {
    const records = items.filter((item) => item.code === code);
    const [first] = records;
    const remedies = new Set(records.map(({ remedy }) => remedy));
    return [
      element(
        'h3',
        {},
        'Left out: ',
        element('code', {}, code),
        ' ',
        element('span', { class: 'tag bad' }, first?.outcome ?? ''),
      ),
      element(
        'p',
        {},
        ...withCode(first?.meaning ?? ''),
        remedies.size === 1 && '; what to do: ',
        ...(remedies.size === 1 ? withCode(first?.remedy ?? '') : []),
      ),
      // What is to be done about all of them is said once.
      createRecordTable(`found records left out by ${code}`, records, { hasRemedies: remedies.size > 1 }),
    ];
  });
}

const NAME_COLUMNS = [
  { title: 'Name', className: 'prose' },
  { title: 'Feed' },
  { title: 'Deals', isNumber: true },
  { title: 'What became of them', className: 'prose' },
  { title: 'What to do', className: 'prose' },
];

/**
 * Names under which feeds have deals, and what became of the deals.
 * @param {RecordSearch['names']['items']} names
 * @returns {HTMLElement}
 */
function describeNames(names) {
  return createTable(
    'found names of feeds',
    NAME_COLUMNS,
    names.map(({ feed, name, field, dealCount, outcomes, expected, remedy, matchesLine }) =>
      createRow(NAME_COLUMNS, [
        field === undefined ? name : `${field} ${name}`,
        feed,
        formatNumber(dealCount),
        outcomes.map(({ code, product, count }) =>
          element(
            'span',
            { class: 'block' },
            `${formatNumber(count)} `,
            code === 'served' ? 'served' : element('code', {}, code),
            product !== undefined && ' of ',
            product !== undefined && element('code', {}, product),
          ),
        ),
        [
          expected !== undefined && element('span', { class: 'block' }, `Expected ${expected}.`),
          remedy !== undefined && element('span', { class: 'block' }, ...withCode(remedy)),
          ...createMatchesLine(matchesLine),
        ],
      ]),
    ),
    { isStacked: true },
  );
}

/**
 * @param {RecordSearch['renamed']} products
 * @param {(record: string) => void} follow
 * @returns {HTMLElement}
 */
function describeRenamed(products, follow) {
  return element(
    'div',
    {},
    element('h3', {}, 'Called otherwise in the snapshot before'),
    element(
      'ul',
      {},
      ...products.map(({ product, name, renamed }) =>
        element(
          'li',
          {},
          element('button', { type: 'button', class: 'small', click: () => follow(product) }, name),
          ...Object.entries(renamed ?? {}).map(([field, names]) => ` ${field} “${names?.from}” → “${names?.to}”`),
        ),
      ),
    ),
  );
}

/**
 * @param {RecordSearch['gone']} gone
 * @returns {HTMLElement}
 */
function describeGone(gone) {
  return element(
    'div',
    {},
    element('h3', {}, 'Gone since the snapshot before'),
    element('ul', {}, ...gone.map(({ product, name }) => element('li', {}, name, ' ', element('code', {}, product)))),
  );
}

/**
 * @param {readonly string[]} nearest
 * @param {(record: string) => void} follow
 * @returns {HTMLElement}
 */
function describeNearest(nearest, follow) {
  return element(
    'p',
    { class: 'row tight' },
    'Was one of these meant?',
    ...nearest.map((word) => element('button', { type: 'button', class: 'small', click: () => follow(word) }, word)),
  );
}

/**
 * The command that also looks into older snapshots.
 * @param {string} asked
 * @returns {HTMLElement}
 */
function describeCommand(asked) {
  const command = `deals explain '${asked.replaceAll("'", String.raw`'\''`)}'`;
  return element(
    'p',
    { class: 'row tight' },
    'Older snapshots are searched by ',
    element('code', { class: 'command' }, command),
    createCopyButton('Copy', () => command),
  );
}

/**
 * @param {{ readonly count: number, readonly items: readonly unknown[] }} found
 * @returns {readonly HTMLElement[]}
 */
function describeMore({ count, items }) {
  const more = count - items.length;
  return more > 0
    ? [element('p', { class: 'muted' }, `and ${formatNumber(more)} more; a longer word finds fewer.`)]
    : [];
}

/**
 * @param {FoundPrices} prices
 * @param {string} label
 * @returns {string}
 */
function describePrices({ upfrontCost, monthlyCost, totalCost }, label) {
  return `${label}${totalCost} in all (${label}${upfrontCost} + ${label}${monthlyCost} a month)`;
}
