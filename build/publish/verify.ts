import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  createPublishedSchema,
  PUBLISHED_FILES,
  type Published,
  type PublishedFile,
} from '../../data/schema/published-schema.ts';
import { SNAPSHOT_FILES, type Manifest, type PictureLine, type SnapshotFile } from '../../data/snapshot/format.ts';
import { SnapshotError, type SnapshotErrorDetails } from '../../data/snapshot/snapshot-error.ts';
import { snapshotFolder } from '../../data/store/layout.ts';
import { hashFile, readLines } from '../../data/store/lines.ts';
import { hashContent, type WrittenFile } from '../../data/store/manifest.ts';
import { readManifest } from '../../data/store/snapshots.ts';
import { IntegrityCheck } from './integrity-check.ts';

/**
 * All errors of a published snapshot: every hash, schema, reference and picture is checked. Empty when it is unchanged.
 */
export function verifySnapshot(store: string, id: string): readonly SnapshotErrorDetails[] {
  let manifest: Manifest;
  try {
    manifest = readManifest(store, id);
  } catch (error) {
    if (error instanceof SnapshotError) return [error.details];
    throw error;
  }
  const { issues, counts, pictures } = checkSnapshotFiles(snapshotFolder(store, id), manifest.files);
  return [...findManifestIssues(manifest, id, counts), ...issues, ...findPictureIssues(store, pictures)];
}

/** The list of changes is for people. When it is damaged, a rollback to the snapshot is still possible. */
export function isOfChangesFile(issue: SnapshotErrorDetails): boolean {
  return 'file' in issue && issue.file === 'changes.json';
}

function findManifestIssues(manifest: Manifest, id: string, counts: Manifest['counts']): SnapshotErrorDetails[] {
  const issues: SnapshotErrorDetails[] = [];
  const expect = (field: string, expected: string | number, got: string | number) => {
    if (expected === got) return;
    issues.push({
      code: 'malformed-file',
      file: 'manifest.json',
      expected: `${field} ${expected}`,
      got: JSON.stringify(got),
    });
  };
  const check = checkAgainstSchema('manifest.json', manifest);
  if (check.kind === 'faulty') expect('published schema', 'met', check.fault);
  expect('id', id, manifest.id);
  expect('contentHash', hashContent(manifest.files, manifest.imagesBaseUrl), manifest.contentHash);
  for (const [name, count] of Object.entries(counts)) {
    expect(`counts.${name}`, count, manifest.counts[name as keyof Manifest['counts']]);
  }
  return issues;
}

function findPictureIssues(store: string, pictures: readonly PictureLine[]): SnapshotErrorDetails[] {
  const issues: SnapshotErrorDetails[] = [];
  for (const { path, sha256 } of pictures) {
    try {
      const found = hashFile(join(store, path));
      if (found.sha256 !== sha256) issues.push({ code: 'wrong-hash', file: path, expected: sha256, got: found.sha256 });
    } catch (error) {
      issues.push({ code: 'unreadable-file', file: path, cause: (error as Error).message });
    }
  }
  return issues;
}

/** The state of the files on the disk. */
export interface CheckedFiles {
  readonly issues: readonly SnapshotErrorDetails[];
  readonly counts: Manifest['counts'];
  readonly pictures: readonly PictureLine[];
}

/**
 * Reads back every file of a snapshot, and checks its bytes against `files`, each line against its published schema,
 * and the lines against each other. Publishing and verifying both use this check.
 */
export function checkSnapshotFiles(folder: string, files: Readonly<Record<SnapshotFile, WrittenFile>>): CheckedFiles {
  const references = new IntegrityCheck();
  const issues: SnapshotErrorDetails[] = [];
  for (const file of SNAPSHOT_FILES) issues.push(...checkFile(folder, file, files[file], references));
  const counts = references.finish();
  return { issues: [...issues, ...references.errors], counts, pictures: references.pictures };
}

function checkFile(
  folder: string,
  file: SnapshotFile,
  expected: WrittenFile,
  references: IntegrityCheck,
): SnapshotErrorDetails[] {
  const issues: SnapshotErrorDetails[] = [];
  let found: WrittenFile;
  try {
    found = readEachValue(join(folder, file), file, (text, line) => {
      const issue = checkLine(file, text, line, references);
      if (issue !== undefined) issues.push(issue);
    });
  } catch (error) {
    return [...issues, { code: 'unreadable-file', file, cause: (error as Error).message }];
  }
  // The hash comes first: errors in the lines follow from a wrong one.
  if (found.sha256 !== expected.sha256) {
    issues.unshift({ code: 'wrong-hash', file, expected: expected.sha256, got: found.sha256 });
  } else if (found.bytes !== expected.bytes) {
    // Then the manifest is wrong, which a server relies on.
    issues.unshift({ code: 'malformed-file', file, expected: `${expected.bytes} bytes`, got: String(found.bytes) });
  }
  return issues;
}

/** Calls `take` with each line of an `.ndjson`, or with the whole of a `.json`. */
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
  references: IntegrityCheck,
): SnapshotErrorDetails | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { code: 'malformed-file', file, line, expected: 'one JSON value', got: JSON.stringify(text.slice(0, 80)) };
  }
  const check = checkAgainstSchema(file, value);
  if (check.kind === 'sound') {
    references.take(file, check.value, line);
    return undefined;
  }
  return { code: 'malformed-file', file, line, expected: 'the published schema', got: check.fault };
}

export type SchemaCheck<File extends PublishedFile> =
  | { readonly kind: 'sound'; readonly value: Published<File> }
  | { readonly kind: 'faulty'; readonly fault: string };

let validators: ReadonlyMap<PublishedFile, ValidateFunction> | undefined;

/**
 * Checks a line of `file` (the whole of a `.json`) against its published JSON Schema. The schemas are made from the
 * shapes that the build itself works with. Another implementation checks them here, as a reader in another language
 * would.
 */
export function checkAgainstSchema<File extends PublishedFile>(file: File, value: unknown): SchemaCheck<File> {
  validators ??= compileSchemas();
  const validate = validators.get(file);
  if (validate?.(value) !== true) return { kind: 'faulty', fault: describeError(validate?.errors?.[0]) };
  // The schema was made from the shape of this type, and the value follows it.
  return { kind: 'sound', value: value as Published<File> };
}

function compileSchemas(): ReadonlyMap<PublishedFile, ValidateFunction> {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv, ['date-time']);
  return new Map(PUBLISHED_FILES.map((file) => [file, ajv.compile(createPublishedSchema(file))] as const));
}

function describeError(error: ErrorObject | undefined): string {
  if (error === undefined) return 'the published schema is not met';
  const detail = error.keyword === 'additionalProperties' ? ` (${String(error.params.additionalProperty)})` : '';
  return `${error.instancePath === '' ? 'the value' : error.instancePath} ${error.message ?? error.keyword}${detail}`;
}
