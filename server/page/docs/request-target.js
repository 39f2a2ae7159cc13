/** @typedef {import('./openapi-types.js').Parameter} Parameter */

/** Brackets and commas may stand in a query as they are, and are easier to read so. */
const READABLE = /%(?:28|29|2C|7B|7D|5B|5D)/gi;

/** Between two operators of one filter: `gte{20} lt{30}`. */
const BETWEEN_OPERATORS = /(?<=\})\s+/;

/**
 * The target of a request.
 * @param {string} path with `{name}` for the parameters in it
 * @param {readonly Parameter[]} parameters
 * @param {ReadonlyMap<string, string>} values what was typed, by name; empty ones are left out
 */
export function writeTarget(path, parameters, values) {
  /** @type {string[]} */
  const pairs = [];
  let target = path;
  for (const parameter of parameters) {
    const { name } = parameter;
    const value = (values.get(name) ?? '').trim();
    if (parameter.in === 'path') {
      if (value !== '') target = target.replace(`{${name}}`, encodeURIComponent(value));
    } else if (parameter.in === 'query' && value !== '') {
      const parts = isRepeated(parameter) ? value.split(BETWEEN_OPERATORS) : [value];
      pairs.push(
        ...parts.map((part) => `${name}=${encodeURIComponent(part).replaceAll(READABLE, decodeURIComponent)}`),
      );
    }
  }
  return pairs.length === 0 ? target : `${target}?${pairs.join('&')}`;
}

/**
 * What would have to be typed for a target, by name.
 * @param {string} path with `{name}` for the parameters in it
 * @param {string} target
 */
export function readTarget(path, target) {
  const { pathname, searchParams } = new URL(target, location.origin);
  /** @type {Map<string, string>} */
  const values = new Map();
  const given = pathname.split('/');
  for (const [index, part] of path.split('/').entries()) {
    if (part.startsWith('{')) values.set(part.slice(1, -1), decodeURIComponent(given[index] ?? ''));
  }
  for (const [name, value] of searchParams) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before} ${value}`);
  }
  return values;
}

/**
 * An example as it is typed.
 * @param {string | number | readonly string[]} value
 */
export function writeExample(value) {
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/**
 * Whether a parameter may be given several times.
 * @param {Parameter} parameter
 */
export function isRepeated({ schema }) {
  return schema.type === 'array';
}
