import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createNotice } from '../lib/problem-notice.js';
import { createPicture } from './picture.js';
import { createDealLink, describeData, formatPrice } from './show-text.js';
import { SPEC_LABELS } from './spec-labels.js';
import { MOST_COMPARED } from './target.js';
import { splitList, togglePick, toPhones, writeAddress } from './view.js';

/** @typedef {import('./answer-types.ts').CheapestDeal} CheapestDeal */
/** @typedef {import('./answer-types.ts').Phone} Phone */
/** @typedef {import('./answer-types.ts').PhonesBody} PhonesBody */
/** @typedef {import('./view.js').View} View */

/**
 * What is compared of the cheapest deals. `amountOf` is there where the least is the best.
 * @type {readonly { readonly label: string, readonly amountOf?: (deal: CheapestDeal) => number, readonly textOf: (deal: CheapestDeal) => string }[]}
 */
const DEAL_ROWS = [
  {
    label: 'Monthly',
    amountOf: ({ monthlyContractPrice }) => monthlyContractPrice,
    textOf: (deal) => formatPrice(deal.monthlyContractPrice, deal.currencyLabel),
  },
  {
    label: 'Upfront',
    amountOf: ({ upfrontProductCost }) => upfrontProductCost,
    textOf: (deal) => formatPrice(deal.upfrontProductCost, deal.currencyLabel),
  },
  {
    label: 'In all',
    amountOf: ({ totalContractCost }) => totalContractCost,
    textOf: (deal) => formatPrice(deal.totalContractCost, deal.currencyLabel),
  },
  { label: 'Length', textOf: (deal) => `${deal.contractLength} ${deal.contractLengthLabel}` },
  { label: 'Data', textOf: (deal) => describeData(deal).replace(/ data$/, '') },
  { label: 'Network', textOf: ({ contractSupplierName }) => contractSupplierName },
  { label: 'Retailer', textOf: ({ retailSupplierName }) => retailSupplierName },
];

/**
 * Two to four phones side by side: their cheapest deals, their specifications.
 * @param {View} view
 * @param {PhonesBody} body
 * @param {HTMLElement | undefined} activeFilters
 */
export function createComparePage(view, body, activeFilters) {
  const picked = splitList(view.picked);
  const phones = picked
    .map((slug) => body.products.find((product) => product.slug === slug))
    .filter((phone) => phone !== undefined);
  const missing = picked.filter((slug) => !phones.some((phone) => phone.slug === slug));
  const title = phones.length < 2 ? 'Compare phones' : `Compare ${formatCount(phones.length, 'phone')}`;
  return {
    title,
    news: title,
    parts: [
      element('p', {}, element('a', { href: writeAddress(toPhones(view)) }, '← All phones')),
      element('h1', { tabindex: -1, id: 'results-title' }, title),
      ...(activeFilters === undefined ? [] : [activeFilters]),
      ...(missing.length === 0 ? [] : [createMissing(view, missing)]),
      ...(phones.length === 0 ? [] : [createTable(view, phones)]),
    ],
  };
}

/**
 * Names what was picked and is not shown.
 * @param {View} view
 * @param {readonly string[]} missing
 */
function createMissing(view, missing) {
  const isLong = splitList(view.picked).length > MOST_COMPARED;
  const why = isLong
    ? `No more than ${MOST_COMPARED} phones are compared at once.`
    : 'No deal passes the filters, or there is no such phone any more.';
  const rest = splitList(view.picked).filter((slug) => !missing.includes(slug));
  return createNotice(
    '',
    `Not shown: ${missing.join(', ')}`,
    why,
    element(
      'p',
      {},
      element('a', { class: 'button', href: writeAddress({ ...view, picked: rest.join(',') }) }, 'Remove'),
    ),
  );
}

/**
 * @param {View} view
 * @param {readonly Phone[]} phones
 */
