import { hash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { SaxesParser } from 'saxes';
import { readFault, sendRequest, toObject, unexpectedAnswer, type HttpAnswer } from './http-store.ts';
import {
  readSmall,
  RemoteError,
  withRetries,
  type GetResult,
  type ListedObject,
  type ObjectStore,
  type PutOptions,
} from './object-store.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3Options {
  readonly bucket: string;
  /** Before every key; empty, or ending with a slash. */
  readonly prefix: string;
  /** The address of the service when it is not that of AWS; the bucket is then part of the path. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Called again when the store says that the credentials have expired. */
  readonly findCredentials: () => Promise<S3Credentials>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The keys of a remote store (data/spec/remote.md). Others are not ours. */
const PLAIN_KEY = /^(?:[a-z0-9-]+\/)+[a-z0-9-]+(?:\.[a-z]+)?$/;

/** A page of a listing has at most 1,000 objects, and a remote store far fewer than 2,000 pages. */
const MAX_LISTING_BYTES = 4_000_000;
const MAX_PAGES = 2_000;

/** A prefix of a bucket of an S3-compatible store (AWS Signature Version 4). The store checks what is uploaded. */
export class S3Store implements ObjectStore {
  readonly url: string;
  readonly #options: S3Options;
  /** The address of the bucket. */
  readonly #base: string;
  #client: AwsClient | undefined;
  /** How far the clock of the store is ahead of ours: known only when it has refused a request for its time. */
  #aheadMs = 0;

  constructor(options: S3Options) {
    const { bucket, prefix, endpoint, region } = options;
    this.#options = options;
    this.url = `s3://${bucket}/${prefix}`.replace(/\/$/, '');
    this.#base =
      endpoint === undefined
        ? `https://${bucket}.s3.${region}.amazonaws.com`
        : `${endpoint.replace(/\/$/, '')}/${bucket}`;
  }

  async get(key: string, etag?: string): Promise<GetResult> {
    const headers: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag };
    const answer = await this.#send({ method: 'GET', key, headers });
    if (answer.status === 200) return toObject(answer);
    const fault = await readFault(answer);
    if (answer.status === 304) return { kind: 'unchanged' };
    if (answer.status === 404 && findElement(fault, 'Code') !== 'NoSuchBucket') return { kind: 'absent' };
    throw this.#toError(key, answer, fault);
  }

  async put(key: string, body: Buffer, options: PutOptions): Promise<'stored' | 'exists'> {
    const { createOnly, contentType, immutable } = options;
    const headers = {
      'content-type': contentType,
      ...(immutable === true ? { 'cache-control': IMMUTABLE } : {}),
      ...(createOnly === true ? { 'if-none-match': '*' } : {}),
    };
    return withRetries(async () => {
      const answer = await this.#send({ method: 'PUT', key, headers, body });
      const fault = await readFault(answer);
      if (answer.status === 200) return 'stored';
      if (answer.status === 412) return 'exists';
      throw this.#toError(key, answer, fault);
    });
  }

  async delete(key: string): Promise<void> {
    const answer = await this.#send({ method: 'DELETE', key });
    const fault = await readFault(answer);
    if (![200, 204, 404].includes(answer.status)) throw this.#toError(key, answer, fault);
  }

  async *list(prefix: string): AsyncIterable<ListedObject> {
    const root = this.#options.prefix;
    let token: string | undefined;
    for (let pages = 1; pages <= MAX_PAGES; pages++) {
      // Without the encoding a key with a control character makes XML that is none.
      const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix: `${root}${prefix}` });
      if (token !== undefined) query.set('continuation-token', token);
      const answer = await this.#send({ method: 'GET', key: '', query: `?${query.toString()}` });
      if (answer.status !== 200) throw this.#toError('', answer, await readFault(answer));
      const page = parseListing(this.url, (await readSmall(answer.body, MAX_LISTING_BYTES)).toString());
      for (const { key, modifiedMs } of page.objects) {
        // In a URL, `blob/../switch` would be another object.
        const isOurs = key.startsWith(root) && PLAIN_KEY.test(key.slice(root.length));
        if (isOurs) yield { key: key.slice(root.length), modifiedMs };
      }
      if (page.nextToken === undefined) return;
      if (page.nextToken === token) break;
      token = page.nextToken;
    }
    throw new RemoteError('unexpected', `${this.url}: expected a list of objects that comes to an end`);
  }

  /** Signs and sends a request; once more when the store refuses it for its time or its credentials. */
  async #send(request: S3Request): Promise<HttpAnswer> {
    const answer = await this.#sendSigned(request);
    if (answer.status !== 403 && answer.status !== 400) return answer;
    const fault = await readFault(answer);
    if (!this.#correct(findElement(fault, 'Code'), answer)) throw this.#toError(request.key, answer, fault);
    return this.#sendSigned(request);
  }

  async #sendSigned({ method, key, query = '', headers, body }: S3Request): Promise<HttpAnswer> {
    this.#client ??= new AwsClient({
      ...(await this.#options.findCredentials()),
      service: 's3',
      region: this.#options.region,
      retries: 0,
    });
    const path = key === '' ? '/' : `/${encodeURI(`${this.#options.prefix}${key}`)}`;
    const signed = await this.#client.sign(`${this.#base}${path}${query}`, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '', 'hex') },
      ...(body === undefined ? {} : { body }),
      // A signature is valid for one host.
      redirect: 'manual',
      aws: { datetime: formatSignatureTime(this.#options.now() + this.#aheadMs) },
    });
    return sendRequest(this.#describe(key), signed, body?.length);
  }

  /** Whether a second try can succeed. */
  #correct(code: string | undefined, { headers }: HttpAnswer): boolean {
    switch (code) {
      case 'RequestTimeTooSkewed': {
        const date = Date.parse(headers.get('date') ?? '');
        if (Number.isNaN(date)) return false;
        this.#aheadMs = date - this.#options.now();
        return true;
      }
      case 'ExpiredToken':
        this.#client = undefined;
        return true;
      case undefined:
      default:
        return false;
    }
  }

  #toError(key: string, { status }: HttpAnswer, fault: string): RemoteError {
    const [code, message] = [findElement(fault, 'Code') ?? '', findElement(fault, 'Message') ?? ''];
    const detail = [code, message].filter((text) => text !== '').join(': ');
    return unexpectedAnswer(this.#describe(key), status, detail);
  }

  #describe(key: string): string {
    return key === '' ? this.url : `${this.url}/${key}`;
  }
}

