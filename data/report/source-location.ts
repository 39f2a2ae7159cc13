import { NOTICES, type NoticeCode } from './notice.ts';

/** The adapters whose exports are one JSON value: there `line` is the position of a record in its list, from 1 on. */
const ITEM_ADAPTERS: readonly string[] = ['catalogue', 'contentful'];

/** The place of a record in its source. */
export interface SourceLocation {
  readonly source: string;
  /** The file, relative to the configuration, with forward slashes. */
  readonly file: string;
  /** The 1-based line on which the record starts; in a JSON file its 1-based position in its list. */
  readonly line: number;
  /** The list of a JSON file in which `line` is a position. */
  readonly list?: string;
}

interface NoticeLocation {
  readonly source: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly list?: string | undefined;
  /** Of a notice. A notice about a whole source names a line, also in a JSON file. */
  readonly code?: NoticeCode;
}

export type FormatLocation = (location: NoticeLocation) => string;

/**
 * Writes a line as `feeds/house.csv:418`, which text editors jump to, an item of a JSON list as
 * `cms/site.json networks (item 3)`, and a location without a file as its source.
 *
 * @param sources the sources of the build
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
