import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createNotice } from '../lib/problem-notice.js';
import { createDealTable } from './deal-table.js';
import { createPicture } from './picture.js';
import { createPriceHistory } from './price-history.js';
import { createDealLink, describeCheapest } from './show-text.js';
import { createSiblings } from './siblings.js';
import { SPEC_LABELS } from './spec-labels.js';
import { MOST_COMPARED } from './target.js';
import { clearFilters, splitList, togglePick, toPhones, writeAddress } from './view.js';

/** @typedef {import('./answer-types.ts').Deal} Deal */
/** @typedef {import('./answer-types.ts').Phone} Phone */
/** @typedef {import('./answer-types.ts').PhonesBody} PhonesBody */
/** @typedef {import('./view.js').View} View */

const PICTURE_VIEWS = /** @type {const} */ (['Front', 'Back', 'Left', 'Right']);

/** How many deals may be asked for. */
const DEAL_LIMITS = ['25', '100', '250', '1000'];

/**
 * One phone: pictures, cheapest deal, all deals, price history, specifications.
 * @param {View} view
 * @param {PhonesBody} body
 * @param {HTMLElement | undefined} activeFilters
 * @param {(next: View) => void} go
 * @param {string | undefined} today the day of the snapshot
 */
export function createPhonePage(view, body, activeFilters, go, today) {
  const phone = body.products.find(({ slug }) => slug === view.slug) ?? body.products[0];
  if (phone === undefined) return createNoPhone(view);
  const deals = dealsOf(phone, body);
  const currency = currencyOf(body.products);
  const dealCount = describeDealCount(view, deals.length);
  const createHistory = (/** @type {string} */ symbol) =>
    phone.priceHistory === undefined ? undefined : createPriceHistory(phone.priceHistory, symbol, today);
  const history = createHistory(currency);
  const siblings = createSiblings(view, phone, body.products, (found) => {
    // Where the filters leave no deal, the answer names no currency.
    const complete = currency === '' ? createHistory(currencyOf(found)) : undefined;
    if (complete !== undefined) history?.replaceWith(complete);
  });
  return {
    title: phone.name,
    news: `${phone.name}, ${dealCount}`,
    parts: [
      element('p', {}, element('a', { href: writeAddress(toPhones(view)) }, '← All phones')),
      element(
        'div',
        { class: 'phone-head' },
        element('h1', { tabindex: -1, id: 'results-title' }, phone.name),
        createPickLink(view, phone),
      ),
      siblings,
      createIntroduction(phone),
      element(
        'section',
        { 'aria-labelledby': 'deals-title' },
        element('div', { class: 'toolbar' }, element('h2', { id: 'deals-title' }, 'Deals'), createDealLimit(view, go)),
        ...(activeFilters === undefined ? [] : [activeFilters]),
        ...(deals.length === 0 ? [createNoDeals(view)] : [createDealTable(view, deals, currency, dealCount)]),
      ),
      ...(history === undefined ? [] : [history]),
      ...createSpecs(phone),
    ],
  };
}

/**
 * @param {readonly Phone[]} phones
 * @returns {string} empty where none has a deal
 */
function currencyOf(phones) {
  return phones.find(({ cheapestDeal }) => cheapestDeal !== undefined)?.cheapestDeal?.currencyLabel ?? '';
}

/**
 * The deals of one of the phones: the answer holds those of new and refurbished together. Name and condition tell them apart.
 * @param {Phone} phone
 * @param {PhonesBody} body
 */
function dealsOf({ name, condition }, { deals = [] }) {
  return deals.filter((deal) => deal.productName === name && deal.condition === condition);
}

/**
 * A link that picks the phone for the comparison, or removes it from there.
 * @param {View} view
 * @param {Phone} phone
 */
function createPickLink(view, { slug }) {
  const picked = splitList(view.picked);
  const isPicked = picked.includes(slug);
  const attributes = { class: 'button small', 'data-focus': 'pick' };
  if (!isPicked && picked.length >= MOST_COMPARED) {
    return element(
      'span',
      { ...attributes, role: 'link', 'aria-disabled': 'true' },
      `${MOST_COMPARED} phones are picked`,
    );
  }
  const label = isPicked ? 'Remove from comparison' : 'Add to comparison';
  return element('a', { ...attributes, href: writeAddress(togglePick(view, slug)) }, label);
}

