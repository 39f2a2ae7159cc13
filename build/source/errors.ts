import type { NoticeCode } from '../../data/report/notice.ts';

/** A source that cannot be read: the others go on without it. The message says where, what was expected and what was found. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: NoticeCode;
  readonly source: string;
  readonly file: string | undefined;
  readonly line: number | undefined;

  constructor(facts: {
    readonly code: NoticeCode;
    readonly source: string;
    readonly file?: string | undefined;
    readonly line?: number | undefined;
    readonly message: string;
    readonly cause?: unknown;
  }) {
    super(facts.message, { cause: facts.cause });
    this.code = facts.code;
    this.source = facts.source;
    this.file = facts.file;
    this.line = facts.line;
  }
}

/** A file ends within its last record: what is left of it may look like a whole one, and the records after it are gone. */
export function truncatedRecord(
  file: { readonly source: string; readonly path: string },
  line: number,
  expected: string,
): SourceError {
  return new SourceError({
    code: 'source-malformed',
    source: file.source,
    file: file.path,
    line,
    message: `${file.path}:${line}: expected ${expected}, got the end of the file within the record; fetch the file again`,
  });
}

/**
 * A configuration that cannot be used. `faults` are all that are wrong with it, each a sentence that names file and
 * key.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[], options?: { readonly cause?: unknown }) {
    super(faults.join('\n'), options);
    this.faults = faults;
  }
}
