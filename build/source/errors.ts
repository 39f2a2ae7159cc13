import type { Notice, NoticeCode } from '../../data/report/notice.ts';

/** A source that cannot be read: the others go on without it. The message says where, what was expected and what was found. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: NoticeCode;
  readonly source: string;
  readonly file: string | undefined;
  readonly line: number | undefined;

  constructor({ code, source, file, line }: Omit<Notice, 'found'>, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.source = source;
    this.file = file;
    this.line = line;
  }

  /** The notice of the source; `found` is the whole sentence. */
  toNotice(): Notice {
    const { code, source, file, line, message } = this;
    return { code, source, ...(file !== undefined && { file }), ...(line !== undefined && { line }), found: message };
  }
}

/** The names of a file in messages. */
interface NamedFile {
  readonly source: string;
  readonly path: string;
}

/** @param sentence the message without its location: `expected a header, got an empty file` */
export function createSourceError(
  code: NoticeCode,
  file: NamedFile,
  line: number | undefined,
  sentence: string,
  cause?: unknown,
): SourceError {
  const { source, path } = file;
  const location = line === undefined ? path : `${path}:${line}`;
  return new SourceError({ code, source, file: path, line }, `${location}: ${sentence}`, cause);
}

export function sourceMalformed(
  file: NamedFile,
  line: number | undefined,
  sentence: string,
  cause?: unknown,
): SourceError {
  return createSourceError('source-malformed', file, line, sentence, cause);
}

/** A file ends within its last record, which may look complete; later records are missing. */
export function truncatedRecord(file: NamedFile, line: number, expected: string): SourceError {
  const sentence = `expected ${expected}, got the end of the file within the record; fetch the file again`;
  return sourceMalformed(file, line, sentence);
}

/** A configuration that cannot be used. `faults` has one sentence for each error, with file and key. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[], options?: { readonly cause?: unknown }) {
    super(faults.join('\n'), options);
    this.faults = faults;
  }
}
