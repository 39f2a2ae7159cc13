import { hash } from 'node:crypto';
import { extname } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { readContent, readText, sendRequest, unexpectedAnswer } from './http-store.ts';
import { RemoteError, withRetries, type ListedObject, type ObjectStore } from './object-store.ts';

export interface S3Options {
  readonly bucket: string;
  /** Before every key; empty, or ending with a slash. */
  readonly prefix: string;
  /** The address of the service when it is not that of AWS; the bucket is then part of the path. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** About how many come down. */
  readonly bytes?: number | undefined;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};

/** A prefix of a bucket of an S3-compatible store (AWS Signature Version 4). The store checks what is uploaded. */
export class S3Store implements ObjectStore {
  readonly url: string;
  readonly #prefix: string;
  /** The address of the bucket. */
  readonly #base: string;
  readonly #client: AwsClient;

  constructor({ bucket, prefix, endpoint, region, ...credentials }: S3Options) {
    this.url = `s3://${bucket}/${prefix}`.replace(/\/$/, '');
    this.#prefix = prefix;
    this.#base =
      endpoint === undefined
        ? `https://${bucket}.s3.${region}.amazonaws.com`
        : `${endpoint.replace(/\/$/, '')}/${bucket}`;
    this.#client = new AwsClient({ ...credentials, service: 's3', region, retries: 0 });
  }

  async get(key: string, bytes?: number): Promise<AsyncIterable<Uint8Array> | undefined> {
    const response = await this.#send({ method: 'GET', key, bytes });
    if (response.status === 200) return readContent(this.#describe(key), response);
    const fault = await readText(this.#describe(key), response);
    if (response.status === 404 && findElement(fault, 'Code') !== 'NoSuchBucket') return undefined;
    throw this.#toError(key, response, fault);
  }

  async put(key: string, body: Buffer, condition?: 'new'): Promise<'stored' | 'exists'> {
    const headers = {
      'content-type': CONTENT_TYPES[extname(key)] ?? 'application/octet-stream',
      // A CDN may stand before the pictures.
      ...(key.startsWith('images/') ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}),
      ...(condition === 'new' ? { 'if-none-match': '*' } : {}),
    };
    return withRetries(async () => {
      const response = await this.#send({ method: 'PUT', key, headers, body });
      const fault = await readText(this.#describe(key), response);
      if (response.status === 200) return 'stored';
      if (response.status === 412) return 'exists';
      throw this.#toError(key, response, fault);
    });
  }

  async delete(key: string): Promise<void> {
    const response = await this.#send({ method: 'DELETE', key });
    const fault = await readText(this.#describe(key), response);
    if (![200, 204, 404].includes(response.status)) throw this.#toError(key, response, fault);
  }

  async list(prefix: string): Promise<readonly ListedObject[]> {
    const listed: ListedObject[] = [];
    let token: string | undefined;
    do {
      // Without the encoding a key with a control character makes XML that is none.
      const query = new URLSearchParams({
        'list-type': '2',
        'encoding-type': 'url',
        prefix: `${this.#prefix}${prefix}`,
      });
      if (token !== undefined) query.set('continuation-token', token);
      const page = await withRetries(async () => {
        const response = await this.#send({ method: 'GET', key: '', query: `?${query.toString()}` });
        const text = await readText(this.url, response);
        if (response.status === 200 && text.includes('<ListBucketResult')) return text;
        throw this.#toError('', response, text);
      });
      for (const [item] of page.matchAll(/<Contents>.*?<\/Contents>/gs)) listed.push(this.#toListed(item));
      const next = findElement(page, 'NextContinuationToken');
      // Half a list would have files deleted that are needed.
      if (next !== undefined && next === token) {
        throw new RemoteError('unexpected', `${this.url}: expected a list of files that comes to an end`);
      }
      token = next;
    } while (token !== undefined);
    return listed;
  }

  #toListed(item: string): ListedObject {
    return {
      key: decodeKey(findElement(item, 'Key') ?? '').slice(this.#prefix.length),
      bytes: Number(findElement(item, 'Size')),
      modifiedMs: Date.parse(findElement(item, 'LastModified') ?? ''),
    };
  }

  async #send({ method, key, query = '', headers, body, bytes }: S3Request): Promise<Response> {
    const path = key === '' ? '/' : `/${encodeURI(`${this.#prefix}${key}`)}`;
    const signed = await this.#client.sign(`${this.#base}${path}${query}`, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '', 'hex') },
      ...(body === undefined ? {} : { body }),
    });
    return sendRequest(this.#describe(key), signed, body?.length ?? bytes);
  }

  #toError(key: string, { status }: Response, fault: string): RemoteError {
    const [code, message] = [findElement(fault, 'Code') ?? '', findElement(fault, 'Message') ?? ''];
    return unexpectedAnswer(this.#describe(key), status, [code, message].filter((text) => text !== '').join(': '));
  }

  #describe(key: string): string {
    return key === '' ? this.url : `${this.url}/${key}`;
  }
}

/** The text of the first element of a name, in the XML that such stores write: without attributes, our keys without entities. */
function findElement(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`);
  const from = start + name.length + 2;
  return start === -1 ? undefined : xml.slice(from, xml.indexOf('<', from)).replaceAll('&amp;', '&');
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}
