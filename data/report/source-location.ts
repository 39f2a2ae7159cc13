/** The place of a record in its source. */
export interface SourceLocation {
  readonly source: string;
  /** The file, relative to the configuration, with forward slashes. */
  readonly file: string;
  /** The 1-based line on which the record starts; with `list` its 1-based position there. */
  readonly line: number;
  /** The list of a JSON file in which `line` is a position. */
  readonly list?: string | undefined;
}

/** A place that may be a whole file, or a whole source. */
export interface Place {
  readonly source: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly list?: string | undefined;
}

/**
 * Writes a line as `feeds/house.csv:418`, which text editors jump to, an item of a JSON list as
 * `cms/site.json networks (item 3)`, and a location without a file as its source.
 */
export function formatLocation({ source, file, line, list }: Place): string {
  if (file === undefined) return source;
  if (line === undefined) return file;
  return list === undefined ? `${file}:${line}` : `${file} ${list} (item ${line})`;
}