/** @param {Phone} phone */
function createIntroduction({ name, content, images = {}, cheapestDeal }) {
  const hasPicture = Object.keys(images).length > 0;
  const pictures = hasPicture
    ? PICTURE_VIEWS.map((side) => createPictureOf(name, side, images[`large${side}ImageWebp`]))
    : [element('figure', {}, createPicture(undefined, name, { width: 100, height: 200 }))];
  return element(
    'section',
    { class: 'introduction', 'aria-label': 'At a glance' },
    element('div', { class: 'panel pictures' }, ...pictures),
    element(
      'div',
      { class: 'words-of-phone' },
      content?.heading !== undefined && element('h2', {}, content.heading),
      content?.introduction !== undefined && element('p', { class: 'muted' }, content.introduction),
      cheapestDeal !== undefined && createBest(cheapestDeal),
    ),
  );
}

/**
 * @param {string} name
 * @param {string} side
 * @param {string | undefined} url
 */
function createPictureOf(name, side, url) {
  return element(
    'figure',
    {},
    createPicture(url, `${name}, ${side.toLowerCase()}`, { width: 100, height: 200 }),
    element('figcaption', { class: 'muted small', 'aria-hidden': 'true' }, side),
  );
}

/** @param {import('./answer-types.ts').CheapestDeal} deal */
function createBest(deal) {
  return element(
    'div',
    { class: 'best panel' },
    element('p', { class: 'label' }, 'Cheapest deal'),
    ...describeCheapest(deal),
    createDealLink(deal.purchaseLink, {
      text: 'See deal',
      hidden: ` at ${deal.retailSupplierName}, in a new tab`,
      class: 'button primary',
    }),
  );
}

/**
 * @param {View} view
 * @param {(next: View) => void} go
 */
function createDealLimit(view, go) {
  const limits = DEAL_LIMITS.includes(view.deals) ? DEAL_LIMITS : [...DEAL_LIMITS, view.deals];
  const select = element(
    'select',
    { id: 'deal-limit', 'data-focus': 'deal-limit' },
    ...limits.map((limit) => element('option', { value: limit, selected: limit === view.deals }, limit)),
  );
  select.addEventListener('change', () => go({ ...view, deals: select.value }));
  return element(
    'label',
    { class: 'sort', for: 'deal-limit' },
    element('span', { class: 'muted' }, 'Show at most'),
    select,
  );
}

/**
 * @param {View} view
 * @param {number} count
 */
function describeDealCount(view, count) {
  // An answer that is as long as it may be has probably been cut.
  return String(count) === view.deals ? `the first ${formatCount(count, 'deal')}` : formatCount(count, 'deal');
}

/** @param {Phone} phone */
function createSpecs({ specs = {} }) {
  const labels = /** @type {(keyof typeof SPEC_LABELS)[]} */ (Object.keys(SPEC_LABELS));
  const keys = labels.filter((key) => specs[key] !== undefined);
  if (keys.length === 0) return [];
  return [
    element(
      'section',
      { 'aria-labelledby': 'specs-title' },
      element('h2', { id: 'specs-title' }, 'Specifications'),
      element(
        'dl',
        { class: 'specs panel' },
        ...keys.map((key) => element('div', {}, element('dt', {}, SPEC_LABELS[key]), element('dd', {}, specs[key]))),
      ),
    ),
  ];
}

/** @param {View} view */
function createNoDeals(view) {
  const cleared = clearFilters(view);
  const isFiltered = writeAddress(cleared) !== writeAddress(view);
  return createNotice(
    '',
    isFiltered ? 'No deal of this phone passes all filters' : 'No retailer sells this phone today',
    undefined,
    isFiltered && element('p', {}, element('a', { class: 'button', href: writeAddress(cleared) }, 'Clear all filters')),
  );
}

/** @param {View} view */
function createNoPhone(view) {
  const all = element('a', { class: 'button', href: writeAddress(toPhones(view)) }, 'All phones');
  return {
    title: 'No phone',
    news: 'No phone',
    parts: [createNotice('', 'The answer holds no phone', undefined, element('p', {}, all))],
  };
}
