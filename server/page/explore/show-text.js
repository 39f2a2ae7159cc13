import { element } from '../lib/element.js';

/**
 * `£36.50`, and `£30` for whole amounts.
 * @param {string | number} amount
 * @param {string} currency its symbol
 * @returns {string}
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
 * @returns {string}
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
 * @returns {string}
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
