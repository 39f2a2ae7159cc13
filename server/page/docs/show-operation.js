import { element } from '../lib/element.js';
import { createFold } from './fold.js';
import { readInline, readMarkdown } from './markdown.js';
import { meaningOf, nameOf, parametersOf } from './openapi-types.js';
import { writeExample } from './request-target.js';
import { describeType } from './show-schema.js';
import { createTryForm } from './try-form.js';

/** @typedef {import('./openapi-types.js').Operation} Operation */
/** @typedef {import('./openapi-types.js').Parameter} Parameter */

/**
 * An operation: what it is for, a form to try it, its parameters, its answers.
 * @param {import('./openapi-types.js').OpenApi} openApi
 * @param {string} path
 * @param {Operation} operation
 */
export function showOperation(openApi, path, operation) {
  const { operationId, summary, description, responses } = operation;
  const parameters = parametersOf(openApi, operation);
  const fold = createFold(
    { class: 'fold operation', id: operationId },
    [element('h3', {}, summary), ' ', element('code', { class: 'path' }, `GET ${path}`)],
    [
      ...readMarkdown(description),
      parameters.length > 0 && element('h4', {}, 'Parameters'),
      ...parameters.map(showParameter),
      element('h4', {}, 'Answers'),
      element('dl', { class: 'properties' }, ...Object.entries(responses).flatMap(showAnswerKind)),
    ],
  );
  // Most forms are never looked at.
  const make = () => fold.querySelector('summary')?.after(createTryForm(path, operation, parameters));
  fold.addEventListener('toggle', make, { once: true });
  return fold;
}

/** @param {Parameter} parameter */
function showParameter(parameter) {
  const { name, required = false, description, schema, examples = {}, 'x-operators': operators = [] } = parameter;
  const hasGrammar = parameter['x-grammar'] !== undefined;
  const meaning = meaningOf(parameter);
  return createFold(
    { class: 'fold parameter' },
    [
      element('code', {}, name),
      ' ',
      element('span', { class: 'meaning' }, ...readInline(meaning)),
      ' ',
      element(
        'span',
        { class: 'muted small' },
        // What is written by a grammar is no more than a string to OpenAPI.
        ...(hasGrammar
          ? [operators.map(({ word }) => word).join(' ')]
          : [`${parameter.in}, `, ...describeType(schema)]),
        required && element('span', { class: 'tag warning' }, 'required'),
      ),
    ],
    [
      ...readMarkdown(description.slice(meaning.length).trim()),
      ...Object.values(examples).map(({ summary, value }) =>
        element(
          'p',
          {},
          element('code', {}, writePair(parameter, value)),
          ' ',
          element('span', { class: 'muted' }, summary),
        ),
      ),
    ],
  );
}

/**
 * @param {Parameter} parameter
 * @param {import('./openapi-types.js').Example['value']} value
 */
function writePair({ name, in: place }, value) {
  if (place !== 'query') return writeExample(value);
  return (Array.isArray(value) ? value : [value]).map((each) => `${name}=${each}`).join('&');
}

/** @param {readonly [string, import('./openapi-types.js').Answer]} entry */
function showAnswerKind([status, { description, headers, content = {} }]) {
  const bodies = Object.entries(content).flatMap(([type, { schema = {} }], index) => [
    index === 0 ? 'Body: ' : ', ',
    element('code', {}, type),
    ' ',
    ...(schema.$ref === undefined ? [] : describeType(schema)),
  ]);
  const links = Object.values(headers).map(({ $ref }) => {
    const name = nameOf($ref);
    return element('a', { href: `#header-${name}` }, element('code', {}, name));
  });
  return [
    element('dt', { class: Number(status) >= 400 ? 'status bad' : 'status good' }, status),
    element(
      'dd',
      {},
      ...readMarkdown(description),
      bodies.length > 0 && element('p', {}, ...bodies),
      element('p', { class: 'words' }, ...links),
    ),
  ];
}
