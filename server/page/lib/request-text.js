/** Stands for the key where there is none, and where it is not to be seen. */
const KEY_VARIABLE = '$DEALS_KEY';

/**
 * The request as a line for a shell.
 * @param {string} target path and query
 * @param {string} [key] without it the line takes the variable `DEALS_KEY`
 */
export function toCurl(target, key) {
  const header = key === undefined ? `"x-api-key: ${KEY_VARIABLE}"` : quoteForShell(`x-api-key: ${key}`);
  // -g: brackets and braces of filters are no patterns of curl.
  return `curl -g --compressed -H ${header} ${quoteForShell(location.origin + target)}`;
}

/**
 * The request as JavaScript.
 * @param {string} target path and query
 * @param {string} [key] without it the code takes the variable `DEALS_KEY` of the environment
 */
export function toFetch(target, key) {
  const value = key === undefined ? 'process.env.DEALS_KEY' : quoteForScript(key);
  return [
    `const response = await fetch(${quoteForScript(location.origin + target)}, {`,
    `  headers: { 'x-api-key': ${value} },`,
    '});',
    'const answer = await response.json();',
  ].join('\n');
}

/** @param {string} text */
function quoteForShell(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** @param {string} text */
function quoteForScript(text) {
  return `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll('\n', String.raw`\n`)}'`;
}

/**
 * A text as it was before it was percent-encoded; as it is where it is not that.
 * @param {string} text
 */
export function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
