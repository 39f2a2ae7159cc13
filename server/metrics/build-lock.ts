import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How long a build has held the store; undefined when none does. Also of one that was killed, until the next takes over. */
export async function findLockAgeSeconds(store: string, now: Date): Promise<number | undefined> {
  const lock = join(store, 'build.lock');
  try {
    const { mtimeMs } = await stat(lock);
    // An empty folder is what is left of a lock that was given back.
    return (await readdir(lock)).length === 0 ? undefined : Math.max(0, (now.getTime() - mtimeMs) / 1_000);
  } catch {
    return undefined;
  }
}
