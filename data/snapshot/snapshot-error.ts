import type { z } from 'zod';

/** What can be wrong with a snapshot, for the operator. */
export type SnapshotErrorDetails =
  | { readonly code: 'no-snapshot'; readonly store: string }
  | { readonly code: 'unknown-snapshot'; readonly store: string; readonly id: string }
  /** `command` makes one current. */
  | { readonly code: 'unknown-current'; readonly file: string; readonly got: string; readonly command: string }
  | { readonly code: 'unreadable-file'; readonly file: string; readonly cause: string }
  | { readonly code: 'unknown-format'; readonly file: string; readonly got: string; readonly expected: number }
  | { readonly code: 'wrong-hash'; readonly file: string; readonly expected: string; readonly got: string }
  | {
      readonly code: 'malformed-file';
      readonly file: string;
      readonly line?: number | undefined;
      readonly expected: string;
      readonly got: string;
    };

export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly details: SnapshotErrorDetails;

  constructor(issue: SnapshotErrorDetails) {
    super(snapshotErrorMessage(issue));
    this.details = issue;
  }
}

/** One sentence an operator can act on. */
export function snapshotErrorMessage(issue: SnapshotErrorDetails): string {
  switch (issue.code) {
    case 'no-snapshot':
      return `${issue.store}: expected a published snapshot, found none; run deals build first, or deals pull where it is only served`;
    case 'unknown-snapshot':
      return `${issue.store}: no snapshot ${JSON.stringify(issue.id)}; deals status lists those there are`;
    case 'unknown-current':
      return `${issue.file}: expected {"snapshot": "<id>"} and its check, got ${issue.got}; ${issue.command} writes it`;
    case 'unreadable-file':
      return `${issue.file}: cannot be read: ${issue.cause}`;
    case 'unknown-format':
      return `${issue.file}: expected format version ${issue.expected}, got ${issue.got}; run deals build with this version of the program`;
    case 'wrong-hash':
      return `${issue.file}: expected SHA-256 ${issue.expected}, got ${issue.got}; the file was damaged after it was published`;
    case 'malformed-file':
      return `${issue.file}${issue.line === undefined ? '' : `:${issue.line}`}: expected ${issue.expected}, got ${issue.got}`;
  }
}

/** The value of a line, or of a whole file. @throws {SnapshotError} `malformed-file` for one that is not JSON */
export function parseLine(file: string, bytes: string | Buffer, line: number | undefined): unknown {
  const text = bytes.toString();
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(file, line, 'one JSON value', JSON.stringify(text.slice(0, 80)));
  }
}

/** @param line undefined for a fault that no single line has */
export function malformed(file: string, line: number | undefined, expected: string, got: string): SnapshotError {
  return new SnapshotError({ code: 'malformed-file', file, line, expected, got });
}

/** A value by its schema. @throws {SnapshotError} `malformed-file` with the first fault */
export function checkShape<Shape>(
  schema: z.ZodType<Shape>,
  value: unknown,
  file: string,
  line: number | undefined,
): Shape {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const got = `something else at ${issue?.path.join('.') ?? 'the top'}`;
  throw malformed(file, line, issue?.message ?? 'the published shape', got);
}

export function unreadable(file: string, error: unknown): SnapshotError {
  const cause = error instanceof Error ? error.message : String(error);
  return new SnapshotError({ code: 'unreadable-file', file, cause });
}
