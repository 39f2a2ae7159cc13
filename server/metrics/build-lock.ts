import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * How long `build.lock` has been there; undefined when it is not. A server may not open the file, so it cannot tell whether
 * a build holds it or was killed.
 */
export async function findLockAgeSeconds(store: string, now: Date): Promise<number | undefined> {
  try {
    const { mtimeMs } = await stat(join(store, 'build.lock'));
    return Math.max(0, (now.getTime() - mtimeMs) / 1_000);
  } catch {
    return undefined;
  }
}
