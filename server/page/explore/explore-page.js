import { element, findElement } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createKeyForm, createKeyState } from '../lib/key-form.js';
import { findKey, onKeyChange } from '../lib/key.js';
import { createFailureNotice, createNotice, createProblemNotice } from '../lib/problem-notice.js';
import { ask } from '../lib/request.js';
import { createChips, createPicks, findNames, listActiveFilters } from './chips.js';
import { createComparePage } from './compare-page.js';
import { createFilterForm } from './filter-form.js';
import { createGiftsPage } from './gifts-page.js';
import { createPager, createPhoneGrid, createToolbar } from './phone-list.js';
import { createPhonePage } from './phone-page.js';
import { fillRequestBar } from './request-bar.js';
import { GIFTS_TARGET, LIST_TARGETS, targetOf } from './target.js';
import { clearFilters, FILTERS, pageOf, readView, splitList, toPhones, writeAddress } from './view.js';

/** @typedef {import('../lib/request.js').Answer} Answer */
/** @typedef {import('./answer-types.ts').Gift} Gift */
/** @typedef {import('./answer-types.ts').GiftCategory} GiftCategory */
/** @typedef {import('./answer-types.ts').Named} Named */
/** @typedef {import('./answer-types.ts').PhonesBody} PhonesBody */
/** @typedef {import('./view.js').View} View */
/** @typedef {keyof typeof LIST_TARGETS} ListName */

/**
 * What an entry of the history knows besides its address.
 * @typedef {object} Place
 * @property {number} [scrollY] where the reader was in it
 * @property {string} [focusName]
 */

/**
 * Where a reader is led when the answer is there: `stay` keeps the place, `top` begins at the heading, `return` goes to where
 * the reader was, and `load` does so without taking the focus.
 * @typedef {'stay' | 'top' | 'return' | 'load'} Arrival
 */

const TITLE = 'Mobile deals';

/** What takes no longer than this is not worth a sign that it is under way. */
const QUICK_MS = 150;

const shop = findElement('shop', HTMLElement);
const results = findElement('results', HTMLElement);
const door = findElement('door', HTMLElement);
const dock = findElement('dock', HTMLElement);
const news = findElement('news', HTMLElement);
const fold = findElement('filter-fold', HTMLDetailsElement);
const filterCount = findElement('filter-count', HTMLElement);
const showPhones = findElement('show-phones', HTMLElement);
const picks = findElement('picks', HTMLElement);

const bar = fillRequestBar(findElement('request-bar', HTMLElement));
const form = createFilterForm(findElement('sidebar', HTMLElement), changeFilter, leaveFilters);

let view = readView(location.search);
/** What the interface calls the values of its lists. @type {Partial<Record<ListName, readonly Named[]>>} */
const lists = {};
/** What the phones that were seen are called, by their slug. @type {Map<string, string>} */
const names = new Map();
/** The response that is shown. @type {Answer | undefined} */
let shownAnswer;
/** The request under way; a newer one ends it. @type {AbortController | undefined} */
let underWay;
/** The filter that is being typed into: its next change is the same step back. @type {string | undefined} */
let typedInto;

findElement('site-header', HTMLElement).append(createKeyState());
history.scrollRestoration = 'manual';
const isWide = matchMedia('(min-width: 62rem)');
fold.open = isWide.matches;
isWide.addEventListener('change', () => (fold.open = isWide.matches));

document.addEventListener('click', followLink);
addEventListener('popstate', () => {
  view = readView(location.search);
  typedInto = undefined;
  void show('return');
});
onKeyChange(enter);
enter();

function enter() {
  if (findKey() === undefined) return askForKey('missing-key');
  void loadLists();
  void show('load');
}

/** @param {string} code */
function askForKey(code) {
  underWay?.abort();
  shop.hidden = true;
  dock.hidden = code === 'missing-key';
  door.hidden = false;
  door.replaceChildren(createKeyForm(code, 'h1'));
  door.querySelector('input')?.focus();
}

