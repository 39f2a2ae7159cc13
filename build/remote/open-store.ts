import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import { FileStore } from './file-store.ts';
import { HttpStore } from './http-store.ts';
import type { ObjectStore } from './object-store.ts';

/** How a bucket is reached. */
export interface RemoteOptions {
  /** The address of the service when it is not that of AWS. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
}

/** A URL or a setting that cannot be used. */
class RemoteUrlError extends Error {
  override readonly name = 'RemoteUrlError';
}

/**
 * The store at `s3://bucket/prefix`, `file:///folder`, or `https://…`, which can only be read.
 * @param environment has the credentials under the usual names of AWS
 * @throws {RemoteUrlError} for any other text, and without credentials
 */
export function openStore(text: string, options: RemoteOptions, environment: NodeJS.ProcessEnv): ObjectStore {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 's3:') return openBucket(url, options, environment);
  if (url?.protocol === 'file:' && url.hostname === '') return new FileStore(fileURLToPath(url).replace(/\/$/, ''));
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new RemoteUrlError(`${text}: expected s3://bucket/prefix, file:///folder or https://host/path`);
  }
  const address = `${url.origin}${url.pathname}`;
  if (url.search === '' && url.hash === '' && url.username === '') {
    const place = address.replace(/\/$/, '');
    return new HttpStore({ url: place, address: place, prefix: '' });
  }
  throw new RemoteUrlError(`${address}: expected an address without a query and without a password`);
}

/** The same for a store to write to. @throws {RemoteUrlError} */
export function openWritableStore(text: string, options: RemoteOptions, environment: NodeJS.ProcessEnv): ObjectStore {
  if (!/^https?:/i.test(text)) return openStore(text, options, environment);
  throw new RemoteUrlError(`${text}: servers read it, nothing can be written to it; push to s3:// or file://`);
}

function openBucket(
  { hostname: bucket, pathname, username, search }: URL,
  { endpoint, region }: RemoteOptions,
  environment: NodeJS.ProcessEnv,
): ObjectStore {
  const url = `s3://${bucket}${pathname.replace(/\/$/, '')}`;
  if (
    !/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[A-Za-z0-9._-]+)*$/.test(url) ||
    username !== '' ||
    search !== ''
  ) {
    const expected = 's3://bucket/prefix with letters, digits, dots, hyphens and underscores';
    throw new RemoteUrlError(`${url}: expected ${expected}`);
  }
  const service = endpoint ?? environment['AWS_ENDPOINT_URL_S3'] ?? environment['AWS_ENDPOINT_URL'];
  if (service !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(service)) {
    throw new RemoteUrlError(`${service}: expected an address such as https://s3.example.com as the endpoint`);
  }
  const accessKeyId = environment['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = environment['AWS_SECRET_ACCESS_KEY'];
  const sessionToken = environment['AWS_SESSION_TOKEN'];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new RemoteUrlError(`${url}: no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
  }
  const place = region ?? environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'] ?? 'us-east-1';
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  return new HttpStore({
    url,
    // Outside of AWS the bucket is part of the path.
    address: service ? `${service.replace(/\/$/, '')}/${bucket}` : `https://${bucket}.s3.${place}.amazonaws.com`,
    prefix: `${pathname.replace(/\/$/, '')}/`.slice(1),
    client: new AwsClient({ ...credentials, service: 's3', region: place, retries: 0 }),
  });
}
