import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createNotice } from '../lib/problem-notice.js';
import { createDealTable } from './deal-table.js';
import { createPicture } from './picture.js';
import { createPriceHistory } from './price-history.js';
import { createPricePlot, groupByLength } from './price-plot.js';
import { createDealLink, describeData, formatPrice } from './show-text.js';
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
 * @returns {{ readonly title: string, readonly news: string, readonly parts: readonly HTMLElement[] }}
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
  const siblings = createSiblings(view, phone, (found) => {
    // Where the filters leave no deal, the answer names no currency.
    const complete = currency === '' ? createHistory(currencyOf(found)) : undefined;
    if (complete !== undefined) history?.replaceWith(complete);
  });
  return {
    title: phone.name,
    news: `${phone.name}, ${dealCount}`,
    parts: [
      element('p', { class: 'back' }, element('a', { href: writeAddress(toPhones(view)) }, '← All phones')),
      element(
        'div',
        { class: 'phone-head' },
        element('h1', { tabindex: -1, id: 'results-title' }, phone.name),
        createPickLink(view, phone),
        ...createVariants(view, phone, body.products),
      ),
      ...(siblings === undefined ? [] : [siblings]),
      createIntroduction(phone),
      element(
        'section',
        { 'aria-labelledby': 'deals-title', class: 'deals-part' },
        element('div', { class: 'toolbar' }, element('h2', { id: 'deals-title' }, 'Deals'), createDealLimit(view, go)),
        ...(activeFilters === undefined ? [] : [activeFilters]),
        ...(deals.length === 0 ? [createNoDeals(view)] : createDeals(view, deals, currency, dealCount)),
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
 * @returns {readonly Deal[]}
 */
function dealsOf({ name, condition }, { deals = [] }) {
  return deals.filter((deal) => deal.productName === name && deal.condition === condition);
}

/**
 * A link that picks the phone for the comparison, or removes it from there.
 * @param {View} view
 * @param {Phone} phone
 * @returns {HTMLElement}
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

/**
 * @param {View} view
 * @param {Phone} phone
 * @param {readonly Phone[]} phones
 * @returns {readonly HTMLElement[]} empty when there is one alone
 */
function createVariants(view, phone, phones) {
  if (phones.length < 2) return [];
  const links = phones.map((other) => {
    const { cheapestDeal } = other;
    const price =
      cheapestDeal === undefined
        ? 'no deals'
        : `from ${formatPrice(cheapestDeal.monthlyContractPrice, cheapestDeal.currencyLabel)} a month`;
    return element(
      'a',
      {
        href: writeAddress({ ...view, slug: other.slug }),
        'aria-current': other === phone ? 'true' : undefined,
        'data-focus': `variant-${other.slug}`,
      },
      other.condition ?? '',
      element('span', { class: 'muted' }, price),
    );
  });
  return [element('nav', { class: 'variants', 'aria-label': 'Condition' }, ...links)];
}

/**
 * @param {Phone} phone
 * @returns {HTMLElement}
 */
function createIntroduction({ name, content, images = {}, cheapestDeal }) {
  const hasPicture = Object.keys(images).length > 0;
  const pictures = hasPicture
    ? PICTURE_VIEWS.map((side) => createPictureOf(name, side, images[`large${side}ImageWebp`]))
    : [element('figure', {}, createPicture(undefined, name, { width: 100, height: 200 }))];
  return element(
    'section',
    { class: 'introduction', 'aria-label': 'At a glance' },
    element('div', { class: 'pictures' }, ...pictures),
    element(
      'div',
      { class: 'words-of-phone' },
      content?.heading !== undefined && element('p', { class: 'phone-heading' }, content.heading),
      content?.introduction !== undefined && element('p', { class: 'muted' }, content.introduction),
      cheapestDeal !== undefined && createBest(cheapestDeal),
    ),
  );
}

/**
 * @param {string} name
 * @param {string} side
 * @param {string | undefined} url
 * @returns {HTMLElement}
 */
function createPictureOf(name, side, url) {
  return element(
    'figure',
    {},
    createPicture(url, `${name}, ${side.toLowerCase()}`, { width: 100, height: 200 }),
    element('figcaption', { 'aria-hidden': 'true' }, side),
  );
}

/**
 * @param {import('./answer-types.ts').CheapestDeal} deal
 * @returns {HTMLElement}
 */
function createBest(deal) {
  const { currencyLabel: currency, upfrontProductCost: upfront } = deal;
  return element(
    'div',
    { class: 'best panel' },
    element('p', { class: 'label' }, 'Cheapest deal'),
    element(
      'p',
      { class: 'price' },
      element('strong', {}, formatPrice(deal.monthlyContractPrice, currency)),
      ' a month',
    ),
    element(
      'p',
      {},
      [
        upfront === 0 ? 'Nothing upfront' : `${formatPrice(upfront, currency)} upfront`,
        `${deal.contractLength} ${deal.contractLengthLabel}`,
        describeData(deal),
        `${formatPrice(deal.totalContractCost, currency)} in all`,
      ]
        .map((part) => part.replaceAll(' ', '\u00a0'))
        .join(' · '),
    ),
    element('p', { class: 'muted' }, `${deal.contractSupplierName} at ${deal.retailSupplierName}`),
    createDealLink(deal.purchaseLink, {
      text: 'See deal',
      hidden: ` at ${deal.retailSupplierName}, in a new tab`,
      class: 'button primary see-deal',
    }),
  );
}

/**
 * @param {View} view
 * @param {readonly Deal[]} deals
 * @param {string} currency
 * @param {string} caption
 * @returns {readonly HTMLElement[]}
 */
function createDeals(view, deals, currency, caption) {
  const mark = (/** @type {number | undefined} */ index) => {
    plot.mark(index);
    table.mark(index);
  };
  const table = createDealTable(view, deals, currency, caption, mark);
  const plot = createPricePlot(deals, currency, groupByLength(deals), { onPoint: mark, onChoose: table.goTo });
  return [plot.element, table.element];
}

/**
 * @param {View} view
 * @param {(next: View) => void} go
 * @returns {HTMLElement}
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
 * @returns {string}
 */
function describeDealCount(view, count) {
  // An answer that is as long as it may be has probably been cut.
  return String(count) === view.deals ? `the first ${formatCount(count, 'deal')}` : formatCount(count, 'deal');
}

/**
 * @param {Phone} phone
 * @returns {readonly HTMLElement[]}
 */
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

/**
 * @param {View} view
 * @returns {HTMLElement}
 */
function createNoDeals(view) {
  const cleared = clearFilters(view);
  const isFiltered = writeAddress(cleared) !== writeAddress(view);
  return createNotice(
    'status',
    isFiltered ? 'No deal of this phone passes all filters' : 'No retailer sells this phone today',
    undefined,
    isFiltered && element('p', {}, element('a', { class: 'button', href: writeAddress(cleared) }, 'Clear all filters')),
  );
}

/**
 * @param {View} view
 * @returns {{ readonly title: string, readonly news: string, readonly parts: readonly HTMLElement[] }}
 */
function createNoPhone(view) {
  const all = element('a', { class: 'button', href: writeAddress(toPhones(view)) }, 'All phones');
  return {
    title: 'No phone',
    news: 'No phone',
    parts: [createNotice('status', 'The answer holds no phone', undefined, element('p', {}, all))],
  };
}
