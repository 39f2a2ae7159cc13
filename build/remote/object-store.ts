import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** A file of a remote store, as a listing shows it. */
export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** By the clock of the store. */
  readonly modifiedMs: number;
}

/** The files of a remote store. Keys are paths below its URL. Every call may throw a RemoteError, or one of the system. */
export interface ObjectStore {
  /** For people and logs: without credentials. */
  readonly url: string;
  /**
   * The content of a file as it comes; undefined when there is no such file.
   * @param bytes about how many are expected: a large file may take longer
   */
  get(key: string, bytes?: number): Promise<AsyncIterable<Uint8Array> | undefined>;
  /**
   * Stores a file in one step.
   * @param condition `new` stores nothing where there is a file already, and returns false
   */
  put(key: string, body: Buffer, condition?: 'new'): Promise<boolean>;
  /** A file that is not there is no error. */
  delete(key: string): Promise<void>;
  /** All files. */
  list(): Promise<readonly ListedObject[]>;
}

/** A remote store did not do what it was asked, or has something that this program cannot use. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  /** Of the answer; 0 for none in time, and for one that was cut off: the store may have done it. */
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Reads a file that is small when it is ours; undefined when there is none. @throws {RemoteError} when it is longer */
export async function readSmall(
  store: ObjectStore,
  key: string,
  maxBytes = 64 * 1024 * 1024,
): Promise<Buffer | undefined> {
  const body = await store.get(key);
  return body && collect(`${store.url}/${key}`, body, maxBytes);
}

/** The whole of what comes. @throws {RemoteError} when it is more than `maxBytes` */
export async function collect(url: string, body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new RemoteError(200, `${url}: is longer than such a file can be`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The same store for a builder, which asks again while it is unreachable. What a builder gets is small. */
export function withRetries(store: ObjectStore): ObjectStore {
  return {
    url: store.url,
    get: async (key) => {
      const content = await retry(() => readSmall(store, key));
      return content && Readable.from([content]);
    },
    put: (...put) => retry(() => store.put(...put)),
    delete: (key) => retry(() => store.delete(key)),
    list: () => retry(() => store.list()),
  };
}

const MAX_TRIES = 4;
const FIRST_WAIT_MS = 500;

/** Waits for a random time that doubles (full jitter). */
async function retry<Result>(work: () => Promise<Result>, attempt = 1): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RemoteError) || !isTemporary(error.status) || attempt === MAX_TRIES) throw error;
  }
  await wait(Math.random() * FIRST_WAIT_MS * 2 ** (attempt - 1));
  return retry(work, attempt + 1);
}

function isTemporary(status: number): boolean {
  return [0, 408, 409, 429].includes(status) || (status >= 500 && status !== 501);
}
