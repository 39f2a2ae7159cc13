/** Where a record came from. */
export interface Origin {
  /** The name of the source in the configuration. */
  readonly source: string;
  /** The file, relative to the configuration, with forward slashes. */
  readonly file: string;
  /** 1-based line on which the record begins; in a JSON file the 1-based position of the record in its array. */
  readonly line: number;
  /** The list of a JSON file in which `line` is a position. */
  readonly list?: string;
}
