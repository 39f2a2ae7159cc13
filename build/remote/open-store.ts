import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { FileStore } from './file-store.ts';
import { HttpStore } from './http-store.ts';
import { RemoteError, type ObjectStore, type ReadableStore } from './object-store.ts';
import { parseRemote } from './remote-format.ts';
import { S3Store, type S3Credentials } from './s3-store.ts';

/** How a store is reached; `environment` holds the credentials under the usual names of AWS. */
export interface RemoteAccess {
  /** The address of the service when it is not that of AWS. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
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
  const url = parseStoreUrl(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return openStore(text, access);
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new RemoteUrlError(
      `${url.origin}${url.pathname}: expected an address without a query and without a password`,
    );
  }
  return new HttpStore(url.href);
}

/** The same for a store to write to. @throws {RemoteUrlError} */
export function openStore(text: string, access: RemoteAccess): ObjectStore {
  const url = parseStoreUrl(text);
  switch (url.protocol) {
    case 's3:':
      return openS3Store(url, access);
    case 'file:':
      if (url.hostname !== '') throw new RemoteUrlError(`${text}: expected file:/// and the path of a folder`);
      return new FileStore(fileURLToPath(url).replace(/\/$/, ''));
    case 'https:':
    case 'http:':
      throw new RemoteUrlError(`${text}: servers read it, nothing can be written to it; push to s3:// or file://`);
    default:
      throw new RemoteUrlError(`${text}: expected s3://bucket/prefix, file:///folder or https://host/path`);
  }
}

function parseStoreUrl(text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw new RemoteUrlError(`${text}: expected s3://bucket/prefix, file:///folder or https://host/path`);
}

function openS3Store(url: URL, { endpoint, region, environment, now }: RemoteAccess): S3Store {
  const bucket = url.hostname;
  const path = url.pathname.replace(/^\//, '').replace(/\/$/, '');
  const prefix = path === '' ? '' : `${path}/`;
  if (!BUCKET.test(bucket) || !PREFIX.test(prefix) || url.username !== '' || url.search !== '') {
    throw new RemoteUrlError(
      `s3://${bucket}${url.pathname}: expected s3://bucket/prefix with letters, digits, dots, hyphens and underscores`,
    );
  }
  const address = endpoint ?? environment['AWS_ENDPOINT_URL_S3'] ?? environment['AWS_ENDPOINT_URL'];
  if (address !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(address)) {
    throw new RemoteUrlError(`${address}: expected an address such as https://s3.example.com as the endpoint`);
  }
  return new S3Store({
    bucket,
    prefix,
    endpoint: address,
    region: region ?? environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'] ?? DEFAULT_REGION,
    findCredentials: () => findCredentials(environment),
    now,
  });
}

const credentialsSchema = z.object({
  AccessKeyId: z.string().min(1),
  SecretAccessKey: z.string().min(1),
  SessionToken: z.string().optional(),
});

const COMMAND_TIMEOUT_MS = 30_000;

/** The credentials of the environment, or those that a command prints as JSON, as a `credential_process` of AWS does. */
async function findCredentials(environment: RemoteAccess['environment']): Promise<S3Credentials> {
  const command = environment['DEALS_S3_CREDENTIALS_COMMAND'];
  if (command !== undefined && command !== '') return runCredentialsCommand(command);
  const accessKeyId = environment['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = environment['AWS_SECRET_ACCESS_KEY'];
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return createCredentials(accessKeyId, secretAccessKey, environment['AWS_SESSION_TOKEN']);
  }
  throw new RemoteError(
    'denied',
    'no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or DEALS_S3_CREDENTIALS_COMMAND',
  );
}

async function runCredentialsCommand(command: string): Promise<S3Credentials> {
  const run = promisify(execFile);
  // What it prints is secret, and so may be the command: neither is part of an error.
  const { stdout } = await run('/bin/sh', ['-c', command], { timeout: COMMAND_TIMEOUT_MS }).catch((error: unknown) => {
    const { code } = error as { readonly code?: number | string | null };
    throw new RemoteError('denied', `DEALS_S3_CREDENTIALS_COMMAND failed (${code ?? 'it took too long'})`);
  });
  const found = parseRemote(credentialsSchema, stdout);
  if (found === undefined) {
    const expected = '{"AccessKeyId": …, "SecretAccessKey": …}';
    throw new RemoteError('denied', `DEALS_S3_CREDENTIALS_COMMAND: expected ${expected}, got something else`);
  }
  return createCredentials(found.AccessKeyId, found.SecretAccessKey, found.SessionToken);
}

function createCredentials(accessKeyId: string, secretAccessKey: string, sessionToken?: string): S3Credentials {
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}