/** The values that the filters offer. Without them everything else works, so the answer to the main request says what is wrong. */
async function loadLists() {
  const names = /** @type {readonly ListName[]} */ (Object.keys(LIST_TARGETS));
  await Promise.all(
    names.map(async (name) => {
      const answer = await ask(LIST_TARGETS[name]).catch(() => undefined);
      if (answer?.status !== 200) return;
      const values = /** @type {Record<ListName, readonly Named[]>} */ (answer.body)[name];
      lists[name] = values;
      form.offer(name, values);
    }),
  );
  showActiveFilters();
}

/**
 * @param {View} next
 * @param {{ readonly replaces?: boolean, readonly arrival?: Arrival }} [how]
 */
function go(next, { replaces = false, arrival = 'stay' } = {}) {
  const address = writeAddress(next);
  view = next;
  if (replaces) history.replaceState({}, '', address);
  else {
    history.replaceState({ ...readPlace(), scrollY, focusName: readFocusName() }, '');
    history.pushState({}, '', address);
  }
  void show(arrival, false);
}

/** @type {Parameters<typeof createFilterForm>[1]} */
function changeFilter(key, value, isTyped) {
  const replaces = isTyped && typedInto === key;
  typedInto = isTyped ? key : undefined;
  const isOfPhones = FILTERS.some((filter) => filter.key === key && filter.of === 'phone');
  go({ ...(isOfPhones || pageOf(view) === 'gifts' ? toPhones(view) : view), [key]: value, cursor: '' }, { replaces });
}

/** @param {View} next */
function pick(next) {
  go(next, { replaces: true });
}

/** Where the filters stand before the phones, they make room for them. */
function leaveFilters() {
  if (isWide.matches) return;
  fold.open = false;
  const heading = findHeading();
  heading.scrollIntoView();
  heading.focus({ preventScroll: true });
}

/**
 * A link to another view of this page needs no page of its own.
 * @param {MouseEvent} event
 */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (link === null || !isPlain || link.target !== '' || event.defaultPrevented) return;
  const { origin, pathname, search, hash } = new URL(link.href);
  // The brand and the pages are elsewhere; the skip link stays here.
  if (origin !== location.origin || pathname !== location.pathname || hash !== '') return;
  event.preventDefault();
  typedInto = undefined;
  const next = readView(search);
  const isOtherPage = pageOf(next) !== pageOf(view) || next.phone !== view.phone || next.cursor !== view.cursor;
  go(next, { arrival: isOtherPage ? 'top' : 'stay' });
}

/**
 * Asks for what the view shows, and shows it. What was shown before stays until then.
 * @param {Arrival} arrival
 * @param {boolean} [asksAgain] whether the answer that is shown is not good enough
 */
async function show(arrival, asksAgain = true) {
  underWay?.abort();
  const controller = new AbortController();
  underWay = controller;
  const target = targetOf(view);
  shop.hidden = false;
  door.hidden = true;
  dock.hidden = false;
  form.show(view);
  showActiveFilters();
  showPicks();
  bar.ask(target);
  // Another pick or another version is in the answer that is there.
  if (!asksAgain && shownAnswer?.target === target) {
    results.removeAttribute('aria-busy');
    bar.show(shownAnswer);
    return render(shownAnswer, arrival);
  }
  const waiting = setTimeout(() => {
    results.setAttribute('aria-busy', 'true');
    showPhones.textContent = pageOf(view) === 'phones' ? 'Show the phones' : 'Show the deals';
  }, QUICK_MS);
  try {
    const answer = await ask(target, { signal: controller.signal });
    bar.show(answer);
    if (answer.status === 401) return askForKey(answer.problem?.code ?? 'invalid-key');
    shownAnswer = answer.status === 200 ? answer : undefined;
    await render(answer, arrival);
  } catch (error) {
    if (controller.signal.aborted) return;
    shownAnswer = undefined;
    form.count(undefined);
    const again = element('button', { type: 'button', click: () => void show(arrival) }, 'Try again');
    replaceFrame([createFailureNotice(error, again)], arrival);
  } finally {
    clearTimeout(waiting);
    // A newer request has its own.
    if (underWay === controller) results.removeAttribute('aria-busy');
  }
}

/**
 * @param {Answer} answer
 * @param {Arrival} arrival
 * @returns {void | Promise<void>}
 */
