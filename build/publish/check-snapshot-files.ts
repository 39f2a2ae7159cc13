import { join } from 'node:path';
import type { PublishedFile } from '../../data/schema/published-schema.ts';
import { SNAPSHOT_FILES, type Manifest, type PictureLine, type SnapshotFile } from '../../data/snapshot/format.ts';
import type { SnapshotIssue } from '../../data/snapshot/snapshot-error.ts';
import { checkPublished } from './check-published.ts';
import { ReferenceCheck } from './reference-check.ts';
import { readLines, type WrittenFile } from './written-file.ts';

/** What is on the disk. */
export interface CheckedFiles {
  readonly issues: readonly SnapshotIssue[];
  readonly counts: Manifest['counts'];
  readonly pictures: readonly PictureLine[];
}

/**
 * Reads back every file of a snapshot: its bytes against `files`, each line against its published schema, and the
 * lines against each other. Before a snapshot is published and whenever it is verified, this is the one check.
 */
export function checkSnapshotFiles(folder: string, files: Readonly<Record<SnapshotFile, WrittenFile>>): CheckedFiles {
  const references = new ReferenceCheck();
  const issues: SnapshotIssue[] = [];
  for (const file of SNAPSHOT_FILES) issues.push(...checkFile(folder, file, files[file], references));
  const counts = references.finish();
  return { issues: [...issues, ...references.faults], counts, pictures: references.pictures };
}

function checkFile(
  folder: string,
  file: SnapshotFile,
  expected: WrittenFile,
  references: ReferenceCheck,
): SnapshotIssue[] {
  const issues: SnapshotIssue[] = [];
  let found: WrittenFile;
  try {
    found = readEachValue(join(folder, file), file, (text, line) => {
      const issue = checkLine(file, text, line, references);
      if (issue !== undefined) issues.push(issue);
    });
  } catch (error) {
    return [...issues, { code: 'unreadable-file', file, cause: (error as Error).message }];
  }
  // The hash first: when that differs, what is wrong with the lines follows from it.
  if (found.sha256 !== expected.sha256) {
    issues.unshift({ code: 'wrong-hash', file, expected: expected.sha256, got: found.sha256 });
  } else if (found.bytes !== expected.bytes) {
    // The manifest is wrong then, and a server goes by it.
    issues.unshift({ code: 'malformed-file', file, expected: `${expected.bytes} bytes`, got: String(found.bytes) });
  }
  return issues;
}

/** Hands over each line of an `.ndjson`, the whole of a `.json`. */
function readEachValue(path: string, file: PublishedFile, take: (text: string, line: number) => void): WrittenFile {
  const lines = readLines(path);
  const whole: string[] = [];
  let line = 0;
  for (;;) {
    const next = lines.next();
    if (next.done === true) {
      if (file.endsWith('.json')) take(whole.join('\n'), 1);
      return next.value;
    }
    const text = next.value.toString('utf8');
    line++;
    if (file.endsWith('.json')) whole.push(text);
    else take(text, line);
  }
}

function checkLine(
  file: SnapshotFile,
  text: string,
  line: number,
  references: ReferenceCheck,
): SnapshotIssue | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { code: 'malformed-file', file, line, expected: 'one JSON value', got: JSON.stringify(text.slice(0, 80)) };
  }
  const check = checkPublished(file, value);
  if (check.kind === 'sound') {
    references.take(file, check.value, line);
    return undefined;
  }
  return { code: 'malformed-file', file, line, expected: 'the published schema', got: check.fault };
}
