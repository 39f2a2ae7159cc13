/** A file of a remote store, as a listing shows it. */
export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** By the clock of the store. */
  readonly modifiedMs: number;
}

/** The files of a remote store, as far as servers need them. Keys are paths below its URL. */
export interface ReadableStore {
  /** For people and logs: without credentials. */
  readonly url: string;
  /**
   * The content of a file as it comes; undefined when there is no such file. One request.
   * @param bytes about how many are expected: a large file may take longer
   * @throws {RemoteError} also while the content is read
   */
  get(key: string, bytes?: number): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** The same with what a builder needs. */
export interface ObjectStore extends ReadableStore {
  /**
   * Stores a file in one step.
   * @param condition `new` stores nothing where there is a file already
   */
  put(key: string, body: Buffer, condition?: 'new'): Promise<'stored' | 'exists'>;
  /** A file that is not there is no error. */
  delete(key: string): Promise<void>;
  list(prefix: string): Promise<readonly ListedObject[]>;
}

/** Why a remote store did not do what it was asked. */
export type RemoteErrorKind =
  /** No answer in time, an answer cut off, or the store cannot now. It may have done it. */
  | 'unreachable'
  /** It does not let us. */
  | 'denied'
  /** It has something else than this program can use. */
  | 'unexpected';

export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly kind: RemoteErrorKind;

  constructor(kind: RemoteErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

const MAX_TRIES = 4;
const FIRST_WAIT_MS = 500;

/** Runs `work` again while the store is unreachable, after a random wait that doubles (full jitter). */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isTemporary = error instanceof RemoteError && error.kind === 'unreachable';
      if (!isTemporary || attempt === MAX_TRIES) throw error;
    }
    await wait(Math.random() * FIRST_WAIT_MS * 2 ** (attempt - 1));
  }
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/**
 * Reads a file that is small when it is ours; undefined when there is none.
 * @throws {RemoteError} `unexpected` when it has more than `maxBytes`
 */
export async function readSmall(store: ReadableStore, key: string, maxBytes: number): Promise<Buffer | undefined> {
  const body = await store.get(key);
  if (body === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes)
      throw new RemoteError('unexpected', `${store.url}/${key}: is longer than such a file can be`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
