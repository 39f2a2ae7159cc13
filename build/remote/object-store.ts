/** An object while it is read. */
interface RemoteObject {
  readonly kind: 'found';
  /** Changes with the content. Absent where the store gives none. */
  readonly etag?: string;
  readonly body: AsyncIterable<Uint8Array>;
}

export type GetResult = RemoteObject | { readonly kind: 'unchanged' } | { readonly kind: 'absent' };

export interface ListedObject {
  readonly key: string;
  readonly modifiedMs: number;
}

/** The objects of a remote store, as far as servers need them. Keys are relative to its URL. */
export interface ReadableStore {
  /** For people and logs: without credentials. */
  readonly url: string;
  /**
   * @param etag of the content that the caller has: then `unchanged` is possible
   * @throws {RemoteError} also while the body is read
   */
  get(key: string, etag?: string): Promise<GetResult>;
}

export interface PutOptions {
  /** Stores nothing when there is such an object already. */
  readonly createOnly?: true;
  readonly contentType: string;
  /** Caches may keep it for ever. */
  readonly immutable?: true;
}

/** The same with what a builder needs. */
export interface ObjectStore extends ReadableStore {
  put(key: string, body: Buffer, options: PutOptions): Promise<'stored' | 'exists'>;
  /** One request. An object that is not there is no error. */
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<ListedObject>;
}

/** Why a remote store did not do what it was asked. */
export type RemoteErrorKind =
  /** No answer, or an answer cut off; or the store says that it cannot now. It may have done it. */
  | 'unreachable'
  /** It does not let us. */
  | 'denied'
  /** It answered something else than this program can use. */
  | 'unexpected';

export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly kind: RemoteErrorKind;

  constructor(kind: RemoteErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** How often a request is sent before it counts as failed, and the longest wait before the second try. */
const MAX_TRIES = 4;
const FIRST_WAIT_MS = 500;

/**
 * Runs `work` again while the store is unreachable, after a random wait that doubles (full jitter). All requests may be
 * repeated: a create-only write that was done then finds its object there.
 */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isFinal = attempt === MAX_TRIES || !(error instanceof RemoteError) || error.kind !== 'unreachable';
      if (isFinal) throw error;
    }
    await wait(Math.random() * FIRST_WAIT_MS * 2 ** (attempt - 1));
  }
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Reads a small object. Undefined when there is none; empty when it has more than `maxBytes`, and so is none of ours. */
export async function readObject(store: ReadableStore, key: string, maxBytes: number): Promise<Buffer | undefined> {
  return withRetries(async () => {
    const object = await store.get(key);
    return object.kind === 'found' ? readSmall(object.body, maxBytes) : undefined;
  });
}

/** The bytes of a body; empty when there are more than `maxBytes`. */
export async function readSmall(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return Buffer.alloc(0);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** All objects whose key begins with `prefix`. */
export function listObjects(store: ObjectStore, prefix: string): Promise<ReadonlyMap<string, ListedObject>> {
  return withRetries(async () => {
    const found = new Map<string, ListedObject>();
    for await (const object of store.list(prefix)) found.set(object.key, object);
    return found;
  });
}
