import { NOTICES, type NoticeCode } from './notice.ts';

/** The adapters whose exports are one JSON value: there `line` is the position of a record in its list, from 1 on. */
const ITEM_ADAPTERS: readonly string[] = ['catalogue', 'contentful'];

interface NoticeLocation {
  readonly source: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly list?: string | undefined;
  /** Of a finding. What is said of a whole source names a line of its file, whatever the file holds. */
  readonly code?: NoticeCode;
}

/** Writes a place for people to look it up. */
export type FormatLocation = (place: NoticeLocation) => string;

/**
 * A line is written `feeds/house.csv:418`, which editors jump to, an item of a list `cms/site.json networks (item 3)`, which
 * nobody takes for a line, and a place without a file is its source.
 *
 * @param sources those of the build that the places are of
 */
export function createLocationFormatter(
  sources: readonly { readonly name: string; readonly adapter: string }[],
): FormatLocation {
  const counted = new Set(sources.filter(({ adapter }) => ITEM_ADAPTERS.includes(adapter)).map(({ name }) => name));
  return ({ source, file, line, list, code }) => {
    if (file === undefined) return source;
    if (line === undefined) return file;
    const isItem = counted.has(source) && (code === undefined || NOTICES[code].outcome !== 'source');
    if (!isItem) return `${file}:${line}`;
    return `${file}${list === undefined ? '' : ` ${list}`} (item ${line})`;
  };
}
