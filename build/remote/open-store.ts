import { existsSync, linkSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import { replaceDurably } from '../../data/store/durable-file.ts';
import { readRegularBytes } from '../../data/store/regular-file.ts';
import { isErrorCode } from '../../data/store/system-error.ts';
import { openHttpStore } from './http-store.ts';
import { RemoteUsageError, type ObjectStore } from './object-store.ts';

const BUCKET_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._-]+)*)\/?$/;

/**
 * The store at `s3://bucket/prefix`, `file:///folder`, or `https://…`, which can only be read.
 * @param environment has the credentials under the usual names of AWS
 * @throws {RemoteUsageError} for any other text, and without credentials
 */
export function openStore(
  text: string,
  use: 'push' | 'pull',
  { endpoint, region }: { readonly endpoint?: string; readonly region?: string },
  environment: NodeJS.ProcessEnv,
): ObjectStore {
  // A password is not shown.
  const refuse = (expected: string, what = text.replace(/(?<=:\/\/)[^/]*@/, '').replace(/[?#].*/s, '')) =>
    new RemoteUsageError(`${what}: ${expected}`);
  if (text.startsWith('file:///')) return openFolderStore(fileURLToPath(text).replace(/\/$/, ''));
  // A server looks again soon.
  const tries = use === 'push' ? 4 : 1;
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) {
    if (/[?#]|:\/\/[^/]*@/.test(text)) throw refuse('expected an address without a query and without a password');
    if (use === 'push') throw refuse('servers read it, nothing can be written to it; push to s3:// or file://');
    const address = new URL(text).href.replace(/\/$/, '');
    return openHttpStore({ url: address, address, prefix: '', tries });
  }
  if (!text.startsWith('s3://')) throw refuse('expected s3://bucket/prefix, file:///folder or https://host/path');
  const [, bucket, path = ''] = BUCKET_URL.exec(text) ?? [];
  if (!bucket) throw refuse('expected s3://bucket/prefix with letters, digits, dots, hyphens and underscores');
  const service = endpoint ?? environment['AWS_ENDPOINT_URL_S3'] ?? environment['AWS_ENDPOINT_URL'];
  if (service !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(service)) {
    throw refuse('expected an address such as https://s3.example.com as the endpoint', service);
  }
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = environment;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw refuse('no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  }
  const place = region ?? environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'] ?? 'us-east-1';
  return openHttpStore({
    url: `s3://${bucket}${path}`,
    // Outside of AWS the bucket is part of the path.
    address: service ? `${service.replace(/\/$/, '')}/${bucket}` : `https://${bucket}.s3.${place}.amazonaws.com`,
    prefix: `${path}/`.slice(1),
    client: new AwsClient({
      accessKeyId,
      secretAccessKey,
      sessionToken: AWS_SESSION_TOKEN ?? '',
      service: 's3',
      region: place,
      retries: 0,
    }),
    tries,
  });
}

/** A remote store in a folder, such as a shared disk. `link(2)` is the write that never replaces. */
function openFolderStore(folder: string): ObjectStore {
  return {
    url: `file://${folder}`,
    get: async (key) => {
      const path = join(folder, key);
      return statSync(path, { throwIfNoEntry: false }) && readRegularBytes(path);
    },
    put: async (key, body, condition) => {
      const path = join(folder, key);
      // Only the last folder of the URL is created: a disk that is not mounted must not be replaced by a folder.
      if (!existsSync(folder)) mkdirSync(folder);
      mkdirSync(dirname(path), { recursive: true });
      try {
        replaceDurably(path, body, condition === 'new' ? { move: linkSync } : {});
        return true;
      } catch (error) {
        if (condition === 'new' && isErrorCode(error, 'EEXIST')) return false;
        throw error;
      }
    },
    delete: async (key) => {
      const path = join(folder, key);
      rmSync(path, { force: true });
      // The folder of a snapshot goes with its last file.
      if (readdirSync(dirname(path)).length === 0) rmdirSync(dirname(path));
    },
    list: async () => {
      const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
      // Links are not followed: what they lead to is not ours to delete.
      const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      return paths.flatMap((path) => {
        // Another push may have renamed it by now.
        const stats = statSync(path, { throwIfNoEntry: false });
        return stats ? { key: relative(folder, path), bytes: stats.size, modifiedMs: stats.mtimeMs } : [];
      });
    },
  };
}
