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
