import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const shared = tmpdir();
let folder: string | undefined;

/**
 * Gives a run of the tests a folder for what they write, in place of the one that all programs share, and removes it at
 * the end: a run leaves a thousand folders. As that one it is open to every user, since some tests run the program as
 * another.
 */
export function setup(): void {
  folder = mkdtempSync(join(shared, 'deals-test-'));
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
}

export async function teardown(): Promise<void> {
  process.env['TMPDIR'] = shared;
  if (folder === undefined) return;
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    process.stderr.write(`${folder} is left behind: ${String(error)}\n`);
  }
}
