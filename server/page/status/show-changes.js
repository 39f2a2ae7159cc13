import { element } from '../lib/element.js';
import { drawShare } from './chart.js';
import { formatNumber } from './table.js';

/** @typedef {import('../../status/status.ts').Status} Status */
/** @typedef {import('../../../data/snapshot/changes.ts').Changes} Changes */
/** @typedef {import('../../../data/snapshot/changes.ts').ChangeKinds} ChangeKinds */
/** @typedef {import('../../../data/snapshot/changes.ts').ChangeKind} ChangeKind */
/** @typedef {import('../../../data/snapshot/changes.ts').DealIdentity} DealIdentity */
/** @typedef {import('../../../data/snapshot/changes.ts').Prices} Prices */

/**
 * What a kind is called, and how one of it reads.
 * @template {ChangeKind} Kind
 * @typedef {{ readonly title: string, readonly describe: (item: ChangeKinds[Kind]['items'][number]) => string }} KindOf
 */

/** @type {{ readonly [Kind in ChangeKind]: KindOf<Kind> }} */
const KINDS = {
  productsNew: { title: 'products new', describe: ({ product, name }) => `${name} (${product})` },
  productsGone: { title: 'products gone', describe: ({ product, name }) => `${name} (${product})` },
  productsChanged: {
    title: 'products changed',
    describe: ({ product, name, fields, renamed }) =>
      `${name} (${product}): ${fields.map((field) => describeField(field, renamed)).join(', ')}`,
  },
  cheapestChanged: {
    title: 'another cheapest deal or price',
    describe: ({ product, name, from, to }) =>
      `${name} (${product}): ${describeCheapest(from)} → ${describeCheapest(to)}`,
  },
  dealsRepriced: {
    title: 'deals repriced',
    describe: ({ product, deal, from, to }) =>
      `${describeDeal(deal)} of ${product}: ${describePrices(from)} → ${describePrices(to)}`,
  },
  dealsNew: {
    title: 'deals new',
    describe: ({ product, deal }) => `${describeDeal(deal)} of ${product}: ${describePrices(deal)}`,
  },
  dealsGone: {
    title: 'deals gone',
    describe: ({ product, deal }) => `${describeDeal(deal)} of ${product}: ${describePrices(deal)}`,
  },
  dealsMoved: {
    title: 'deals of another product',
    describe: ({ deal, from, to }) => `${describeDeal(deal)}: ${from.product} → ${to.product}`,
  },
  dealsChanged: {
    title: 'deals changed, not in price',
    describe: ({ product, deal, fields }) => `${describeDeal(deal)} of ${product}: ${fields.join(', ')}`,
  },
  byProduct: {
    title: 'products with changed deals',
    describe: ({ product, name, dealsBefore, dealsAfter }) =>
      `${name} (${product}): ${dealsBefore} → ${dealsAfter} deals`,
  },
};

/**
 * What differs from the snapshot before.
 * @param {Status} status
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
function describeKind(kind, { count, omitted, items }, most) {
  const { title } = KINDS[kind];
  /** @type {(item: any) => string} the items of a kind are those that its sentence is about */
  const describe = KINDS[kind].describe;
  const head = [
    element('b', { class: 'number' }, formatNumber(count)),
    ` ${title}`,
    drawShare(`${title}: ${count} of ${most}`, most === 0 ? 0 : count / most),
  ];
  if (items.length === 0) return element('div', { class: 'kind' }, element('p', { class: 'kind-head' }, ...head));
  return element(
    'details',
    { class: 'kind' },
    element('summary', { class: 'kind-head' }, ...head),
    element(
      'ul',
      {},
      ...items.map((item) => element('li', {}, describe(item))),
      omitted > 0 && element('li', { class: 'muted' }, `and ${formatNumber(omitted)} more`),
    ),
  );
}

/**
 * A key that differs, with both values where they are on record.
 * @param {string} field
 * @param {ChangeKinds['productsChanged']['items'][number]['renamed']} renamed
 * @returns {string}
 */
function describeField(field, renamed) {
  const values = field === 'name' || field === 'slug' ? renamed?.[field] : undefined;
  return values === undefined ? field : `${field} “${values.from}” → “${values.to}”`;
}

/**
 * @param {DealIdentity} deal
 * @returns {string}
 */
function describeDeal({ source, retailer, key }) {
  return `${retailer}:${key} (${source})`;
}

/**
 * @param {(DealIdentity & Prices) | undefined} deal
 * @returns {string}
 */
function describeCheapest(deal) {
  return deal === undefined ? 'none' : `${describeDeal(deal)} ${describePrices(deal)}`;
}

/**
 * @param {Prices} prices
 * @returns {string}
 */
function describePrices({ upfrontPence, monthlyPence, totalPence }) {
  return `${formatPence(upfrontPence)} + ${formatPence(monthlyPence)} a month, ${formatPence(totalPence)} in all`;
}

/**
 * @param {number} pence
 * @returns {string}
 */
function formatPence(pence) {
  return (pence / 100).toFixed(2);
}