function render(answer, arrival) {
  if (answer.status !== 200) {
    form.count(undefined);
    document.title = `${answer.problem?.title ?? 'An error'} – ${TITLE}`;
    return replaceFrame([createProblemNotice(answer, ...createActions(answer))], arrival);
  }
  if (pageOf(view) === 'gifts') return renderGifts(answer, arrival);
  const body = /** @type {PhonesBody} */ (answer.body);
  for (const { slug, name } of body.products) names.set(slug, name);
  showPicks();
  if (!picks.hidden) void namePicks();
  form.count(body.facets);
  if (pageOf(view) === 'phones') return renderPhones(answer, body, arrival);
  const page =
    pageOf(view) === 'phone'
      ? createPhonePage(view, body, createFilters(), go, readDay(answer.headers))
      : createComparePage(view, body, createFilters());
  showPhones.textContent = 'Show the deals';
  document.title = `${page.title} – ${TITLE}`;
  news.textContent = page.news;
  replaceResults(page.parts, arrival);
}

/**
 * @param {Answer} answer with the categories
 * @param {Arrival} arrival
 * @returns {Promise<void>}
 */
async function renderGifts(answer, arrival) {
  form.count(undefined);
  const ofView = underWay;
  const gifts = await ask(GIFTS_TARGET);
  if (underWay !== ofView) return;
  if (gifts.status !== 200) return render(gifts, arrival);
  const { giftCategories } = /** @type {{ giftCategories: readonly GiftCategory[] }} */ (answer.body);
  const page = createGiftsPage(view, giftCategories, /** @type {{ gifts: readonly Gift[] }} */ (gifts.body).gifts);
  document.title = `${page.title} – ${TITLE}`;
  news.textContent = page.news;
  replaceResults(page.parts, arrival);
}

/**
 * The day of a snapshot, from its id: `2026-11-19` of `20261119T0230Z-1c77e0d2`.
 * @param {Headers} headers
 */
function readDay(headers) {
  return headers.get('x-snapshot')?.replace(/^(\d{4})(\d\d)(\d\d)T.*$/, '$1-$2-$3');
}

/**
 * @param {Answer} answer
 * @param {PhonesBody} body
 * @param {Arrival} arrival
 */
function renderPhones({ headers }, { products }, arrival) {
  const count = formatCount(Number(headers.get('x-total-count')), 'phone');
  const pager = createPager(view, headers);
  const filters = createFilters();
  document.title = `Phones – ${TITLE}`;
  showPhones.textContent = `Show ${count}`;
  news.textContent = count;
  replaceResults(
    [
      createToolbar(view, count, go),
      ...(filters === undefined ? [] : [filters]),
      products.length === 0 ? createNoPhones() : createPhoneGrid(view, products, pick),
      ...(pager === undefined ? [] : [pager]),
    ],
    arrival,
  );
}

function createNoPhones() {
  const isFiltered = listActiveFilters(view, nameOf).length > 0;
  return createNotice(
    '',
    'No phone passes all of these filters',
    isFiltered
      ? 'One deal must pass all filters about deals: a phone that is cheap on one network and has much data on another is not shown.'
      : 'The snapshot being served has no phones.',
    isFiltered &&
      element('p', {}, element('a', { class: 'button', href: writeAddress(clearFilters(view)) }, 'Clear all filters')),
  );
}

/**
 * What the page can do about an error.
 * @param {Answer} answer
 */
function createActions({ problem }) {
  const suggestions = (problem?.errors ?? []).flatMap(({ parameter, value, suggestion }) => {
    const filter = FILTERS.find(
      (candidate) => parameter === `filter[${candidate.filter}]` && splitList(view[candidate.key]).includes(value),
    );
    if (filter === undefined || suggestion === undefined) return [];
    const values = splitList(view[filter.key]).map((other) => (other === value ? suggestion : other));
    const mended = { ...view, [filter.key]: values.join(',') };
    return [element('a', { class: 'button primary', href: writeAddress(mended) }, `Use ${suggestion}`)];
  });
  const isFiltered = listActiveFilters(view, nameOf).length > 0;
  return [
    ...suggestions,
    ...(view.cursor === ''
      ? []
      : [element('a', { class: 'button', href: writeAddress({ ...view, cursor: '' }) }, 'Start at the first page')]),
    ...(isFiltered
      ? [element('a', { class: 'button', href: writeAddress(clearFilters(view)) }, 'Clear all filters')]
      : []),
    ...(pageOf(view) === 'phones'
      ? []
      : [element('a', { class: 'button', href: writeAddress(toPhones(view)) }, 'All phones')]),
    element('button', { type: 'button', click: () => void show('stay') }, 'Try again'),
  ];
}

