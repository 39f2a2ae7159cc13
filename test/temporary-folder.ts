import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Each project of a run comes here; the first makes the folder. */
const OWN = 'DEALS_TEST_FOLDER';

const shared = tmpdir();
let folder: string | undefined;

/**
 * Gives a run of the tests a folder for what they write, in place of the one that all programs share, and removes it at
 * the end: a run leaves a thousand folders. As that one it is open to every user, since some tests run the program as
 * another.
 */
export function setup(): void {
  if (process.env[OWN] !== undefined) return;
  folder = mkdtempSync(join(shared, 'deals-test-'));
  chmodSync(folder, 0o1777);
  process.env[OWN] = folder;
  process.env['TMPDIR'] = folder;
}

export async function teardown(): Promise<void> {
  if (folder === undefined) return;
  process.env['TMPDIR'] = shared;
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    process.stderr.write(`${folder} is left behind: ${String(error)}\n`);
  }
}
