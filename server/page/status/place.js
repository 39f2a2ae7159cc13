/**
 * `feeds/house.csv:418`, `cms/site.json networks (item 3)`, or the source where no file is meant.
 * @param {import('../../../data/report/source-location.ts').Place} place
 * @returns {string}
 */
export function describePlace({ source, file, line, list }) {
  if (file === undefined) return source;
  if (line === undefined) return file;
  return list === undefined ? `${file}:${line}` : `${file} ${list} (item ${line})`;
}
