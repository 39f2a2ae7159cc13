import { element, findElement } from '../lib/element.js';
import { createKeyState } from '../lib/key-form.js';
import { createFailureNotice, createProblemNotice } from '../lib/problem-notice.js';
import { ask } from '../lib/request.js';
import { readInline, readMarkdown, toAnchor } from './markdown.js';
import { showOperation } from './show-operation.js';
import { showProperties } from './show-schema.js';

/** @typedef {import('./openapi-types.js').OpenApi} OpenApi */

/** The width from which the contents are next to the text. */
const WIDE = matchMedia('(min-width: 64rem)');

const main = findElement('reference', HTMLElement);
const contents = findElement('contents', HTMLDetailsElement);
const contentsList = findElement('contents-list', HTMLElement);
findElement('site-header', HTMLElement).append(createKeyState());

contents.open = WIDE.matches;
WIDE.addEventListener('change', () => (contents.open = WIDE.matches));
contentsList.addEventListener('click', () => {
  if (!WIDE.matches) contents.open = false;
});

await showReference();

async function showReference() {
  try {
    const answer = await ask('/openapi.json');
    if (answer.status !== 200) {
      main.replaceChildren(createProblemNotice(answer));
      return;
    }
    const openApi = /** @type {OpenApi} */ (answer.body);
    main.replaceChildren(...describe(openApi));
    contentsList.replaceChildren(...listContents(openApi));
    contents.hidden = false;
  } catch (error) {
    main.replaceChildren(createFailureNotice(error));
    return;
  }
  markCurrent();
  // What the address points to was not there when the browser looked for it.
  if (location.hash !== '') document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

/**
 * @param {OpenApi} openApi
 * @returns {readonly HTMLElement[]}
 */
function describe(openApi) {
  const { info, tags, components } = openApi;
  const [lead = '', ...about] = info.description.split('\n\n');
  return [
    element('h1', {}, 'Reference'),
    element('p', { class: 'lead' }, ...readInline(lead.replaceAll('\n', ' '))),
    element(
      'p',
      { class: 'muted' },
      `Version ${info.version}, as `,
      element('a', { href: '/openapi.json' }, 'openapi.json'),
      ' for programs. Every request here can be tried in place.',
    ),
    ...readMarkdown(about.join('\n\n'), { heading: 'h2' }),
    ...tags.map(({ name, description }) =>
      element(
        'section',
        { 'aria-labelledby': toAnchor(name) },
        element('h2', { id: toAnchor(name) }, name),
        element('p', { class: 'muted' }, ...readInline(description)),
        ...operationsOf(openApi, name).map(([path, operation]) => showOperation(openApi, path, operation)),
      ),
    ),
    element(
      'section',
      { 'aria-labelledby': 'about-headers' },
      element('h2', { id: 'about-headers' }, 'Headers of answers'),
      element(
        'dl',
        { class: 'properties' },
        ...Object.entries(components.headers).flatMap(([name, { description, example }]) => [
          element('dt', { id: `header-${name}` }, element('code', {}, name)),
          element(
            'dd',
            {},
            ...readInline(description),
            ' For example ',
            element('code', { class: 'example' }, example),
          ),
        ]),
      ),
    ),
    element(
      'section',
      { 'aria-labelledby': 'about-error-codes' },
      element('h2', { id: 'about-error-codes' }, 'Error codes'),
      element(
        'dl',
        { class: 'properties' },
        ...Object.entries(components.examples).flatMap(([code, { value }]) => [
          element(
            'dt',
            {},
            element('a', { href: `/problems/${code}` }, element('code', {}, code)),
            ' ',
            element('span', { class: 'type' }, String(value.status)),
          ),
          element('dd', {}, `${value.title}.`),
        ]),
      ),
    ),
    element(
      'section',
      { 'aria-labelledby': 'about-objects' },
      element('h2', { id: 'about-objects' }, 'Objects'),
      ...Object.entries(components.schemas).map(([name, schema]) =>
        element(
          'article',
          { class: 'schema', id: `schema-${name}`, 'aria-labelledby': `schema-${name}-title` },
          element('h3', { id: `schema-${name}-title` }, element('code', {}, name)),
          showProperties(schema),
        ),
      ),
    ),
  ];
}

/**
 * @param {OpenApi} openApi
 * @param {string} tag
 * @returns {readonly (readonly [string, import('./openapi-types.js').Operation])[]}
 */
function operationsOf({ paths }, tag) {
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get.tags.includes(tag) ? [/** @type {const} */ ([path, get])] : [],
  );
}

/**
 * @param {OpenApi} openApi
 * @returns {readonly HTMLElement[]}
 */
function listContents(openApi) {
  const { info, tags } = openApi;
  const about = [...info.description.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
  return [
    element('ul', {}, ...about.map((title) => createLink(toAnchor(title), title))),
    ...tags.map(({ name }) =>
      element(
        'ul',
        {},
        createLink(toAnchor(name), name, 'group'),
        ...operationsOf(openApi, name).map(([path, { operationId, summary }]) =>
          createLink(operationId, path.replace('/deals/v1', ''), undefined, summary),
        ),
      ),
    ),
    element(
      'ul',
      {},
      createLink('about-headers', 'Headers of answers'),
      createLink('about-error-codes', 'Error codes'),
      createLink('about-objects', 'Objects'),
    ),
  ];
}

/**
 * @param {string} id
 * @param {string} label
 * @param {string} [kind]
 * @param {string} [title]
 * @returns {HTMLElement}
 */
function createLink(id, label, kind, title) {
  return element('li', { class: kind }, element('a', { href: `#${id}`, title }, label));
}

/** Marks in the contents what is being read. */
function markCurrent() {
  const links = new Map(
    [...contentsList.querySelectorAll('a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  );
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const link = links.get(target.id);
        if (!isIntersecting || link === undefined) continue;
        for (const other of links.values()) other.removeAttribute('aria-current');
        link.setAttribute('aria-current', 'true');
      }
    },
    { rootMargin: '0px 0px -75% 0px' },
  );
  for (const id of links.keys()) {
    const target = document.getElementById(id);
    if (target !== null) observer.observe(target);
  }
}
