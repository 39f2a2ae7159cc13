import { createCopyButton } from './copy-button.js';
import { element } from './element.js';
import { formatBytes, formatMilliseconds } from './format.js';
import { findKey } from './key.js';
import { decode, toCurl, toFetch } from './request-text.js';

/** @typedef {import('./request.js').Answer} Answer */

/** Longer bodies are cut: their layout takes the browser seconds. */
const SHOWN_BODY_LENGTH = 20_000;

/**
 * Buttons that copy a request with the key of this tab.
 * @param {() => string} readTarget
 */
export function createCopyButtons(readTarget) {
  const title = 'With the key of this tab';
  return [
    createCopyButton('Copy curl', () => toCurl(readTarget(), findKey()), title),
    createCopyButton('Copy fetch', () => toFetch(readTarget(), findKey()), title),
  ];
}

/**
 * A request, with its parameters and values in colours of their own.
 * @param {string} target
 */
export function showTarget(target) {
  const [path = '', ...rest] = target.split('?');
  const query = rest.join('?');
  const pairs = query === '' ? [] : query.split('&');
  return element(
    'code',
    // Scrolled by keys too.
    { class: 'request-line', tabindex: 0, role: 'group', 'aria-label': 'Request' },
    element('b', {}, 'GET'),
    ` ${path}`,
    ...pairs.flatMap((pair, index) => {
      const [name = '', ...value] = pair.split('=');
      return [
        // A long request is broken before a parameter rather than within one.
        element('wbr'),
        element(
          'span',
          { class: 'pair-of-request' },
          `${index === 0 ? '?' : '&'}${decode(name)}=`,
          element('span', { class: 'value' }, decode(value.join('='))),
        ),
      ];
    }),
  );
}

/**
 * Status, time and bytes of an answer.
 * @param {Answer} answer
 */
export function showMeasures({ status, milliseconds, byteLength, sentByteLength }) {
  const bytes = formatBytes(byteLength);
  return element(
    'p',
    { class: 'measures', role: 'status' },
    element('span', { class: status < 400 ? 'status good' : 'status bad' }, String(status)),
    element('span', {}, formatMilliseconds(milliseconds)),
    element('span', {}, sentByteLength === undefined ? bytes : `${formatBytes(sentByteLength)} sent of ${bytes}`),
  );
}

/**
 * The headers and the body of an answer.
 * @param {Answer} answer
 */
export function showAnswer({ headers, body, text }) {
  const whole = body === undefined ? text : JSON.stringify(body, undefined, 2);
  const isCut = whole.length > SHOWN_BODY_LENGTH;
  return element(
    'div',
    { class: 'answer-text' },
    createCode('Headers', [...headers].map(([name, value]) => `${name}: ${value}`).join('\n')),
    whole !== '' && createCode('Body', isCut ? `${whole.slice(0, SHOWN_BODY_LENGTH)}\n…` : whole),
    whole !== '' && createCopyButton('Copy body', () => whole, 'All of it'),
  );
}

/**
 * @param {string} label
 * @param {string} text
 */
function createCode(label, text) {
  const code = element('pre', { tabindex: 0, role: 'group', 'aria-label': label }, element('code', {}, text));
  return element('div', {}, element('p', { class: 'label' }, label), code);
}
