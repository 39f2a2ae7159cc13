import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import { openFolderStore } from './folder-store.ts';
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
