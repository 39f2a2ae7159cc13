import { element } from '../lib/element.js';
import { ask } from '../lib/request.js';
import { formatPrice } from './show-text.js';
import { targetOfSiblings } from './target.js';
import { writeAddress } from './view.js';

/** @typedef {import('./answer-types.ts').Phone} Phone */
/** @typedef {import('./answer-types.ts').PhonesBody} PhonesBody */
/** @typedef {import('./view.js').View} View */

/** What was found last: the same phone in another order of deals shows it at once. */
let found = { target: '', phones: /** @type {readonly Phone[]} */ ([]), isWhole: true };

/**
 * Links to the other storages and colours of a phone, new and refurbished: the products of its model.
 * @param {View} view
 * @param {Phone} phone
 * @param {(phones: readonly Phone[]) => void} onFound is told the phones, whose cheapest deals are those without filters
 * @returns {HTMLElement | undefined} undefined for a phone without a model; it fills when the interface has answered
 */
export function createSiblings(view, phone, onFound) {
  const target = targetOfSiblings(phone);
  if (target === undefined) return undefined;
  const list = element('nav', { class: 'siblings', 'aria-label': 'Other versions' });
  const show = () => list.replaceChildren(...createLinks(view, phone));
  if (found.target === target) show();
  void ask(target).then(
    ({ status, body, headers }) => {
      if (status !== 200) return;
      const { products } = /** @type {PhonesBody} */ (body);
      const isAsBefore = found.target === target && JSON.stringify(found.phones) === JSON.stringify(products);
      found = { target, phones: products, isWhole: headers.get('x-total-count') === String(products.length) };
      // A link that has the focus keeps it.
      if (!isAsBefore || list.childElementCount === 0) show();
      onFound(products);
    },
    // The answer to the main request says what is wrong.
    () => undefined,
  );
  return list;
}

/**
 * @param {View} view
 * @param {Phone} phone
 * @returns {readonly HTMLElement[]}
 */
function createLinks(view, phone) {
  // New and refurbished of one phone have one id, and links of their own.
  const versions = found.phones.filter(
    ({ id, slug, model }) => model === phone.model && (id !== phone.id || slug === phone.slug),
  );
  const labels = labelVersions(versions);
  const links = versions.map(({ id, slug, cheapestDeal }, index) =>
    element(
      'a',
      {
        href: writeAddress({ ...view, phone: id, slug }),
        'aria-current': slug === phone.slug ? 'page' : undefined,
        'data-focus': `sibling-${slug}`,
      },
      labels[index],
      element(
        'span',
        { class: 'muted' },
        cheapestDeal === undefined
          ? 'no deals'
          : `from ${formatPrice(cheapestDeal.monthlyContractPrice, cheapestDeal.currencyLabel)} a month`,
      ),
    ),
  );
  const ofMaker = { ...view, phone: '', slug: '', manufacturers: phone.manufacturer?.slug ?? '' };
  const more = found.isWhole ? [] : [element('a', { href: writeAddress(ofMaker) }, 'More of this maker')];
  return links.length + more.length < 2 ? [] : [...links, ...more];
}

/**
 * What tells versions of a model apart: the words of their names that not all of them have.
 * @param {readonly Phone[]} versions
 * @returns {readonly string[]}
 */
function labelVersions(versions) {
  const names = versions.map(({ name }) => name.split(' '));
  const labels = names.map((words) => words.filter((word) => !names.every((other) => other.includes(word))).join(' '));
  const isClear = labels.every((label, index) => label !== '' && labels.indexOf(label) === index);
  return isClear ? labels : versions.map(({ name, condition }) => describe(name, condition));
}

/**
 * @param {string} name
 * @param {string | undefined} condition
 * @returns {string}
 */
function describe(name, condition) {
  return condition === 'Refurbished' && !name.startsWith('Refurbished') ? `${name}, refurbished` : name;
}