/** `20261101T023000Z`. */
function formatSignatureTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[:-]|\.[0-9]{3}/g, '');
}

interface Listing {
  readonly objects: readonly ListedObject[];
  readonly nextToken: string | undefined;
}

/** A page of `ListObjectsV2`. @throws {RemoteError} when it is anything else, such as the page of a proxy */
function parseListing(url: string, xml: string): Listing {
  const objects: ListedObject[] = [];
  const texts = new Map<string, string>();
  const fault = readElements(xml, (name, text) => {
    texts.set(name, text);
    if (name !== 'Contents') return;
    objects.push({ key: texts.get('Key') ?? '', modifiedMs: Date.parse(texts.get('LastModified') ?? '') });
  });
  if (fault !== undefined || !texts.has('IsTruncated')) {
    throw new RemoteError('unexpected', `${url}: expected a list of objects, got ${fault ?? 'something else'}`);
  }
  const decode = texts.get('EncodingType') === 'url' ? decodeKey : (key: string) => key;
  return {
    objects: objects.map(({ key, modifiedMs }) => ({ key: decode(key), modifiedMs })),
    nextToken: texts.get('IsTruncated') === 'true' ? texts.get('NextContinuationToken') : undefined,
  };
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}

/** The text of an element of an error; undefined when there is none, or no XML. */
function findElement(xml: string, wanted: string): string | undefined {
  let found: string | undefined;
  readElements(xml, (name, text) => {
    if (name === wanted) found ??= text;
  });
  return found;
}

/** Calls `take` at the end of each element with the text that it ends with. Returns the first fault of what is no XML. */
function readElements(xml: string, take: (name: string, text: string) => void): string | undefined {
  const parser = new SaxesParser();
  let text = '';
  let fault: string | undefined;
  parser.on('opentag', () => (text = ''));
  parser.on('text', (part) => (text += part));
  parser.on('closetag', ({ name }) => {
    take(name, text);
    text = '';
  });
  parser.on('error', ({ message }) => (fault ??= message.slice(0, 200)));
  parser.write(xml).close();
  return fault;
}
