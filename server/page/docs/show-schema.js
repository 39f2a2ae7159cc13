import { element } from '../lib/element.js';
import { readInline } from './markdown.js';
import { nameOf } from './openapi-types.js';

/** @typedef {import('./openapi-types.js').Schema} Schema */
/** @typedef {import('./markdown.js').Inline} Inline */

/** Longer patterns are not readable. */
const SHOWN_PATTERN_LENGTH = 48;

/**
 * The keys of an object: name, type, meaning, example.
 * @param {Schema} schema
 */
export function showProperties({ properties = {}, required = [] }) {
  return element(
    'dl',
    { class: 'properties' },
    ...Object.entries(properties).flatMap(([name, schema]) => [
      element(
        'dt',
        {},
        element('code', {}, name),
        ' ',
        element('span', { class: 'muted small' }, ...describeType(schema)),
        !required.includes(name) && element('span', { class: 'tag' }, 'may be absent'),
      ),
      element('dd', {}, ...describeMeaning(schema)),
    ]),
  );
}

/**
 * `array of Product`, with links to the objects.
 * @param {Schema} schema
 * @returns {readonly Inline[]}
 */
export function describeType({ $ref, type = 'any', items, anyOf, enum: words, const: value }) {
  if ($ref !== undefined) {
    const name = nameOf($ref);
    return [element('a', { href: `#schema-${name}` }, name)];
  }
  if (anyOf !== undefined) {
    return anyOf.flatMap((each, index) => [index === 0 ? '' : ' or ', ...describeType(each)]);
  }
  if (items !== undefined) return ['array of ', ...describeType(items)];
  if (value !== undefined) return [element('code', {}, JSON.stringify(value))];
  return words === undefined || words.length > 6
    ? [type]
    : words.flatMap((word, index) => [index === 0 ? '' : ' or ', element('code', {}, JSON.stringify(word))]);
}

/** @param {Schema} schema */
function describeMeaning({ description = '', examples = [], pattern = '' }) {
  const [example = ''] = examples;
  const show = (/** @type {string} */ before, /** @type {string} */ code) => [
    before,
    element('code', { class: 'muted' }, code),
  ];
  return [
    ...readInline(description),
    ...(example === '' ? [] : show(' For example ', JSON.stringify(example))),
    ...(pattern === '' || pattern.length > SHOWN_PATTERN_LENGTH ? [] : show('. Pattern ', pattern)),
  ];
}