/**
 * Shows what came instead of phones, under what was asked for: a wrong order or filter can be changed there.
 * @param {readonly HTMLElement[]} parts
 * @param {Arrival} arrival
 */
function replaceFrame(parts, arrival) {
  const filters = createFilters();
  const head =
    pageOf(view) === 'phones'
      ? createToolbar(view, 'Phones', go)
      : element(
          'h1',
          { tabindex: -1, id: 'results-title' },
          { phone: `Phone ${view.phone}`, compare: 'Compare phones', gifts: 'Gifts', phones: '' }[pageOf(view)],
        );
  replaceResults([head, ...(filters === undefined ? [] : [filters]), ...parts], arrival);
}

/**
 * @param {readonly HTMLElement[]} parts
 * @param {Arrival} arrival
 */
function replaceResults(parts, arrival) {
  const wasInside = results.contains(document.activeElement);
  const { scrollY: returnTo = 0, focusName } =
    arrival === 'return' ? readPlace() : { ...readPlace(), focusName: readFocusName() };
  results.replaceChildren(...parts);
  if (arrival !== 'stay') scrollTo(0, arrival === 'top' ? 0 : returnTo);
  if (arrival === 'top') findHeading().focus({ preventScroll: true });
  // The element that was used is there again, in most cases; where it is not, the reader goes on from the heading.
  else if (wasInside || arrival === 'return')
    (findByFocusName(focusName) ?? findHeading()).focus({ preventScroll: true });
}

function readFocusName() {
  const focused = document.activeElement;
  return focused instanceof HTMLElement && results.contains(focused) ? focused.dataset['focus'] : undefined;
}

/** @param {string | undefined} name */
function findByFocusName(name) {
  const candidates = [...results.querySelectorAll('[data-focus]')].filter(
    (candidate) => candidate instanceof HTMLElement,
  );
  return name === undefined ? undefined : candidates.find((candidate) => candidate.dataset['focus'] === name);
}

function findHeading() {
  return document.getElementById('results-title') ?? results;
}

function createFilters() {
  const filters = listActiveFilters(view, nameOf);
  if (filters.length === 0) return undefined;
  const clear = element('a', { href: writeAddress(clearFilters(view)) }, 'Clear all');
  return createChips('Filters that are on', 'Remove', filters, clear);
}

/** Shows the active filters, again when their names are loaded, and their count where the form is folded. */
function showActiveFilters() {
  const { length } = listActiveFilters(view, nameOf);
  filterCount.hidden = length === 0;
  filterCount.textContent = String(length);
  const shown = results.querySelector('.chips');
  const filters = createFilters();
  if (shown !== null && filters !== undefined && !shown.contains(document.activeElement)) shown.replaceWith(filters);
}

/** What is picked for the comparison, at the foot of the window. */
function showPicks() {
  const isHidden = view.picked === '' || pageOf(view) === 'compare';
  const wasInside = picks.contains(document.activeElement);
  picks.hidden = isHidden;
  picks.replaceChildren(...(isHidden ? [] : createPicks(view, (slug) => names.get(slug) ?? slug)));
  if (wasInside) (picks.querySelector('a') ?? findHeading()).focus({ preventScroll: true });
}

async function namePicks() {
  const found = await findNames(splitList(view.picked).filter((slug) => !names.has(slug)));
  for (const { slug, name } of found) names.set(slug, name);
  if (found.length > 0) showPicks();
}

/** @type {Parameters<typeof listActiveFilters>[1]} */
function nameOf(key, value) {
  if (key in LIST_TARGETS) {
    return lists[/** @type {ListName} */ (key)]?.find(({ slug }) => slug === value)?.name ?? value;
  }
  return value;
}

/** @returns {Place} */
function readPlace() {
  return /** @type {Place | null} */ (history.state) ?? {};
}
