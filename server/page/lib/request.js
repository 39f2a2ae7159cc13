import { findKey } from './key.js';

/**
 * What is wrong with a request (RFC 9457).
 * @typedef {object} Problem
 * @property {string} type the path of a page that explains the code
 * @property {string} title
 * @property {number} status
 * @property {string} detail
 * @property {string} instance the id of the request
 * @property {string} code
 * @property {readonly Fault[]} [errors] one for each faulty parameter
 *
 * @typedef {object} Fault
 * @property {string} parameter as it was sent
 * @property {string} code
 * @property {string} detail
 * @property {string} value
 * @property {readonly string[]} [allowed]
 * @property {string} [suggestion]
 */

/**
 * An answer with what it took.
 * @typedef {object} Answer
 * @property {string} method
 * @property {string} target path and query, as they were sent
 * @property {number} status
 * @property {Headers} headers
 * @property {string} text
 * @property {unknown} body the text as JSON; undefined when it is none
 * @property {Problem} [problem] of an answer that is an error
 * @property {number} byteLength of the body as it is read
 * @property {number} [sentByteLength] of the body as it was sent, when it was encoded and its length was told
 * @property {number} milliseconds from the request to the last byte
 */

/** The server could not be reached, or went away before the end of its answer. */
export class UnreachableError extends Error {
  /** @param {string} target */
  constructor(target) {
    super(`${target}: the server did not answer`);
    this.name = 'UnreachableError';
  }
}

/**
 * Asks this server, with the key of this tab.
 * @param {string} target path and query
 * @param {{ readonly signal?: AbortSignal, readonly method?: string, readonly headers?: Readonly<Record<string, string>> }} [options]
 * @returns {Promise<Answer>} errors of the interface too
 * @throws {UnreachableError}
 * @throws {DOMException} `AbortError` when the signal said so
 */
export async function ask(target, { signal, method = 'GET', headers = {} } = {}) {
  const key = findKey();
  const startedAt = performance.now();
  try {
    const response = await fetch(target, {
      method,
      headers: { ...(key === undefined ? {} : { 'x-api-key': toHeaderValue(key) }), ...headers },
      // A browser that answered from its memory would not notice another key. What has not changed costs a 304.
      cache: 'no-cache',
      credentials: 'omit',
      ...(signal === undefined ? {} : { signal }),
    });
    const bytes = await response.arrayBuffer();
    const milliseconds = performance.now() - startedAt;
    return describe(target, method, response, bytes, milliseconds);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (error instanceof TypeError) throw new UnreachableError(target);
    throw error;
  }
}

/**
 * The targets of a `Link` header by their relation (RFC 8288).
 * @param {Headers} headers
 */
export function readLinks(headers) {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?([a-z]+)"?/g);
  return Object.fromEntries(Array.from(links, ([, target = '', relation = '']) => [relation, target]));
}

/**
 * @param {string} target
 * @param {string} method
 * @param {Response} response
 * @param {ArrayBuffer} bytes
 * @param {number} milliseconds
 */
function describe(target, method, { status, headers }, bytes, milliseconds) {
  const text = new TextDecoder().decode(bytes);
  const isJson = /\bjson\b/.test(headers.get('content-type') ?? '');
  /** @type {unknown} */
  const body = isJson && text !== '' ? JSON.parse(text) : undefined;
  const isProblem = (headers.get('content-type') ?? '').startsWith('application/problem+json');
  const sentByteLength = headers.has('content-encoding') ? Number(headers.get('content-length') ?? 0) : 0;
  return {
    method,
    target,
    status,
    headers,
    text,
    body,
    ...(isProblem ? { problem: /** @type {Problem} */ (body) } : {}),
    byteLength: bytes.byteLength,
    ...(sentByteLength > 0 ? { sentByteLength } : {}),
    milliseconds,
  };
}

/**
 * A key that was pasted with something else in it is refused by the server, not by the browser.
 * @param {string} key
 */
function toHeaderValue(key) {
  return key.replaceAll(/[^\x20-\x7e]/g, '?');
}
