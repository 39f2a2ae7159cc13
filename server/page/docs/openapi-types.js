/**
 * What this page reads of `/openapi.json`.
 * @typedef {object} OpenApi
 * @property {{ readonly title: string, readonly version: string, readonly summary: string, readonly description: string }} info
 * @property {readonly { readonly name: string, readonly description: string }[]} tags
 * @property {Readonly<Record<string, { readonly get: Operation }>>} paths
 * @property {Components} components
 *
 * @typedef {object} Components
 * @property {Readonly<Record<string, Parameter>>} parameters
 * @property {Readonly<Record<string, Header>>} headers
 * @property {Readonly<Record<string, Schema>>} schemas
 *
 * @typedef {object} Operation
 * @property {string} operationId
 * @property {readonly string[]} tags
 * @property {string} summary
 * @property {string} description
 * @property {readonly (Parameter | Reference)[]} [parameters]
 * @property {Readonly<Record<string, Answer>>} responses
 * @property {readonly { readonly summary: string, readonly target: string }[]} [x-examples]
 *
 * @typedef {object} Parameter
 * @property {string} name
 * @property {'path' | 'query' | 'header'} in
 * @property {boolean} [required]
 * @property {string} description
 * @property {Schema} schema
 * @property {Readonly<Record<string, Example>>} [examples]
 * @property {string} [x-grammar]
 * @property {readonly Word[]} [x-words]
 * @property {readonly Word[]} [x-operators] of a filter
 *
 * @typedef {object} Example
 * @property {string} summary
 * @property {string | number | readonly string[]} value
 *
 * @typedef {object} Word
 * @property {string} word
 * @property {string} effect
 *
 * @typedef {object} Answer
 * @property {string} description
 * @property {Readonly<Record<string, Reference>>} headers
 * @property {Readonly<Record<string, { readonly schema?: Schema }>>} [content]
 *
 * @typedef {object} Header
 * @property {string} description
 * @property {string} example
 *
 * @typedef {object} Reference
 * @property {string} $ref
 *
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string} [type]
 * @property {string} [description]
 * @property {string} [pattern]
 * @property {unknown} [const]
 * @property {readonly unknown[]} [enum]
 * @property {readonly unknown[]} [examples]
 * @property {readonly Schema[]} [anyOf]
 * @property {Schema} [items]
 * @property {Readonly<Record<string, Schema>>} [properties]
 * @property {readonly string[]} [required]
 */

/**
 * The parameters of an operation, without references.
 * @param {OpenApi} openApi
 * @param {Operation} operation
 */
export function parametersOf({ components }, { parameters = [] }) {
  return parameters.flatMap((parameter) => {
    const found = '$ref' in parameter ? components.parameters[nameOf(parameter.$ref)] : parameter;
    return found === undefined ? [] : [found];
  });
}

/**
 * What a parameter is for, in one sentence; the rest of its description is grammar.
 * @param {Parameter} parameter
 */
export function meaningOf({ description }) {
  return /^[^]*?\.(?=\s|$)/.exec(description)?.[0].replaceAll('\n', ' ') ?? description;
}

/**
 * The name of the component that a reference leads to.
 * @param {string} reference
 */
export function nameOf(reference) {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