function createTable(view, phones) {
  const deals = phones.map(({ cheapestDeal }) => cheapestDeal);
  const specs = /** @type {(keyof typeof SPEC_LABELS)[]} */ (Object.keys(SPEC_LABELS))
    .filter((key) => phones.some((phone) => phone.specs?.[key] !== undefined))
    .map((key) =>
      createRow(
        SPEC_LABELS[key],
        phones.map((phone) => phone.specs?.[key]),
      ),
    );
  return element(
    'div',
    // Wider than a telephone: it scrolls, by keys too.
    { class: 'table-frame', tabindex: 0, role: 'region', 'aria-label': 'Table of the compared phones' },
    element(
      'table',
      { class: 'compare' },
      element(
        'caption',
        {},
        ...(phones.length === 1
          ? ['Pick another phone in the list to compare it with.']
          : ['Specifications with ', createDifferenceMark(), ' differ.']),
      ),
      element(
        'thead',
        {},
        element('tr', {}, element('td', {}), ...phones.map((phone) => createHead(view, phone, phones.length))),
      ),
      createPart('Cheapest deal', phones.length, [
        ...DEAL_ROWS.map((row) => createDealRow(row, deals)),
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, 'Buy'),
          ...phones.map(({ name, cheapestDeal }) => element('td', {}, createBuyLink(name, cheapestDeal))),
        ),
      ]),
      createPart('Specifications', phones.length, specs),
    ),
  );
}

/**
 * @param {View} view
 * @param {Phone} phone
 * @param {number} count
 */
function createHead(view, { id, name, slug, images }, count) {
  return element(
    'th',
    { scope: 'col' },
    createPicture(images?.['largeFrontImageWebp'], '', { width: 100, height: 200 }),
    element(
      'span',
      { class: 'compared-name' },
      element(
        'a',
        { href: writeAddress({ ...view, compare: '', phone: id, slug }), 'data-focus': `phone-${slug}` },
        name,
      ),
    ),
    count > 1 &&
      element(
        'a',
        { class: 'small', href: writeAddress(togglePick(view, slug)), 'data-focus': `remove-${slug}` },
        'Remove',
        element('span', { class: 'visually-hidden' }, ` ${name}`),
      ),
  );
}

/**
 * Rows under a heading of their own.
 * @param {string} title
 * @param {number} count of phones
 * @param {readonly HTMLElement[]} rows
 */
function createPart(title, count, rows) {
  const head = element('tr', {}, element('th', { scope: 'rowgroup', colspan: count + 1 }, title));
  return element('tbody', {}, head, ...rows);
}

/**
 * @param {(typeof DEAL_ROWS)[number]} row
 * @param {readonly (CheapestDeal | undefined)[]} deals
 */
function createDealRow({ label, amountOf, textOf }, deals) {
  const amounts = deals.map((deal) => (deal === undefined ? Infinity : (amountOf?.(deal) ?? 0)));
  const least = Math.min(...amounts);
  const hasLeast = amountOf !== undefined && amounts.some((amount) => amount !== least);
  return createRow(
    label,
    deals.map((deal) => (deal === undefined ? undefined : textOf(deal))),
    (index) => hasLeast && amounts[index] === least,
  );
}

/**
 * @param {string} label
 * @param {readonly (string | undefined)[]} texts one for each phone; undefined where it has none
 * @param {(index: number) => boolean} [isBest]
 */
function createRow(label, texts, isBest) {
  // The cheapest deals differ in almost everything.
  const isCompared = isBest === undefined && texts.length > 1;
  const differs = isCompared && texts.some((text) => text !== texts[0]);
  return element(
    'tr',
    { class: isCompared && !differs ? 'same' : undefined },
    element('th', { scope: 'row' }, label, differs && createDifferenceMark()),
    ...texts.map((text, index) =>
      element(
        'td',
        {},
        text ?? element('span', { class: 'muted' }, '–'),
        isBest?.(index) === true && element('span', { class: 'tag good' }, 'lowest'),
      ),
    ),
  );
}

function createDifferenceMark() {
  return element(
    'span',
    { class: 'difference' },
    element('span', { 'aria-hidden': 'true' }, '≠'),
    element('span', { class: 'visually-hidden' }, ' (differs)'),
  );
}

/**
 * @param {string} name
 * @param {CheapestDeal | undefined} deal
 */
function createBuyLink(name, deal) {
  const words = { text: 'See deal', hidden: ` of ${name}, in a new tab`, class: 'button small' };
  const link = deal === undefined ? undefined : createDealLink(deal.purchaseLink, words);
  return link ?? element('span', { class: 'muted' }, deal === undefined ? 'No deals today' : '–');
}
