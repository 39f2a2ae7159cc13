import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Each project of a run calls `setup`; the first makes the folder. */
const OWN = 'DEALS_TEST_FOLDER';

const MEMORY = '/dev/shm';
const MEMORY_BYTES = 2 ** 30;

const shared = tmpdir();
let folder: string | undefined;

/**
 * Gives a run of the tests a temporary folder of its own and removes it at the end: a run leaves a thousand folders.
 * Every user may write there, as in the system's folder, since some tests run the program as another user.
 */
export function setup({ vitest }: TestProject): void {
  if (process.env[OWN] !== undefined) return;
  const isUnit = vitest.projects.every(({ name }) => name === 'unit');
  folder = mkdtempSync(join(isUnit && hasMemoryFolder() ? MEMORY : shared, 'deals-test-'));
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

/** Memory has no disk to wait for: a small build syncs some thirty files, which takes longer than the build. */
function hasMemoryFolder(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_BYTES;
  } catch {
    return false;
  }
}
