import { element } from '../lib/element.js';
import { drawShare } from './chart.js';
import { formatNumber } from '../lib/table.js';

/** @typedef {import('../../../data/snapshot/changes.ts').ChangeKinds} ChangeKinds */
/** @typedef {import('../../../data/snapshot/changes.ts').ChangeKind} ChangeKind */
/** @typedef {import('../../../data/snapshot/changes.ts').DealIdentity} DealIdentity */
/** @typedef {import('../../../data/snapshot/changes.ts').Prices} Prices */

/** `changes.json` has up to a hundred of each kind. */
const SHOWN_CHANGES = 20;

/**
 * What a kind is called, and how one of it reads.
 * @template {ChangeKind} Kind
 * @typedef {readonly [title: string, describe: (item: ChangeKinds[Kind]['items'][number]) => string]} KindOf
 */

/** @type {{ readonly [Kind in ChangeKind]: KindOf<Kind> }} */
const KINDS = {
  productsNew: ['products new', describeProduct],
  productsGone: ['products gone', describeProduct],
  productsChanged: [
    'products changed',
    ({ fields, renamed, ...product }) =>
      `${describeProduct(product)}: ${fields.map((field) => describeField(field, renamed)).join(', ')}`,
  ],
  cheapestChanged: [
    'another cheapest deal or price',
    ({ from, to, ...product }) => `${describeProduct(product)}: ${describeCheapest(from)} → ${describeCheapest(to)}`,
  ],
  dealsRepriced: [
    'deals repriced',
    ({ product, deal, from, to }) =>
      `${describeDeal(deal)} of ${product}: ${describePrices(from)} → ${describePrices(to)}`,
  ],
  dealsNew: ['deals new', describePriced],
  dealsGone: ['deals gone', describePriced],
  dealsMoved: [
    'deals of another product',
    ({ deal, from, to }) => `${describeDeal(deal)}: ${from.product} → ${to.product}`,
  ],
  dealsChanged: [
    'deals changed, not in price',
    ({ product, deal, fields }) => `${describeDeal(deal)} of ${product}: ${fields.join(', ')}`,
  ],
  byProduct: [
    'products with changed deals',
    ({ dealsBefore, dealsAfter, ...product }) => `${describeProduct(product)}: ${dealsBefore} → ${dealsAfter} deals`,
  ],
};

/**
 * What differs from the snapshot before.
 * @param {import('./read-status.js').Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showChanges({ changes }) {
  if (changes === undefined) return [];
  const { from, reason, before, after } = changes;
  const kinds = /** @type {ChangeKind[]} */ (Object.keys(KINDS));
  const most = Math.max(...kinds.map((kind) => changes[kind].count));
  return [
    element('h2', { id: 'changes-title' }, 'Changed since the snapshot before'),
    element(
      'p',
      { class: 'muted' },
      from === undefined ? `Everything is new, since ${reason ?? 'there is nothing before'}: ` : 'From ',
      from !== undefined && element('code', {}, from),
      from !== undefined && ': ',
      `${formatNumber(before.products)} → ${formatNumber(after.products)} products, ${formatNumber(before.deals)} → ${formatNumber(after.deals)} deals.`,
    ),
    from !== undefined && most === 0
      ? element('p', {}, 'Nothing that is served has changed.')
      : element('div', { class: 'kinds' }, ...kinds.map((kind) => describeKind(kind, changes[kind], most))),
  ];
}

/**
 * @template {ChangeKind} Kind
 * @param {Kind} kind
 * @param {ChangeKinds[Kind]} changes
 * @param {number} most the count of the kind with the most
 * @returns {HTMLElement}
 */
function describeKind(kind, { count, items }, most) {
  const [title] = KINDS[kind];
  /** @type {(item: any) => string} the items of a kind are those that its sentence is about */
  const describe = KINDS[kind][1];
  const shown = items.slice(0, SHOWN_CHANGES);
  const head = [
    element('b', { class: 'number' }, formatNumber(count)),
    ` ${title}`,
    drawShare(`${title}: ${count} of ${most}`, most === 0 ? 0 : count / most),
  ];
  if (count === 0) return element('div', { class: 'kind' }, element('p', { class: 'kind-head' }, ...head));
  return element(
    'details',
    { class: 'kind' },
    element('summary', { class: 'kind-head' }, ...head),
    element(
      'ul',
      {},
      ...shown.map((item) => element('li', {}, describe(item))),
      count > shown.length && element('li', { class: 'muted' }, `and ${formatNumber(count - shown.length)} more`),
    ),
  );
}

/** @param {{ readonly product: string, readonly name: string }} product */
function describeProduct({ product, name }) {
  return `${name} (${product})`;
}

/**
 * A key that differs, with both values where they are on record.
 * @param {string} field
 * @param {ChangeKinds['productsChanged']['items'][number]['renamed']} renamed
 */
function describeField(field, renamed) {
  const values = field === 'name' || field === 'slug' ? renamed?.[field] : undefined;
  return values === undefined ? field : `${field} “${values.from}” → “${values.to}”`;
}

/** @param {DealIdentity} deal */
function describeDeal({ source, retailer, key }) {
  return `${retailer}:${key} (${source})`;
}

/** @param {{ readonly product: string, readonly deal: DealIdentity & Prices }} item */
function describePriced({ product, deal }) {
  return `${describeDeal(deal)} of ${product}: ${describePrices(deal)}`;
}

/** @param {(DealIdentity & Prices) | undefined} deal */
function describeCheapest(deal) {
  return deal === undefined ? 'none' : `${describeDeal(deal)} ${describePrices(deal)}`;
}

/** @param {Prices} prices */
function describePrices({ upfrontPence, monthlyPence, totalPence }) {
  const [upfront, monthly, total] = [upfrontPence, monthlyPence, totalPence].map((pence) => (pence / 100).toFixed(2));
  return `${upfront} + ${monthly} a month, ${total} in all`;
}
