import { decode } from './request-text.js';

const STORED_AS = 'deals-api-key';
const FRAGMENT = '#key=';

/** @type {Set<() => void>} */
const listeners = new Set();

/** For a browser that stores nothing: the key then lasts as long as the page. @type {string | undefined} */
let heldKey;

/**
 * The API key of this tab, if there is one. It is kept in the session storage: other tabs and the next day do not have it.
 */
export function findKey() {
  try {
    return sessionStorage.getItem(STORED_AS) ?? heldKey;
  } catch {
    return heldKey;
  }
}

/** @param {string} key */
export function keepKey(key) {
  heldKey = key;
  try {
    sessionStorage.setItem(STORED_AS, key);
  } catch {
    // It is held.
  }
  for (const listener of listeners) listener();
}

export function forgetKey() {
  heldKey = undefined;
  try {
    sessionStorage.removeItem(STORED_AS);
  } catch {
    // It was never stored.
  }
  for (const listener of listeners) listener();
}

/**
 * Calls back when there is another key, or none any more.
 * @param {() => void} listener
 */
export function onKeyChange(listener) {
  listeners.add(listener);
}

/**
 * Takes a key that came in the fragment of the address, `#key=…`, and removes it from there at once, so that it is in no
 * history, bookmark or picture of the screen. A browser sends no fragment to any server.
 */
function takeKeyFromAddress() {
  const { hash, pathname, search } = location;
  if (!hash.startsWith(FRAGMENT)) return;
  history.replaceState(history.state, '', pathname + search);
  const key = decode(hash.slice(FRAGMENT.length)).trim();
  if (key !== '') keepKey(key);
}

takeKeyFromAddress();
// A link with a key that is opened in a tab which shows the page already changes nothing but the fragment.
addEventListener('hashchange', takeKeyFromAddress);
