/**
 * @typedef {{
 *   readonly source: string,
 *   readonly file?: string | undefined,
 *   readonly line?: number | undefined,
 *   readonly list?: string | undefined,
 *   readonly code?: import('../../../data/report/notice.ts').NoticeCode,
 * }} Place
 */

/** Adapters of exports that are one JSON value: there a line is the position of a record in its list. */
const ITEM_ADAPTERS = ['catalogue', 'contentful'];

/** The sources whose records are counted. @type {ReadonlySet<string>} */
let countedSources = new Set();

/** @type {Partial<import('../../routes/status.ts').StoreStatus['codes']>} */
let codes = {};

/**
 * Remembers which places are lines and which are items, for all sections of the page.
 * @param {Pick<import('./read-status.js').Status, 'served' | 'lastBuild' | 'codes'>} status
 */
export function rememberSources({ served, lastBuild, codes: known }) {
  const all = [...(served?.sources ?? []), ...(lastBuild?.report?.sources ?? [])];
  countedSources = new Set(all.filter(({ adapter }) => ITEM_ADAPTERS.includes(adapter)).map(({ name }) => name));
  codes = known;
}

/**
 * `feeds/house.csv:418`, `cms/site.json networks (item 3)`, or the source where no file is meant. A notice about a whole
 * source names a line, also in JSON.
 * @param {Place} place
 * @returns {string}
 */
export function describePlace({ source, file, line, list, code }) {
  if (file === undefined) return source;
  if (line === undefined) return file;
  const isOfSource = code !== undefined && codes[code]?.outcome === 'source';
  if (!countedSources.has(source) || isOfSource) return `${file}:${line}`;
  return `${file}${list === undefined ? '' : ` ${list}`} (item ${line})`;
}
