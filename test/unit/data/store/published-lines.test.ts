import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../../data/snapshot/format.ts';
import { SnapshotError } from '../../../../data/snapshot/snapshot-error.ts';
import { openSnapshotLines } from '../../../../data/store/lines.ts';
import { createTemporaryFolder } from '../../build/publish/temporary-store.ts';

const FILE = 'notices.ndjson';

/** More than is read at once. */
const TEXT = '{"code":"a"}\n'.repeat(200_000);

describe('the lines of a published file', () => {
  it.each([
    ['is what was published', TEXT.length, undefined],
    ['changes behind the reader', 0, undefined],
    ['changes before the reader', TEXT.length - 4, 'wrong-hash'],
    ['grows', TEXT.length, 'wrong-hash'],
  ])('of one that %s while it is read: %s, %s', (what, at, code) => {
    const folder = createTemporaryFolder();
    mkdirSync(join(folder, 'snapshot'));
    const path = join(folder, 'snapshot', FILE);
    writeFileSync(path, TEXT);
    const sha256 = createHash('sha256').update(TEXT).digest('hex');
    const manifest = { id: 'snapshot', files: { [FILE]: { bytes: TEXT.length, sha256 } } } as unknown as Manifest;
    const lines = openSnapshotLines(folder, manifest, [FILE])(FILE)[Symbol.iterator]();
    lines.next();
    if (what !== 'is what was published') writeAt(path, at);
    expect(findFault(lines)).toBe(code);
  });
});

/** Reads to the end. Returns the code of the error. */
function findFault(lines: Iterator<Buffer>): string | undefined {
  try {
    while (lines.next().done !== true);
    return undefined;
  } catch (error) {
    return error instanceof SnapshotError ? error.code : String(error);
  }
}

function writeAt(path: string, at: number): void {
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, 'b', at);
  closeSync(descriptor);
}
