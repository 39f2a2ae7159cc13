import { element } from '../lib/element.js';

/**
 * `£36.50`, and `£30` for whole amounts.
 * @param {string | number} amount
 * @param {string} currency its symbol
 */
export function formatMoney(amount, currency) {
  const value = Number(amount);
  const digits = Number.isInteger(value) ? 0 : 2;
  return `${currency}${value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/**
 * `£36.50`, `£30.00`: amounts below each other end alike.
 * @param {string | number} amount
 * @param {string} currency its symbol
 */
export function formatPrice(amount, currency) {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `${currency}${Number(amount).toLocaleString('en-GB', digits)}`;
}

/**
 * A link to where a deal can be bought.
 * @param {string} url
 * @param {{ readonly text: string, readonly hidden: string, readonly class?: string }} words what is read, and what only a
 *   screen reader reads
 * @returns {HTMLAnchorElement | undefined} undefined where a feed calls something a link that is none
 */
export function createDealLink(url, { text, hidden, class: className }) {
  if (!/^https?:/i.test(url)) return undefined;
  return element(
    'a',
    { href: url, target: '_blank', rel: 'noopener noreferrer nofollow', class: className },
    text,
    element('span', { class: 'visually-hidden' }, hidden),
  );
}

/**
 * `4GB`, `Unlimited data`.
 * @param {import('./answer-types.ts').CheapestDeal} deal
 */
export function describeData({ monthlyFriendlyDataAllowance: data, monthlyDataAllowanceLabel: unit }) {
  return unit === '' ? `${data} data` : `${data}${unit}`;
}

/**
 * What comes with a deal.
 * @param {import('./answer-types.ts').Deal} deal
 * @param {string} currency
 * @returns {string} empty without an offer
 */
export function describeOffer({ giftName, cashbackType, cashbackValue }, currency) {
  const cashback =
    cashbackValue === undefined ? '' : `${formatMoney(cashbackValue, currency)} cashback (${cashbackType ?? ''})`;
  return [giftName, cashback].filter((text) => text !== '').join(', ');
}

/**
 * The price and the plan of the cheapest deal of a phone.
 * @param {import('./answer-types.ts').CheapestDeal} deal
 */
export function describeCheapest(deal) {
  const { currencyLabel: currency, upfrontProductCost: upfront } = deal;
  return [
    element(
      'p',
      { class: 'price' },
      element('strong', {}, formatPrice(deal.monthlyContractPrice, currency)),
      ' a month',
    ),
    element(
      'p',
      { class: 'muted' },
      upfront === 0 ? 'Nothing upfront' : `${formatPrice(upfront, currency)} upfront`,
      `, ${deal.contractLength} ${deal.contractLengthLabel}`,
    ),
    element('p', {}, `${formatPrice(deal.totalContractCost, currency)} in all`),
    element('p', { class: 'plan' }, `${describeData(deal)}, ${deal.contractSupplierName}`),
    element('p', { class: 'muted' }, `at ${deal.retailSupplierName}`),
  ];
}
