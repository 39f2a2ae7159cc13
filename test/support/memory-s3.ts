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

/** What happens to a request. */
export interface Fault {
  /** Called, and awaited, before the store does anything; what it throws breaks the connection, and nothing is done. */
  readonly before?: () => unknown;
  /** The same when the store has done it: what it throws has the answer lost. */
  readonly after?: () => unknown;
  /** What comes back in place of the answer of the store, which does what is asked only when it `isDelivered`. */
  readonly answer?: { readonly status: number; readonly code?: string; readonly isDelivered?: true };
  /** The answer ends after so many bytes, and says so of itself: only a hash shows it. */
  readonly truncateAt?: number;
}

export const CUT = (): never => {
  throw new Error('cut');
};
export const HANG = (): Promise<never> => new Promise(() => {});

/** Which requests meet a fault. */
interface FaultRule extends Fault {
  readonly method?: string;
  /** Matched against the path with its query. */
  readonly path?: RegExp;
  /** Which of the requests that match, from 1. All of them by default. */
  readonly nth?: number;
}

/** A bucket of this process, and what happens to the requests for it. */
export class MemoryBucket {
  readonly objects = new Map<string, MemoryObject>();
  readonly ignoresConditions: boolean;
  /** `GET /path?query` of all requests, in the order of arrival. */
  requests: string[] = [];
  #rules: (FaultRule & { matches: number })[] = [];

  constructor({ ignoresConditions = false }: BucketOptions) {
    this.ignoresConditions = ignoresConditions;
  }

  /** Adds a rule. A request meets the first fault that applies to it. */
  inject(rule: FaultRule): void {
    this.#rules.push({ ...rule, matches: 0 });
  }

  /** Forgets the requests and the rules. */
  reset(): void {
    this.#rules = [];
    this.requests = [];
  }

  takeFault({ method = '', url = '' }: IncomingMessage): Fault {
    this.requests.push(`${method} ${url}`);
    const matching = this.#rules.filter((rule) => (rule.method ?? method) === method && (rule.path?.test(url) ?? true));
    for (const rule of matching) rule.matches += 1;
    return matching.find(({ nth, matches }) => nth === undefined || nth === matches) ?? {};
  }
}

export interface MemoryS3 extends TestStore {
  bucket(name: string): MemoryBucket;
}

interface S3Response {
  readonly status: number;
  readonly body?: string | Buffer;
}

/** Ends a continuation token: it finds a client that does not unescape the XML, or does not encode the query. */
const TOKEN_END = '&+';

/** Starts an S3 in this process that does what the remote store needs, and answers 501 to all else. */
export async function startMemoryS3({ pageSize = 1000 } = {}): Promise<MemoryS3> {
  const credentials = { accessKeyId: 'AKMEMORY', secretAccessKey: randomBytes(20).toString('hex') };
  const buckets = new Map<string, MemoryBucket>();

  const answer = async (request: IncomingMessage): Promise<S3Response> => {
    const body = Buffer.concat(await request.toArray());
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
    const [, name = '', key = ''] = /^\/([^/]*)\/?(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
    const bucket = buckets.get(name);
    if (bucket === undefined) return error(404, 'NoSuchBucket');
    const { before, after, answer: other, truncateAt } = bucket.takeFault(request);
    await before?.();
    const instead = other === undefined ? undefined : error(other.status, other.code ?? 'InternalError');
    if (instead !== undefined && other?.isDelivered !== true) return instead;
    const fault = await findFault(request, body, credentials);
    const done = fault ?? perform(request, bucket, { key, body, parameters: searchParams, pageSize });
    await after?.();
    return instead ?? { ...done, body: Buffer.from(done.body ?? '').subarray(0, truncateAt) };
  };

  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => response.writeHead(status).end(status === 204 ? undefined : body),
      // The client is gone, and nothing is stored; or a fault has cut the connection.
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    ...credentials,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: (name) => buckets.get(name) as MemoryBucket,
    createBucket: async (options = {}) => {
      const name = createBucketName();
      buckets.set(name, new MemoryBucket(options));
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

interface Asked {
  readonly key: string;
  readonly body: Buffer;
  readonly parameters: URLSearchParams;
  readonly pageSize: number;
}

function perform(request: IncomingMessage, bucket: MemoryBucket, asked: Asked): S3Response {
  const { method, headers } = request;
  const { key, body, parameters } = asked;
  if (key === '' && method === 'GET') return listObjects(bucket, asked);
  if (key === '' || parameters.size > 0) return error(501, 'NotImplemented');
  if (method === 'PUT') return putObject(bucket, key, body, headers['if-none-match']);
  if (method === 'DELETE') {
    bucket.objects.delete(key);
    return { status: 204 };
  }
  if (method !== 'GET') return error(501, 'NotImplemented');
  const found = bucket.objects.get(key)?.body;
  return found === undefined ? error(404, 'NoSuchKey') : { status: 200, body: found };
}

export function createBucketName(): string {
  return `test-${randomBytes(6).toString('hex')}`;
}

/** Signs the request again, with what its header says was signed (AWS Signature Version 4), and hashes the body. */
async function findFault(
  request: IncomingMessage,
  body: Buffer,
  credentials: StoreCredentials,
): Promise<S3Response | undefined> {
  const { method = '', url = '', headers } = request;
  const { authorization = '', host = '' } = headers;
  const [, accessKeyId = '', region = '', names = ''] =
    /Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+),/.exec(authorization) ?? [];
  if (accessKeyId !== credentials.accessKeyId) return error(403, 'InvalidAccessKeyId');
  const signed = names.split(';').filter((name) => name !== 'host' && name !== 'x-amz-date');
  const client = new AwsClient({ ...credentials, service: 's3', region });
  const again = await client.sign(`http://${host}${url}`, {
    method,
    headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
    aws: { datetime: String(headers['x-amz-date']) },
  });
  if (again.headers.get('authorization') !== authorization) return error(403, 'SignatureDoesNotMatch');
  const isWhole = headers['x-amz-content-sha256'] === createHash('sha256').update(body).digest('hex');
  return isWhole ? undefined : error(400, 'XAmzContentSHA256Mismatch');
}

function putObject(bucket: MemoryBucket, key: string, body: Buffer, condition?: string): S3Response {
  const { objects, ignoresConditions } = bucket;
  if (condition === '*' && objects.has(key) && !ignoresConditions) return error(412, 'PreconditionFailed');
  objects.set(key, { body, modified: new Date() });
  return { status: 200 };
}

/** ListObjectsV2, in the order of the keys. */
function listObjects({ objects }: MemoryBucket, { parameters, pageSize }: Asked): S3Response {
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
