import { element, findElement } from '../lib/element.js';
import { createKeyState } from '../lib/key-form.js';
import { createFailureNotice, createProblemNotice } from '../lib/problem-notice.js';
import { ask } from '../lib/request.js';
import { createFold, openTarget } from './fold.js';
import { readInline, readMarkdown, toAnchor } from './markdown.js';
import { createSender } from './sender.js';
import { showOperation } from './show-operation.js';
import { showProperties } from './show-schema.js';

/** @typedef {import('./openapi-types.js').OpenApi} OpenApi */

const main = findElement('reference', HTMLElement);
findElement('site-header', HTMLElement).append(createKeyState());

try {
  const answer = await ask('/openapi.json');
  main.replaceChildren(
    ...(answer.status === 200 ? describe(/** @type {OpenApi} */ (answer.body)) : [createProblemNotice(answer)]),
  );
  addEventListener('hashchange', openTarget);
  // A link to where the address points already changes nothing, and is meant to open it again.
  main.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')?.getAttribute('href') === location.hash) openTarget();
  });
  openTarget();
} catch (error) {
  main.replaceChildren(createFailureNotice(error));
}

/** @param {OpenApi} openApi */
function describe(openApi) {
  const { info, tags, paths, components } = openApi;
  const [lead = '', ...about] = info.description.split(/\n\n(?=## )/);
  const operations = Object.entries(paths);
  return [
    element('h1', {}, 'Reference'),
    element('p', { class: 'lead' }, ...readInline(lead.replaceAll('\n', ' '))),
    ...operations
      .flatMap(([, { get }]) => get['x-examples'] ?? [])
      .slice(0, 1)
      .map(createFirstExample),
    ...tags.map(({ name, description }) =>
      createSection(
        name,
        element('p', { class: 'muted' }, ...readInline(description)),
        ...operations
          .filter(([, { get }]) => get.tags.includes(name))
          .map(([path, { get }]) => showOperation(openApi, path, get)),
      ),
    ),
    createSection('What holds for all requests', ...about.map(showChapter), showHeaders(components)),
    createSection(
      'Objects',
      ...Object.entries(components.schemas).map(([name, schema]) =>
        createFold({ class: 'fold', id: `schema-${name}` }, [element('code', {}, name)], [showProperties(schema)]),
      ),
    ),
    element(
      'p',
      { class: 'muted' },
      `Version ${info.version}, as `,
      element('a', { href: '/openapi.json' }, 'openapi.json'),
      ' for programs. Every error code has a page ',
      element('a', { href: '/problems/' }, 'with its cause and cure'),
      '.',
    ),
  ];
}

/**
 * @param {string} title
 * @param {...import('../lib/element.js').Child} children
 */
function createSection(title, ...children) {
  const id = toAnchor(title);
  return element('section', { 'aria-labelledby': id }, element('h2', { id }, title), ...children);
}

/**
 * What the page begins with: a request to send as it is.
 * @param {{ readonly summary: string, readonly target: string }} example
 */
function createFirstExample(example) {
  const sender = createSender([element('p', {}, `${example.summary}:`)], (target) => sender.show(target));
  sender.show(example.target);
  return element('section', { 'aria-label': 'A first request', id: 'first-request' }, sender.element);
}

/**
 * A chapter of the description: its heading, and what is below it.
 * @param {string} text
 */
function showChapter(text) {
  const [heading = '', ...blocks] = text.split('\n\n');
  const title = heading.replace('## ', '');
  return createFold({ class: 'fold', id: toAnchor(title) }, [title], readMarkdown(blocks.join('\n\n')));
}

/** @param {import('./openapi-types.js').Components} components */
function showHeaders({ headers }) {
  const rows = Object.entries(headers).flatMap(([name, { description, example }]) => [
    element('dt', { id: `header-${name}` }, element('code', {}, name)),
    element('dd', {}, ...readInline(description), ' For example ', element('code', { class: 'muted' }, example)),
  ]);
  return createFold(
    { class: 'fold', id: 'about-headers' },
    ['Headers of answers'],
    [element('dl', { class: 'properties' }, ...rows)],
  );
}
