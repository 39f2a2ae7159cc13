import type { ServedFile } from './format.ts';
import { SnapshotError } from './snapshot-error.ts';

/** The value of a line. @throws {SnapshotError} `malformed-file` for one that is not JSON */
export function parseLine(file: ServedFile, bytes: Buffer, line: number): unknown {
  const text = bytes.toString();
  try {
    return JSON.parse(text);
  } catch {
    throw malformedLine(file, line, 'one JSON value', JSON.stringify(text.slice(0, 80)));
  }
}

export function malformedLine(file: ServedFile, line: number, expected: string, got: string): SnapshotError {
  return new SnapshotError({ code: 'malformed-file', file, line, expected, got });
}
