/** A file of a remote store, as a listing shows it. */
export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** By the clock of the store. */
  readonly modifiedMs: number;
}

/** The files of a remote store, by their paths below its URL. Every call may throw a RemoteError, or one of the system. */
export interface ObjectStore {
  /** For people and logs: without credentials. */
  readonly url: string;
  /** Undefined when there is no such file. @param bytes its size: a large file may take longer. Without it, it is a small one */
  get(key: string, bytes?: number): Promise<Buffer | undefined>;
  /** Stores a file in one step. With `new` it stores nothing where there is a file already, and returns false. */
  put(key: string, body: Buffer, condition?: 'new'): Promise<boolean>;
  /** A file that is not there is no error. */
  delete(key: string): Promise<void>;
  /** All files. */
  list(): Promise<readonly ListedObject[]>;
}

/** A remote store did not do what it was asked, or has something that this program cannot use. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  /** Of the answer, when it was the answer that was not expected. */
  status?: number;
}

/** A URL, a setting or a key that cannot be used. */
export class RemoteUsageError extends Error {
  override readonly name = 'RemoteUsageError';
}

export function notPublished(url: string): RemoteError {
  const remedy = 'delete it there, if it is there, and run deals push on the builder';
  return new RemoteError(`${url}: is not the file that was published; ${remedy}`);
}
