import { fileURLToPath } from 'node:url';
import { FileStore } from './file-store.ts';
import { HttpStore } from './http-store.ts';
import type { ObjectStore, ReadableStore } from './object-store.ts';
import { S3Store } from './s3-store.ts';

/** How a store is reached; `environment` holds the credentials under the usual names of AWS. */
export interface RemoteAccess {
  /** The address of the service when it is not that of AWS. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A URL or a setting that cannot be used. */
export class RemoteUrlError extends Error {
  override readonly name = 'RemoteUrlError';
}

const DEFAULT_REGION = 'us-east-1';
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[A-Za-z0-9._-]+\/)*$/;

/**
 * The store at `s3://bucket/prefix`, `file:///folder`, or `https://…`, which can only be read.
 * @throws {RemoteUrlError} for any other text
 */
export function openReadableStore(text: string, access: RemoteAccess): ReadableStore {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return openStore(text, access);
  const { origin, pathname, search, hash, username } = new URL(text);
  if (search === '' && hash === '' && username === '') return new HttpStore(origin + pathname);
  throw new RemoteUrlError(`${origin}${pathname}: expected an address without a query and without a password`);
}

/** The same for a store to write to. @throws {RemoteUrlError} */
export function openStore(text: string, access: RemoteAccess): ObjectStore {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 's3:') return openS3Store(url, access);
  if (url?.protocol === 'file:' && url.hostname === '') return new FileStore(fileURLToPath(url).replace(/\/$/, ''));
  if (url?.protocol === 'https:' || url?.protocol === 'http:') {
    throw new RemoteUrlError(`${text}: servers read it, nothing can be written to it; push to s3:// or file://`);
  }
  throw new RemoteUrlError(`${text}: expected s3://bucket/prefix, file:///folder or https://host/path`);
}

function openS3Store(url: URL, { endpoint, region, environment }: RemoteAccess): S3Store {
  const bucket = url.hostname;
  const path = url.pathname.replace(/^\//, '').replace(/\/$/, '');
  const prefix = path === '' ? '' : `${path}/`;
  if (!BUCKET.test(bucket) || !PREFIX.test(prefix) || url.username !== '' || url.search !== '') {
    const expected = 's3://bucket/prefix with letters, digits, dots, hyphens and underscores';
    throw new RemoteUrlError(`s3://${bucket}${url.pathname}: expected ${expected}`);
  }
  const address = endpoint ?? environment['AWS_ENDPOINT_URL_S3'] ?? environment['AWS_ENDPOINT_URL'];
  if (address !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(address)) {
    throw new RemoteUrlError(`${address}: expected an address such as https://s3.example.com as the endpoint`);
  }
  const accessKeyId = environment['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = environment['AWS_SECRET_ACCESS_KEY'];
  const sessionToken = environment['AWS_SESSION_TOKEN'];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new RemoteUrlError(`${url.href}: no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
  }
  return new S3Store({
    bucket,
    prefix,
    endpoint: address,
    region: region ?? environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'] ?? DEFAULT_REGION,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
}
