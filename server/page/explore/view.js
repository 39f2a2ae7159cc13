/**
 * The state of the page in its address: `/explore/?networks=northway,corvane&monthlyTo=40`. Values are unchecked texts; the
 * interface checks them.
 * @typedef {Readonly<Record<(typeof KEYS)[number], string>>} View
 * @typedef {(typeof FILTERS)[number]['key']} FilterKey
 */

/**
 * The filters of this page: its parameter, that of the interface with the operator, and what a reader calls it. A `list`
 * holds several values with commas between. `of` says what the interface applies it to.
 */
export const FILTERS = /** @type {const} */ ([
  { key: 'name', filter: 'name', operator: 'has', of: 'phone', kind: 'value', label: 'Name has' },
  { key: 'networks', filter: 'networks', operator: 'eq', of: 'deal', kind: 'list', label: 'Network' },
  { key: 'retailers', filter: 'retailers', operator: 'eq', of: 'deal', kind: 'list', label: 'Retailer' },
  { key: 'manufacturers', filter: 'manufacturers', operator: 'eq', of: 'phone', kind: 'list', label: 'Maker' },
  { key: 'condition', filter: 'condition', operator: 'eq', of: 'phone', kind: 'list', label: 'Condition' },
  { key: 'offers', filter: 'offers', operator: 'eq', of: 'deal', kind: 'list', label: 'With' },
  { key: 'upfrontTo', filter: 'upfrontCost', operator: 'lte', of: 'deal', kind: 'value', label: 'Upfront up to' },
  { key: 'monthlyFrom', filter: 'monthlyCost', operator: 'gte', of: 'deal', kind: 'value', label: 'Monthly from' },
  { key: 'monthlyTo', filter: 'monthlyCost', operator: 'lte', of: 'deal', kind: 'value', label: 'Monthly up to' },
  { key: 'dataFrom', filter: 'dataAllowance', operator: 'gte', of: 'deal', kind: 'value', label: 'GB from' },
  { key: 'monthsFrom', filter: 'contractLength', operator: 'gte', of: 'deal', kind: 'value', label: 'Months from' },
  { key: 'monthsTo', filter: 'contractLength', operator: 'lte', of: 'deal', kind: 'value', label: 'Months up to' },
]);

/** The state beside the filters: what stands in an address only when it is something else. */
const DEFAULTS = {
  sort: 'total-cost-asc',
  grouped: '',
  cursor: '',
  phone: '',
  slug: '',
  dealSort: 'total-cost-asc',
  deals: '100',
  picked: '',
  compare: '',
  gifts: '',
};

const KEYS = [...FILTERS.map(({ key }) => key), .../** @type {(keyof typeof DEFAULTS)[]} */ (Object.keys(DEFAULTS))];

/** @param {string} search the query of an address */
export function readView(search) {
  const parameters = new URLSearchParams(search);
  return /** @type {View} */ (Object.fromEntries(KEYS.map((key) => [key, parameters.get(key) ?? findDefault(key)])));
}

/**
 * Which page a view is.
 * @param {View} view
 */
export function pageOf(view) {
  if (view.phone !== '') return 'phone';
  if (view.gifts !== '') return 'gifts';
  return view.compare !== '' && view.picked !== '' ? 'compare' : 'phones';
}

/**
 * The view of the phones, from any page.
 * @param {View} view
 */
export function toPhones(view) {
  return { ...view, phone: '', slug: '', compare: '', gifts: '' };
}

/**
 * The view in which a phone is picked for the comparison, or is not any more.
 * @param {View} view
 * @param {string} slug
 */
export function togglePick(view, slug) {
  const picked = splitList(view.picked);
  const others = picked.filter((other) => other !== slug);
  return { ...view, picked: (others.length < picked.length ? others : [...picked, slug]).join(',') };
}

/**
 * The address of a view, relative to the page. Commas stay as they are: it is for reading too.
 * @param {View} view
 */
export function writeAddress(view) {
  const pairs = KEYS.filter((key) => view[key] !== findDefault(key)).map(
    (key) => `${key}=${encodeURIComponent(view[key]).replaceAll('%2C', ',')}`,
  );
  return pairs.length === 0 ? location.pathname : `${location.pathname}?${pairs.join('&')}`;
}

/**
 * The values of a list.
 * @param {string} text
 */
export function splitList(text) {
  return text.split(',').filter((value) => value !== '');
}

/**
 * The view without any filter.
 * @param {View} view
 */
export function clearFilters(view) {
  return { ...view, ...Object.fromEntries(FILTERS.map(({ key }) => [key, ''])), cursor: '' };
}

/** @param {(typeof KEYS)[number]} key */
function findDefault(key) {
  return key in DEFAULTS ? DEFAULTS[/** @type {keyof typeof DEFAULTS} */ (key)] : '';
}
