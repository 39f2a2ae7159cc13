import type { z } from 'zod';

/** What is wrong with a snapshot: one sentence an operator can act on. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code:
    | 'no-snapshot'
    | 'unknown-snapshot'
    | 'unknown-current'
    | 'unreadable-file'
    | 'unknown-format'
    | 'wrong-hash'
    | 'malformed-file';
  /** Or the store. */
  readonly file: string;

  /** @param sentence follows file and line */
  constructor(code: SnapshotError['code'], file: string, sentence: string, line?: number) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${sentence}`);
    this.code = code;
    this.file = file;
  }
}

export function noSnapshot(store: string): SnapshotError {
  const sentence =
    'expected a published snapshot, found none; run deals build first, or deals pull where it is only served';
  return new SnapshotError('no-snapshot', store, sentence);
}

export function wrongHash(file: string, expected: string, got: string): SnapshotError {
  const sentence = `expected SHA-256 ${expected}, got ${got}; the file was damaged after it was published`;
  return new SnapshotError('wrong-hash', file, sentence);
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
  return new SnapshotError('malformed-file', file, `expected ${expected}, got ${got}`, line);
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
  return new SnapshotError('unreadable-file', file, `cannot be read: ${cause}`);
}
