/**
 * @typedef {{
 *   readonly source: string,
 *   readonly file?: string | undefined,
 *   readonly line?: number | undefined,
 *   readonly list?: string | undefined,
 *   readonly code?: string,
 * }} Place
 */

/** Adapters of exports that are one JSON value: there a line is the position of a record in its list. */
const ITEM_ADAPTERS = ['catalogue', 'contentful'];

/** Codes whose place is a line of the file, also in JSON. @type {ReadonlySet<string>} */
let sourceCodes = new Set();

/** The sources whose records are counted. @type {ReadonlySet<string>} */
let countedSources = new Set();

/**
 * Remembers which places are lines and which are items, for all sections of the page.
 * @param {import('../../status/status.ts').Status} status
 */
export function rememberPlaces({ sources, notices, lastBuild }) {
  const all = [...sources, ...(lastBuild?.refused?.sources ?? [])];
  countedSources = new Set(all.filter(({ adapter }) => ITEM_ADAPTERS.includes(adapter)).map(({ name }) => name));
  const findings = [...notices, ...(lastBuild?.refused?.notices ?? [])];
  sourceCodes = new Set(findings.filter(({ outcome }) => outcome === 'source').map(({ code }) => code));
}

/**
 * `feeds/house.csv:418`, `cms/site.json networks (item 3)`, or the source where no file is meant.
 * @param {Place} place
 * @returns {string}
 */
export function describePlace({ source, file, line, list, code }) {
  if (file === undefined) return source;
  if (line === undefined) return file;
  const isItem = countedSources.has(source) && !(code !== undefined && sourceCodes.has(code));
  if (!isItem) return `${file}:${line}`;
  return `${file}${list === undefined ? '' : ` ${list}`} (item ${line})`;
}
