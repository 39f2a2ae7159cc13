import { element } from './element.js';
import { findKey, forgetKey, keepKey, onKeyChange } from './key.js';

/** What can be wrong with a key, and what its holder can do. @type {Readonly<Record<string, string>>} */
const REASONS = {
  'missing-key': 'Every request under /deals/ needs an API key.',
  'invalid-key':
    'The server does not know this key. It may be mistyped or cut short, revoked, or not valid yet; keys begin with deals_.',
  'expired-key': 'This key was valid until a date that has passed. Ask the operator for a new one.',
  'operator-only': 'This key is sound, but this page needs an operator key.',
};

/**
 * A form that asks for the key, in the place of the missing response. The page stores the key, and the listeners of
 * `onKeyChange` send their requests again.
 * @param {string} [code] the code of the 401 or 403 that led here
 * @param {'h1' | 'h2' | 'h4'} [level] of its heading: `h1` where the page has no other
 * @param {boolean} [isForOperators] whether the page needs an operator key
 */
export function createKeyForm(code = 'missing-key', level = 'h2', isForOperators = false) {
  const input = element('input', {
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    placeholder: 'deals_…',
  });
  const isRefused = code !== 'missing-key';
  if (isRefused) input.setAttribute('aria-invalid', 'true');
  const form = element(
    'form',
    { class: 'row' },
    element('label', { class: 'grow' }, element('span', { class: 'label' }, 'API key'), input),
    element('button', { class: 'primary', type: 'submit' }, 'Use this key'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const key = input.value.trim();
    if (key !== '') keepKey(key);
  });
  return element(
    'section',
    { class: 'panel key-form', 'aria-label': 'API key' },
    element(level, {}, isRefused ? 'This key was refused' : 'An API key, please'),
    element(
      'p',
      { role: isRefused ? 'alert' : undefined },
      !isRefused && isForOperators ? 'This page needs an operator key.' : (REASONS[code] ?? ''),
    ),
    form,
    element(
      'p',
      { class: 'muted small' },
      'It is kept in this tab alone, and sent to this server alone, in the header ',
      element('code', {}, 'x-api-key'),
      '. The operator makes one with ',
      element('code', {}, `deals keys create --keys keys.json --name you${isForOperators ? ' --operator' : ''}`),
      ', with the key file of the server. ',
      element('code', {}, 'deals demo'),
      ' prints a link that has one.',
    ),
  );
}

/** Which key the page uses, and a way to change it, for the head of a page. */
export function createKeyState() {
  const state = element('div', { class: 'key-state' });
  const show = () => {
    const key = findKey();
    state.replaceChildren(
      element('span', { class: 'muted' }, key === undefined ? 'No key' : `Key ${hideKey(key)}`),
      ...(key === undefined
        ? []
        : [element('button', { type: 'button', class: 'quiet small', click: forgetKey }, 'Change key')]),
    );
  };
  onKeyChange(show);
  show();
  return state;
}

/**
 * The end of a key: enough to recognise it, and useless to others.
 * @param {string} key
 */
function hideKey(key) {
  return `…${key.length > 12 ? key.slice(-4) : ''}`;
}
