import type { NoticeCode } from '../../data/report/notice.ts';

/** A whole source that cannot be read: the other sources go on without it. The message says where, what was expected, what arrived. */
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
