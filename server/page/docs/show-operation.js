import { element } from '../lib/element.js';
import { readInline, readMarkdown } from './markdown.js';
import { meaningOf, nameOf, parametersOf } from './openapi-types.js';
import { writeExample } from './request-target.js';
import { describeType } from './show-schema.js';
import { createTryForm } from './try-form.js';

/** @typedef {import('./openapi-types.js').Answer} Answer */
/** @typedef {import('./openapi-types.js').OpenApi} OpenApi */
/** @typedef {import('./openapi-types.js').Operation} Operation */
/** @typedef {import('./openapi-types.js').Parameter} Parameter */

/**
 * An operation: what it is for, a form to try it, its parameters, its answers.
 * @param {OpenApi} openApi
 * @param {string} path
 * @param {Operation} operation
 * @returns {HTMLElement}
 */
export function showOperation(openApi, path, operation) {
  const { operationId, summary, description, responses, security } = operation;
  const parameters = parametersOf(openApi, operation);
  return element(
    'article',
    { class: 'operation', id: operationId, 'aria-labelledby': `${operationId}-title` },
    element('h3', { id: `${operationId}-title` }, summary),
    element(
      'p',
      { class: 'path' },
      element('span', { class: 'tag good' }, 'GET'),
      ' ',
      element('code', {}, path),
      ' ',
      security?.length === 0 && element('span', { class: 'tag' }, 'no key'),
    ),
    ...readMarkdown(description),
    createFold('Try it', 'try-fold', () => [createTryForm(path, operation, parameters)]),
    ...(parameters.length === 0 ? [] : [element('h4', {}, 'Parameters'), ...parameters.map(showParameter)]),
    element('h4', {}, 'Answers'),
    ...Object.entries(responses).map(([status, answer]) => showAnswerKind(status, answer)),
  );
}

/**
 * Something that is made when it is opened: most are never looked at.
 * @param {string} label
 * @param {string} name
 * @param {() => readonly HTMLElement[]} make
 * @returns {HTMLDetailsElement}
 */
function createFold(label, name, make) {
  const fold = element('details', { class: name }, element('summary', {}, label));
  let isMade = false;
  fold.addEventListener('toggle', () => {
    if (isMade || !fold.open) return;
    isMade = true;
    fold.append(...make());
  });
  return fold;
}

/**
 * @param {Parameter} parameter
 * @returns {HTMLElement}
 */
function showParameter(parameter) {
  const { name, required = false, description, schema, examples = {}, 'x-operators': operators = [] } = parameter;
  const hasGrammar = parameter['x-grammar'] !== undefined;
  const meaning = meaningOf(parameter);
  const [first = '', ...rest] = description.slice(meaning.length).trim().split('\n\n');
  const shown = Object.values(examples);
  return element(
    'details',
    { class: 'parameter-fold' },
    element(
      'summary',
      {},
      element(
        'span',
        { class: 'parameter-line' },
        element('code', {}, name),
        ' ',
        element('span', { class: 'meaning' }, ...readInline(meaning)),
        ' ',
        element(
          'span',
          { class: 'type' },
          // What is written by a grammar is no more than a string to OpenAPI.
          ...(hasGrammar
            ? [operators.map(({ word }) => word).join(' ')]
            : [`${parameter.in}, `, ...describeType(schema)]),
          required && element('span', { class: 'tag warning' }, 'required'),
        ),
      ),
    ),
    ...[first, ...rest].filter((block) => block !== '').flatMap((block) => readMarkdown(block)),
    shown.length > 0 &&
      element(
        'ul',
        { class: 'plain' },
        ...shown.map(({ summary, value }) =>
          element(
            'li',
            {},
            element('code', {}, writePair(parameter, value)),
            ' ',
            element('span', { class: 'muted' }, summary),
          ),
        ),
      ),
  );
}

/**
 * @param {Parameter} parameter
 * @param {import('./openapi-types.js').Example['value']} value
 * @returns {string}
 */
function writePair({ name, in: place }, value) {
  if (place !== 'query') return writeExample(value);
  return (Array.isArray(value) ? value : [value]).map((each) => `${name}=${each}`).join('&');
}

/**
 * @param {string} status
 * @param {Answer} answer
 * @returns {HTMLElement}
 */
function showAnswerKind(status, { description, headers, content = {} }) {
  const isRefusal = Number(status) >= 400;
  const bodies = Object.entries(content);
  const isList = description.startsWith('- ');
  return element(
    'details',
    { class: 'answer-fold' },
    element(
      'summary',
      {},
      element('span', { class: isRefusal ? 'status bad' : 'status good' }, status),
      ' ',
      ...(isList ? [listCodes(description)] : readInline(description)),
    ),
    ...(isList ? readMarkdown(description) : []),
    bodies.length > 0 &&
      element(
        'p',
        {},
        'Body: ',
        ...bodies.flatMap(([type, { schema = {} }], index) => [
          index === 0 ? '' : ', ',
          element('code', {}, type),
          ' ',
          ...(schema.$ref === undefined ? [] : describeType(schema)),
        ]),
      ),
    element(
      'p',
      { class: 'words' },
      ...Object.values(headers).map(({ $ref }) => {
        const name = nameOf($ref);
        return element('a', { href: `#header-${name}` }, element('code', {}, name));
      }),
    ),
  );
}

/**
 * The codes that a list of errors explains.
 * @param {string} description
 * @returns {string}
 */
function listCodes(description) {
  return [...description.matchAll(/^- \[`([a-z-]+)`\]/gm)].map(([, code]) => code).join(', ');
}
