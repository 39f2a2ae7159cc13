import { element } from '../lib/element.js';
import { FILTERS, pageOf, splitList } from './view.js';

/** @typedef {import('./answer-types.ts').Facets} Facets */
/** @typedef {import('./answer-types.ts').Named} Named */
/** @typedef {import('./view.js').FilterKey} FilterKey */
/** @typedef {import('./view.js').View} View */

/** How long a reader stops typing before it is asked. */
const TYPED_MS = 350;

/**
 * The filters: shows a view, and how many phones each choice leaves, and tells what was changed.
 * @param {HTMLElement} form the search box and the form
 * @param {(key: FilterKey, value: string, isTyped: boolean) => void} onChange
 * @param {() => void} onDone a reader has no more filters to set
 * @returns {{
 *   readonly show: (view: View) => void,
 *   readonly offer: (key: FilterKey, values: readonly Named[]) => void,
 *   readonly count: (facets: Facets | undefined) => void,
 * }}
 */
export function createFilterForm(form, onChange, onDone) {
  /** @type {Facets | undefined} */
  let facets;
  /** @type {View | undefined} */
  let shown;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;

  const tell = (/** @type {EventTarget | null} */ target, /** @type {boolean} */ isTyped) => {
    clearTimeout(typing);
    if (!(target instanceof HTMLInputElement)) return;
    const key = FILTERS.find((filter) => filter.key === target.name)?.key;
    if (key === undefined) return;
    const value = target.type === 'checkbox' ? readChecked(form, key) : readText(target);
    if (value !== shown?.[key]) onChange(key, value, isTyped);
  };

  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === 'checkbox') return tell(target, false);
    clearTimeout(typing);
    typing = setTimeout(() => tell(target, true), TYPED_MS);
  });
  form.addEventListener('change', ({ target }) => tell(target, true));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    tell(document.activeElement, true);
    onDone();
  });

  const show = (/** @type {View} */ view) => {
    shown = view;
    for (const input of form.querySelectorAll('input')) {
      const key = FILTERS.find((filter) => filter.key === input.name)?.key;
      if (key === undefined) continue;
      if (input.type === 'checkbox') input.checked = splitList(view[key]).includes(input.value);
      // The text in the focused field stays as it is.
      else if (input !== document.activeElement || readText(input) !== view[key]) input.value = view[key];
    }
    for (const fieldset of form.querySelectorAll('fieldset[data-of="phone"]')) {
      if (fieldset instanceof HTMLElement) fieldset.hidden = pageOf(view) === 'phone' || pageOf(view) === 'compare';
    }
  };

  const writeCounts = () => {
    for (const label of form.querySelectorAll('.choices label')) {
      const input = label.querySelector('input');
      const values = facets?.[input?.name ?? ''];
      // Values that would find nothing are left out.
      const count = values && (values.find(({ slug, value }) => (slug ?? value) === input?.value)?.count ?? 0);
      label.querySelector('.count')?.remove();
      label.classList.toggle('none-left', count === 0);
      if (count === undefined) continue;
      const id = `count-${input?.name}-${input?.value}`;
      // It describes the choice; the name of the choice stays what it is.
      input?.setAttribute('aria-describedby', id);
      const unit = element('span', { class: 'visually-hidden' }, count === 1 ? ' phone' : ' phones');
      const text = count.toLocaleString('en-GB');
      label.append(element('span', { class: 'count muted small', id, 'aria-hidden': 'true' }, text, unit));
    }
  };

  return {
    show,
    offer: (key, values) => {
      const choices = form.querySelector(`[data-list="${key}"] .choices`);
      choices?.replaceChildren(
        ...values.map(({ name, slug }) =>
          element(
            'label',
            {},
            element('input', { type: 'checkbox', name: key, value: slug }),
            element('span', { class: 'choice-name' }, name),
          ),
        ),
      );
      writeCounts();
      if (shown !== undefined) show(shown);
    },
    count: (found) => {
      facets = found;
      writeCounts();
    },
  };
}

/**
 * The text of a field. In a search commas and braces separate words, as all punctuation does; in the interface they are
 * grammar.
 * @param {HTMLInputElement} input
 */
function readText({ type, value }) {
  return type === 'search' ? value.replaceAll(/[\s,{}]+/g, ' ').trim() : value.trim();
}

/**
 * The values of a list that are checked, with commas between.
 * @param {HTMLElement} form
 * @param {FilterKey} key
 */
function readChecked(form, key) {
  const boxes = [...form.querySelectorAll('input')].filter(({ name, checked }) => name === key && checked);
  return boxes.map(({ value }) => value).join(',');
}
