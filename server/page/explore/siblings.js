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
 * Links to the other storages and colours of a phone, new and refurbished: the products of its id and of its model.
 * @param {View} view
 * @param {Phone} phone
 * @param {readonly Phone[]} ofId the products with the id of the phone, among them the phone
 * @param {(phones: readonly Phone[]) => void} onFound is told the products of its model, whose cheapest deals are those
 *   without filters
 */
export function createSiblings(view, phone, ofId, onFound) {
  const target = targetOfSiblings(phone);
  const list = element('nav', {
    class: 'versions',
    'aria-label': 'Versions',
    hidden: target === undefined && ofId.length < 2,
  });
  const show = () =>
    list.replaceChildren(
      ...createLinks(view, phone, found.target === target ? found : { phones: ofId, isWhole: true }),
    );
  show();
  if (target === undefined) return list;
  void ask(target).then(
    ({ status, body, headers }) => {
      if (status !== 200) return;
      const { products } = /** @type {PhonesBody} */ (body);
      const isAsBefore = found.target === target && JSON.stringify(found.phones) === JSON.stringify(products);
      found = { target, phones: products, isWhole: headers.get('x-total-count') === String(products.length) };
      // A link that has the focus keeps it.
      if (!isAsBefore) show();
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
 * @param {{ readonly phones: readonly Phone[], readonly isWhole: boolean }} found
 */
function createLinks(view, phone, { phones, isWhole }) {
  const versions = phones.filter(({ id, model }) => id === phone.id || (model !== undefined && model === phone.model));
  const labels = labelVersions(versions);
  const links = versions.map(({ id, slug, cheapestDeal }, index) =>
    element(
      'a',
      {
        class: 'panel',
        href: writeAddress({ ...view, phone: id, slug }),
        'aria-current': slug === phone.slug ? 'page' : undefined,
        'data-focus': `sibling-${slug}`,
      },
      labels[index],
      element(
        'span',
        { class: 'muted small' },
        cheapestDeal === undefined
          ? 'no deals'
          : `from ${formatPrice(cheapestDeal.monthlyContractPrice, cheapestDeal.currencyLabel)} a month`,
      ),
    ),
  );
  const ofMaker = { ...view, phone: '', slug: '', manufacturers: phone.manufacturer?.slug ?? '' };
  const more = isWhole ? [] : [element('a', { class: 'panel', href: writeAddress(ofMaker) }, 'More of this maker')];
  return links.length + more.length < 2 ? [] : [...links, ...more];
}

/**
 * What tells versions of a model apart: the words of their names that not all of them have.
 * @param {readonly Phone[]} versions
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
 */
function describe(name, condition) {
  return condition === 'Refurbished' && !name.startsWith('Refurbished') ? `${name}, refurbished` : name;
}
