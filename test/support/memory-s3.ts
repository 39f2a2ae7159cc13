import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsClient } from 'aws4fetch';

interface StoreCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface BucketOptions {
  /** The bucket accepts `If-None-Match` of a PUT and ignores it, as many stores do. */
  readonly ignoresConditions?: boolean;
}

/** An S3 with path-style addresses: `<endpoint>/<bucket>/<key>`. Any region is accepted. */
export interface TestStore extends StoreCredentials {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly endpoint: string;
  /** Creates an empty bucket and returns its name, which no other test has. */
  createBucket(options?: BucketOptions): Promise<string>;
  stop(): Promise<void>;
}

/** What a bucket holds under a key. A test may change it. */
interface MemoryObject {
  body: Buffer;
  modified: Date;
}

export interface MemoryS3 extends TestStore {
  /** The objects of a bucket by key. */
  objects(bucket: string): Map<string, MemoryObject>;
}

interface S3Response {
  readonly status: number;
  readonly body?: string | Buffer;
}

interface Bucket extends BucketOptions {
  readonly objects: Map<string, MemoryObject>;
}

/** Ends a continuation token: it finds a client that does not unescape the XML, or does not encode the query. */
const TOKEN_END = '&+';

/** Starts an S3 in this process that does what the remote store needs, and answers 501 to all else. */
export async function startMemoryS3({ pageSize = 1000 } = {}): Promise<MemoryS3> {
  const credentials = { accessKeyId: 'AKMEMORY', secretAccessKey: randomBytes(20).toString('hex') };
  const buckets = new Map<string, Bucket>();

  const answer = async (request: IncomingMessage): Promise<S3Response> => {
    const body = Buffer.concat(await request.toArray());
    const fault = await findSignatureFault(request, credentials);
    if (fault !== undefined) return error(403, fault);
    if (request.headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) {
      return error(400, 'XAmzContentSHA256Mismatch');
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
    const [, name = '', key = ''] = /^\/([^/]*)\/?(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
    const bucket = buckets.get(name);
    if (bucket === undefined) return error(404, 'NoSuchBucket');
    if (key === '' && request.method === 'GET') return listObjects(bucket, searchParams, pageSize);
    if (key === '' || searchParams.size > 0) return error(501, 'NotImplemented');
    const { method } = request;
    if (method === 'PUT') return putObject(bucket, key, body, request.headers['if-none-match']);
    if (method === 'DELETE') {
      bucket.objects.delete(key);
      return { status: 204 };
    }
    if (method !== 'GET') return error(501, 'NotImplemented');
    const found = bucket.objects.get(key)?.body;
    return found === undefined ? error(404, 'NoSuchKey') : { status: 200, body: found };
  };

  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body = '' }) => response.writeHead(status).end(status === 204 ? undefined : body),
      // The client is gone, and nothing is stored.
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    ...credentials,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: (name) => buckets.get(name)?.objects ?? new Map(),
    createBucket: async (options = {}) => {
      const name = createBucketName();
      buckets.set(name, { ...options, objects: new Map() });
      return name;
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export function createBucketName(): string {
  return `test-${randomBytes(6).toString('hex')}`;
}

/** Signs the request again, with what its header says was signed (AWS Signature Version 4). */
async function findSignatureFault(
  request: IncomingMessage,
  credentials: StoreCredentials,
): Promise<string | undefined> {
  const { method = '', url = '', headers } = request;
  const { authorization = '', host = '' } = headers;
  const [, accessKeyId = '', region = '', names = ''] =
    /Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+),/.exec(authorization) ?? [];
  if (accessKeyId !== credentials.accessKeyId) return 'InvalidAccessKeyId';
  const signed = names.split(';').filter((name) => name !== 'host' && name !== 'x-amz-date');
  const client = new AwsClient({ ...credentials, service: 's3', region });
  const again = await client.sign(`http://${host}${url}`, {
    method,
    headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
    aws: { datetime: String(headers['x-amz-date']) },
  });
  return again.headers.get('authorization') === authorization ? undefined : 'SignatureDoesNotMatch';
}

function putObject({ objects, ignoresConditions }: Bucket, key: string, body: Buffer, condition?: string): S3Response {
  if (condition === '*' && objects.has(key) && ignoresConditions !== true) return error(412, 'PreconditionFailed');
  objects.set(key, { body, modified: new Date() });
  return { status: 200 };
}

/** ListObjectsV2, in the order of the keys. */
function listObjects({ objects }: Bucket, parameters: URLSearchParams, pageSize: number): S3Response {
  const after = parameters.get('continuation-token')?.slice(0, -TOKEN_END.length) ?? '';
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(parameters.get('prefix') ?? '') && key > after)
    .sort();
  const page = keys.slice(0, pageSize);
  const contents = page.map((key) => {
    const { body, modified } = objects.get(key) as MemoryObject;
    const size = tag('Size', String(body.length));
    return tag('Contents', tag('Key', encodeURIComponent(key)), tag('LastModified', modified.toISOString()), size);
  });
  const token = `${page.at(-1)}${TOKEN_END}`.replaceAll('&', '&amp;');
  const next = page.length < keys.length ? [tag('NextContinuationToken', token)] : [];
  return { status: 200, body: tag('ListBucketResult', ...next, ...contents) };
}

function error(status: number, code: string): S3Response {
  return { status, body: tag('Error', tag('Code', code)) };
}

function tag(name: string, ...content: readonly string[]): string {
  return `<${name}>${content.join('')}</${name}>`;
}
