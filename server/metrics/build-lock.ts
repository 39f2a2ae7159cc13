import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How long a build has held the store; undefined when none does. Also of one that was killed, until the next takes over. */
export async function findLockAgeSeconds(store: string, now: Date): Promise<number | undefined> {
  try {
    const { mtimeMs } = await stat(join(store, 'build.lock'));
    return Math.max(0, (now.getTime() - mtimeMs) / 1_000);
  } catch {
    return undefined;
  }
}
