import { randomBytes } from 'node:crypto';
import { readObject, type ObjectStore } from './object-store.ts';
import { MAX_RECORD_BYTES, PROBE_PREFIX } from './remote-format.ts';

/** The store accepts two create-only writes of one object: it cannot keep two builders apart. */
export class NoConditionsError extends Error {
  override readonly name = 'NoConditionsError';
}

/**
 * Finds out whether the store keeps its word about `If-None-Match: *`: many accept the condition and ignore it (a versioned
 * bucket of Ceph, the S3 interface of Google, several imitations).
 * @throws {NoConditionsError} when a second create-only write of one object is accepted, or changes the first
 */
export async function checkConditions(remote: ObjectStore): Promise<void> {
  const key = `${PROBE_PREFIX}${randomBytes(8).toString('hex')}`;
  const write = (text: string) => remote.put(key, Buffer.from(text), { createOnly: true, contentType: 'text/plain' });
  try {
    // A first answer may be lost: then the object is there, and that is as good.
    await write('first');
    const second = await write('second');
    const content = (await readObject(remote, key, MAX_RECORD_BYTES))?.toString();
    if (second === 'exists' && content === 'first') return;
  } finally {
    await remote.delete(key);
  }
  throw new NoConditionsError(
    `${remote.url}: the store accepts conditional writes (If-None-Match: *) and ignores them, so two builders could overwrite each other. ` +
      'Use a bucket without versioning or another store; or push --single-writer, where no other builder pushes',
  );
}
