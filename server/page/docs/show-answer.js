import { createCopyButton } from '../lib/copy-button.js';
import { element } from '../lib/element.js';
import { formatBytes, formatMilliseconds } from '../lib/format.js';
import { keepKey } from '../lib/key.js';
import { createProblemNotice } from '../lib/problem-notice.js';
import { readLinks } from '../lib/request.js';

/** @typedef {import('../lib/request.js').Answer} Answer */

/** Longer bodies are cut: their layout takes the browser seconds. */
const SHOWN_BODY_LENGTH = 30_000;

/** What is wrong with a key. */
const OF_KEY = new Set(['missing-key', 'invalid-key', 'expired-key', 'operator-only']);

/**
 * An answer as it came: status, time, bytes, headers, body; and what may be asked next.
 * @param {Answer} answer
 * @param {{ readonly follow: (target: string) => void, readonly askAgain: (tag: string) => void }} actions
 * @returns {readonly HTMLElement[]}
 */
export function showAnswer(answer, { follow, askAgain }) {
  const { status, headers, milliseconds, byteLength, sentByteLength, problem, target } = answer;
  const tag = headers.get('etag');
  const links = Object.entries(readLinks(headers));
  const isAboutKey = problem !== undefined && OF_KEY.has(problem.code);
  return [
    element(
      'p',
      { class: 'measures', role: 'status' },
      element('span', { class: status < 400 ? 'status good' : 'status bad' }, `${status} ${describeStatus(status)}`),
      element('span', {}, formatMilliseconds(milliseconds)),
      element(
        'span',
        {},
        sentByteLength === undefined
          ? formatBytes(byteLength)
          : `${formatBytes(sentByteLength)} sent of ${formatBytes(byteLength)}`,
      ),
    ),
    ...(problem === undefined ? [] : [createProblemNotice(answer)]),
    ...(isAboutKey ? [createKeyField()] : []),
    element(
      'div',
      { class: 'row tight' },
      ...links.map(([relation, to]) =>
        element('button', { type: 'button', class: 'small', click: () => follow(to) }, `${relation} page`),
      ),
      status === 200 &&
        tag !== null &&
        element(
          'button',
          { type: 'button', class: 'small', click: () => askAgain(tag), title: 'Sends If-None-Match' },
          'Ask again with its ETag',
        ),
    ),
    element('p', { class: 'label' }, 'Headers'),
    createCode(
      `Headers of the answer to ${target}`,
      [...headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    ),
    element('p', { class: 'label' }, 'Body'),
    ...showBody(answer),
  ];
}

/**
 * Asks for another key, in the place of the answer that could not be had. There may be several on the page.
 * @returns {HTMLFormElement}
 */
function createKeyField() {
  const input = element('input', { type: 'password', autocomplete: 'off', required: true, placeholder: 'deals_…' });
  const form = element(
    'form',
    { class: 'row' },
    element('label', { class: 'grow' }, element('span', { class: 'label' }, 'API key, kept in this tab alone'), input),
    element('button', { type: 'submit', class: 'primary' }, 'Use this key'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    keepKey(input.value.trim());
  });
  return form;
}

/**
 * @param {Answer} answer
 * @returns {readonly HTMLElement[]}
 */
function showBody({ body, text, headers, target, byteLength }) {
  if (byteLength === 0) return [element('p', { class: 'muted' }, 'None.')];
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('image/')) return [element('img', { src: target, alt: 'The picture that was answered' })];
  const shown = body === undefined ? text : JSON.stringify(body, undefined, 2);
  const isCut = shown.length > SHOWN_BODY_LENGTH;
  return [
    createCode(
      `Body of the answer to ${target}`,
      ...(body === undefined ? [shown.slice(0, SHOWN_BODY_LENGTH)] : colourJson(shown.slice(0, SHOWN_BODY_LENGTH))),
      isCut && '\n…',
    ),
    element(
      'div',
      { class: 'row tight' },
      createCopyButton('Copy body', () => shown, 'All of it'),
    ),
    ...(isCut
      ? [element('p', { class: 'muted small' }, 'The body is longer than what is shown; the copy has all of it.')]
      : []),
  ];
}

/**
 * @param {string} label
 * @param {...import('../lib/element.js').Child} parts
 * @returns {HTMLElement}
 */
function createCode(label, ...parts) {
  // Scrolled by keys too.
  return element('pre', { tabindex: 0, role: 'group', 'aria-label': label }, element('code', {}, ...parts));
}

/** A text, perhaps the key of an object; a number; another value. The text may be cut at its end. */
const JSON_TOKEN = /("(?:[^"\\]|\\.)*"?)(:)?|(-?[0-9][0-9.eE+-]*)|true|false|null/g;

/**
 * JSON with a colour for each kind of value.
 * @param {string} json
 * @returns {readonly (Node | string)[]}
 */
function colourJson(json) {
  /** @type {(Node | string)[]} */
  const parts = [];
  let from = 0;
  for (const { 0: whole, 1: text, 2: colon, 3: number, index } of json.matchAll(JSON_TOKEN)) {
    const token = text ?? whole;
    const kind = colon !== undefined ? 'key' : text !== undefined ? 'string' : number !== undefined ? 'number' : 'word';
    parts.push(json.slice(from, index), element('span', { class: `json-${kind}` }, token));
    from = index + token.length;
  }
  return [...parts, json.slice(from)];
}

/**
 * @param {number} status
 * @returns {string}
 */
function describeStatus(status) {
  if (status === 304) return 'not changed';
  return status < 400 ? 'answered' : 'refused';
}
