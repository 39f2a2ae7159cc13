import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findSignatureFault, sha256Hex, type StoreCredentials } from './aws-signature.ts';

interface BucketOptions {
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

type S3Verb = 'PUT' | 'GET' | 'HEAD' | 'DELETE' | 'LIST';

interface S3Request {
  readonly verb: S3Verb;
  readonly bucket: string;
  /** The prefix, for LIST. */
  readonly key: string;
  /** Undefined until the response is sent. */
  status?: number;
}

/** What a bucket holds under a key. A test may change it: the ETag stays that of the body that was put. */
interface MemoryObject {
  body: Buffer;
  modified: Date;
  readonly etag: string;
  /** What a GET gives back: type, encoding, `cache-control`, `x-amz-meta-*`. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface MemoryS3 extends TestStore {
  /** All requests with a good signature, in the order of arrival. */
  readonly requests: readonly S3Request[];
  /** The number of requests of a verb, also only those whose key (or prefix) matches. */
  count(verb: S3Verb, key?: RegExp): number;
  clearRequests(): void;
  /** The objects of a bucket by key. */
  objects(bucket: string): Map<string, MemoryObject>;
}

export interface MemoryS3Options {
  /** The most keys in a page of LIST; default 1,000, as in S3. */
  readonly pageSize?: number;
  /** The address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** The clock of the store: modification times, and the age of signatures. */
  readonly now?: () => Date;
}

interface Bucket extends BucketOptions {
  readonly objects: Map<string, MemoryObject>;
}

interface S3Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const LIST_PARAMETERS = ['list-type', 'encoding-type', 'prefix', 'max-keys', 'continuation-token', 'start-after'];

/** Ends a continuation token: it finds a client that does not unescape the XML, or does not encode the query. */
const TOKEN_END = '&+';

/** Starts an S3 in this process that does what the remote store needs, and answers 501 to all else. */
export async function startMemoryS3(options: MemoryS3Options = {}): Promise<MemoryS3> {
  const { pageSize = 1000, host = '127.0.0.1', now = () => new Date() } = options;
  const credentials = { accessKeyId: 'AKMEMORY', secretAccessKey: randomBytes(20).toString('hex') };
  const buckets = new Map<string, Bucket>();
  let requests: S3Request[] = [];

  const answer = async (request: IncomingMessage): Promise<S3Response> => {
    const fault = findSignatureFault(request, credentials, now());
    if (fault !== undefined) return error(403, fault);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
    const [, name = '', key = ''] = /^\/([^/]*)\/?(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
    const isList = request.method === 'GET' && key === '';
    const logged: S3Request = {
      verb: isList ? 'LIST' : (request.method as S3Verb),
      bucket: name,
      key: isList ? (searchParams.get('prefix') ?? '') : key,
    };
    requests.push(logged);
    const bucket = buckets.get(name);
    const response = bucket === undefined ? error(404, 'NoSuchBucket') : await answerSigned(request, bucket, key);
    logged.status = response.status;
    return response;

    async function answerSigned(incoming: IncomingMessage, found: Bucket, at: string): Promise<S3Response> {
      if (isList) return listObjects(found, name, searchParams, pageSize);
      if (at === '' || searchParams.size > 0) return error(501, 'NotImplemented');
      if (incoming.method === 'PUT') return putObject(incoming, found, at, now);
      if (incoming.method === 'GET' || incoming.method === 'HEAD') return getObject(incoming.headers, found, at);
      if (incoming.method !== 'DELETE') return error(501, 'NotImplemented');
      found.objects.delete(at);
      return { status: 204 };
    }
  };

  const server = createServer((request, response) => {
    // Clients correct their clock by it.
    response.setHeader('date', now().toUTCString());
    answer(request).then(
      (result) => send(request, response, result),
      // The client is gone, and nothing is stored.
      () => response.destroy(),
    );
  }).listen(0, host);
  await once(server, 'listening');

  return {
    ...credentials,
    endpoint: `http://${host}:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    count: (verb, key = /(?:)/) => requests.filter((one) => one.verb === verb && key.test(one.key)).length,
    clearRequests: () => {
      requests = [];
    },
    objects: (name) => {
      const bucket = buckets.get(name);
      if (bucket === undefined)
        throw new Error(`expected one of the buckets ${[...buckets.keys()].join()}, got ${name}`);
      return bucket.objects;
    },
    createBucket: async (bucketOptions = {}) => {
      const name = createBucketName();
      buckets.set(name, { ...bucketOptions, objects: new Map() });
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

async function putObject(request: IncomingMessage, bucket: Bucket, key: string, now: () => Date): Promise<S3Response> {
  const { headers } = request;
  if (headers['content-length'] === undefined) return error(411, 'MissingContentLength');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const hash = headers['x-amz-content-sha256'];
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256Hex(body)) return error(400, 'XAmzContentSHA256Mismatch');
  // From here to the end nothing waits: of several writers one is the first.
  if (bucket.ignoresConditions !== true) {
    const condition = headers['if-none-match'];
    if (headers['if-match'] !== undefined || (condition ?? '*') !== '*') return error(501, 'NotImplemented');
    if (condition === '*' && bucket.objects.has(key)) return error(412, 'PreconditionFailed');
  }
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  bucket.objects.set(key, { body, etag, modified: now(), headers: keptHeaders(headers) });
  return { status: 200, headers: { etag } };
}

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(?:cache-control|content-encoding|content-type|x-amz-meta-.+)$/.test(name),
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

function getObject(headers: IncomingHttpHeaders, { objects }: Bucket, key: string): S3Response {
  const object = objects.get(key);
  if (object === undefined) return error(404, 'NoSuchKey');
  const { etag } = object;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
  return {
    status: 200,
    headers: { ...object.headers, etag, 'last-modified': object.modified.toUTCString() },
    body: object.body,
  };
}

/** ListObjectsV2, in the order of the bytes of the keys. */
function listObjects({ objects }: Bucket, name: string, parameters: URLSearchParams, pageSize: number): S3Response {
  const isKnown = [...parameters.keys()].every((parameter) => LIST_PARAMETERS.includes(parameter));
  if (!isKnown || parameters.get('list-type') !== '2') return error(501, 'NotImplemented');
  const prefix = parameters.get('prefix') ?? '';
  const token = parameters.get('continuation-token');
  const after = token === null ? (parameters.get('start-after') ?? '') : token.slice(0, -TOKEN_END.length);
  const maxKeys = Math.min(Number(parameters.get('max-keys') ?? pageSize), pageSize);
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0)
    .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  const page = keys.slice(0, maxKeys);
  const isEncoded = parameters.get('encoding-type') === 'url';
  const contents = page.map((key) => {
    const { body, etag, modified } = objects.get(key) as MemoryObject;
    const time = modified.toISOString();
    return tag(
      'Contents',
      tag('Key', isEncoded ? encodeURIComponent(key) : escape(key)),
      tag('LastModified', time),
      tag('ETag', escape(etag)),
      tag('Size', String(body.length)),
    );
  });
  const isTruncated = page.length < keys.length;
  const next = tag('NextContinuationToken', escape(`${page.at(-1)}${TOKEN_END}`));
  const result = tag(
    'ListBucketResult',
    tag('Name', name),
    ...(isEncoded ? [tag('EncodingType', 'url')] : []),
    tag('Prefix', escape(prefix)),
    tag('KeyCount', String(page.length)),
    tag('MaxKeys', String(maxKeys)),
    tag('IsTruncated', String(isTruncated)),
    ...(isTruncated ? [next] : []),
    ...contents,
  );
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: result };
}

function error(status: number, code: string): S3Response {
  return { status, headers: { 'content-type': 'application/xml' }, body: tag('Error', tag('Code', code)) };
}

function tag(name: string, ...content: readonly string[]): string {
  return `<${name}>${content.join('')}</${name}>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers = {}, body }: S3Response): void {
  const bytes = Buffer.from(body ?? '');
  const length = status === 204 || status === 304 ? {} : { 'content-length': String(bytes.length) };
  response.writeHead(status, { ...headers, ...length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
