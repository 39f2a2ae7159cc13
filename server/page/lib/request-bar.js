import { createCopyButton } from './copy-button.js';
import { element } from './element.js';
import { formatBytes, formatMilliseconds } from './format.js';
import { hideKey } from './key-form.js';
import { findKey } from './key.js';
import { toCurl, toFetch } from './request-text.js';

/** @typedef {import('./request.js').Answer} Answer */

/** Longer bodies are cut: their layout takes the browser seconds. */
const SHOWN_BODY_LENGTH = 20_000;

/** Headers of a response that the bar shows, in this order. */
const SHOWN_HEADERS = [
  'X-Total-Count',
  'Link',
  'ETag',
  'Cache-Control',
  'Content-Type',
  'Content-Encoding',
  'RateLimit',
  'Retry-After',
  'X-Snapshot',
  'X-Request-Id',
];

let barCount = 0;

/**
 * The request that made what is shown, to read and to copy, with its answer, time and bytes.
 * @param {{ readonly label: string, readonly isOpen?: boolean }} options
 * @returns {{ readonly element: HTMLElement, readonly show: (answer: Answer) => void, readonly showTarget: (target: string) => void }}
 */
export function createRequestBar({ label, isOpen = false }) {
  let shownTarget = '';
  /** @type {Answer | undefined} */
  let shownAnswer;
  const line = element('code', { class: 'request-line', tabindex: 0, role: 'group', 'aria-label': 'Request' });
  const measures = element('span', { class: 'measures', 'aria-live': 'off' });
  const copyTitle = 'With the key of this tab';
  const inside = element('div', { class: 'request-inside', id: `request-${++barCount}`, hidden: !isOpen });
  const toggle = element(
    'button',
    {
      type: 'button',
      class: 'small',
      'aria-expanded': String(isOpen),
      'aria-controls': inside.id,
      title: 'Request and answer in full',
    },
    'Details',
  );
  toggle.addEventListener('click', () => {
    inside.hidden = !inside.hidden;
    toggle.setAttribute('aria-expanded', String(!inside.hidden));
    showInside();
  });
  const bar = element(
    'section',
    { class: 'request-bar', 'aria-label': label },
    element(
      'div',
      { class: 'request-summary' },
      line,
      measures,
      element(
        'span',
        { class: 'row tight' },
        createCopyButton('Copy curl', () => toCurl(shownTarget, findKey()), copyTitle),
        createCopyButton('Copy fetch', () => toFetch(shownTarget, findKey()), copyTitle),
        toggle,
      ),
    ),
    inside,
  );

  const showTarget = (/** @type {string} */ target) => {
    if (target !== shownTarget) measures.replaceChildren();
    shownTarget = target;
    line.replaceChildren(element('b', {}, 'GET'), ' ', ...colourTarget(target));
  };

  const showInside = () => {
    // What is not seen is not laid out either.
    inside.replaceChildren(...(inside.hidden ? [] : describeInside(shownTarget, shownAnswer)));
  };

  return {
    element: bar,
    showTarget,
    show: (answer) => {
      shownAnswer = answer;
      showTarget(answer.target);
      measures.replaceChildren(...describeMeasures(answer));
      showInside();
    },
  };
}

/**
 * @param {Answer} answer
 * @returns {readonly HTMLElement[]}
 */
function describeMeasures({ status, milliseconds, byteLength, sentByteLength }) {
  const bytes = formatBytes(byteLength);
  return [
    element('span', { class: status < 400 ? 'status good' : 'status bad' }, String(status)),
    element('span', { class: 'time' }, formatMilliseconds(milliseconds)),
    element(
      'span',
      { class: 'bytes' },
      sentByteLength === undefined ? bytes : `${formatBytes(sentByteLength)} sent`,
      sentByteLength !== undefined && element('span', { class: 'unpacked' }, ` of ${bytes}`),
    ),
  ];
}

/**
 * Path, names and values of a request in colours of their own.
 * @param {string} target
 * @returns {readonly (Node | string)[]}
 */
function colourTarget(target) {
  const [path, query] = splitOnce(target, '?');
  const parts = query === undefined ? [] : query.split('&');
  return [
    path,
    ...parts.flatMap((part, index) => {
      const [name, value = ''] = splitOnce(part, '=');
      return [
        // A long request is broken before a parameter rather than within one.
        element('wbr'),
        element(
          'span',
          { class: 'pair-of-request' },
          index === 0 ? '?' : '&',
          element('span', { class: 'parameter' }, decodeSafely(name)),
          '=',
          element('span', { class: 'value' }, decodeSafely(value)),
        ),
      ];
    }),
  ];
}

/**
 * @param {string} target
 * @param {Answer | undefined} answer
 * @returns {readonly HTMLElement[]}
 */
function describeInside(target, answer) {
  const key = findKey();
  const shownKey = key === undefined ? undefined : hideKey(key);
  return [
    element('h3', {}, 'curl'),
    createCode(toCurl(target, shownKey)),
    element('h3', {}, 'fetch'),
    createCode(toFetch(target, shownKey)),
    ...(answer === undefined ? [] : describeAnswer(answer)),
  ];
}

/**
 * @param {Answer} answer
 * @returns {readonly HTMLElement[]}
 */
function describeAnswer({ headers, body, text }) {
  const told = SHOWN_HEADERS.filter((name) => headers.has(name));
  const shown = body === undefined ? text : JSON.stringify(body, undefined, 2);
  return [
    element('h3', {}, 'Headers of the answer'),
    createCode(told.map((name) => `${name}: ${headers.get(name) ?? ''}`).join('\n')),
    element('h3', {}, 'Body'),
    createCode(shown.length > SHOWN_BODY_LENGTH ? `${shown.slice(0, SHOWN_BODY_LENGTH)}\n…` : shown),
    ...(shown.length > SHOWN_BODY_LENGTH
      ? [
          element(
            'p',
            { class: 'muted small' },
            'The body is longer than what is shown; copy the request to get it all.',
          ),
        ]
      : []),
  ];
}

/**
 * @param {string} text
 * @returns {HTMLElement}
 */
function createCode(text) {
  // Scrolled by keys too.
  return element('pre', { tabindex: 0 }, element('code', {}, text));
}

/**
 * @param {string} text
 * @param {string} separator
 * @returns {readonly [string, string?]}
 */
function splitOnce(text, separator) {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * @param {string} text
 * @returns {string}
 */
function decodeSafely(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
