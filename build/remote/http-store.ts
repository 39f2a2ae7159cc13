import { hash } from 'node:crypto';
import { extname } from 'node:path';
import { unescape } from 'node:querystring';
import type { AwsClient } from 'aws4fetch';
import { MEDIA_TYPE, type Format } from '../../data/field/image.ts';
import { collect, RemoteError, type ListedObject, type ObjectStore } from './object-store.ts';

/** How long a request may take, beside the time for its bytes at the slowest rate that is waited for, in bytes a millisecond. */
const REQUEST_MS = 10_000;
const SLOWEST_RATE = 50;

/** A page of a listing has at most 1,000 files. */
const MAX_TEXT_BYTES = 4_000_000;

interface HttpRequest {
  readonly method?: 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** About how many go up or come down. */
  readonly bytes?: number | undefined;
}

/** Where a store is, and who asks. */
export interface HttpPlace {
  /** For people: without credentials. */
  readonly url: string;
  /** The address of the bucket, or of the folder of a web server. */
  readonly address: string;
  /** Before every key; empty, or ending with a slash. */
  readonly prefix: string;
  /** Signs requests to S3; absent for a web server. */
  readonly client?: AwsClient;
}

/** A prefix of a bucket of an S3-compatible store, or the files of any web server or CDN, which can only be read. */
export class HttpStore implements ObjectStore {
  readonly url: string;
  readonly #place: HttpPlace;

  constructor(place: HttpPlace) {
    this.url = place.url;
    this.#place = place;
  }

  async get(key: string, bytes?: number): Promise<AsyncIterable<Uint8Array> | undefined> {
    // A cache on the way must ask whether what it has is still valid.
    const response = await this.#send(key, { headers: { 'cache-control': 'no-cache' }, bytes });
    if (response.status === 200) return readContent(this.#describe(key), response);
    const text = await this.#readText(key, response);
    if (response.status === 404 && findElement(text, 'Code') !== 'NoSuchBucket') return undefined;
    throw this.#toError(key, response, text);
  }

  async put(key: string, body: Buffer, condition?: 'new'): Promise<boolean> {
    const headers = {
      ...(key.startsWith('images/') ? pictureHeaders(key) : {}),
      ...(condition === 'new' ? { 'if-none-match': '*' } : {}),
    };
    const { status } = await this.#ask(key, { method: 'PUT', headers, body, bytes: body.length }, [200, 412]);
    return status === 200;
  }

  async delete(key: string): Promise<void> {
    await this.#ask(key, { method: 'DELETE' }, [200, 204, 404]);
  }

  async list(): Promise<readonly ListedObject[]> {
    const listed: ListedObject[] = [];
    // Without the encoding a key with a control character makes XML that is none.
    const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix: this.#place.prefix });
    for (;;) {
      const { text } = await this.#ask(`?${query.toString()}`, {}, [200]);
      for (const [item] of text.matchAll(/<Contents>.*?<\/Contents>/gs)) listed.push(this.#toListed(item));
      const token = findElement(text, 'NextContinuationToken');
      // Half a list would have files deleted that are needed.
      if (!text.includes('<ListBucketResult') || (token && token === query.get('continuation-token'))) {
        throw new RemoteError(200, `${this.url}: expected a list of files that comes to an end`);
      }
      if (token === undefined) return listed;
      query.set('continuation-token', token);
    }
  }

  #toListed(item: string): ListedObject {
    const key = unescape((findElement(item, 'Key') ?? '').replaceAll('+', ' '));
    return {
      key: key.slice(this.#place.prefix.length),
      bytes: Number(findElement(item, 'Size')),
      modifiedMs: Date.parse(findElement(item, 'LastModified') ?? ''),
    };
  }

  /** Sends a request whose answer is no file. @throws {RemoteError} when its status is none of `expected` */
  async #ask(
    target: string,
    request: HttpRequest,
    expected: readonly number[],
  ): Promise<{ readonly status: number; readonly text: string }> {
    const response = await this.#send(target, request);
    const text = await this.#readText(target, response);
    if (expected.includes(response.status)) return { status: response.status, text };
    throw this.#toError(target, response, text);
  }

  /**
   * Sends a request, which has a deadline to the end of its response. Redirects are not followed: a signature is valid for
   * one host, and so is trust.
   * @param target a key, or a query for the bucket
   */
  async #send(target: string, { method, headers, body, bytes = 0 }: HttpRequest): Promise<Response> {
    const { address, prefix, client } = this.#place;
    const url = `${address}/${target.startsWith('?') ? target : encodeURI(prefix + target)}`;
    const init = {
      method: method ?? 'GET',
      headers: { ...headers, ...(client && { 'x-amz-content-sha256': hash('sha256', body ?? '', 'hex') }) },
      ...(body && { body }),
    };
    const request = client === undefined ? new Request(url, init) : await client.sign(url, init);
    const signal = AbortSignal.timeout(REQUEST_MS + Math.ceil(bytes / SLOWEST_RATE));
    return fetch(request, { signal, redirect: 'manual' }).catch((error: unknown) => {
      throw unreachable(this.#describe(target), error);
    });
  }

  async #readText(target: string, response: Response): Promise<string> {
    const url = this.#describe(target);
    return (await collect(url, readContent(url, response), MAX_TEXT_BYTES)).toString('latin1');
  }

  #toError(target: string, { status, headers }: Response, text: string): RemoteError {
    const details = [findElement(text, 'Code'), findElement(text, 'Message'), headers.get('location')].filter(Boolean);
    const said = `the store answered ${status} ${details.join(': ')}`.trim();
    return new RemoteError(status, `${this.#describe(target)}: ${said}`);
  }

  #describe(target: string): string {
    return target.startsWith('?') ? this.url : `${this.url}/${target}`;
  }
}

/** The content of a response as it comes. @throws {RemoteError} when it is cut off or takes too long */
async function* readContent(url: string, { body }: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) yield chunk as Uint8Array;
  } catch (error) {
    throw unreachable(url, error);
  }
}

function unreachable(url: string, error: unknown): RemoteError {
  // `fetch failed` has the reason below it.
  const { cause, message, name } = error as Error;
  const isCaused = cause instanceof Error && cause.message !== '';
  const reason = name === 'TimeoutError' ? 'it took too long' : isCaused ? cause.message : message;
  return new RemoteError(0, `${url}: ${reason}`, { cause: error });
}

/** A CDN may stand before the pictures. */
function pictureHeaders(key: string): Readonly<Record<string, string>> {
  const type = MEDIA_TYPE[extname(key).slice(1) as Format];
  return { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' };
}

/** The text of the first element of a name, in the XML that such stores write: without attributes, our keys without entities. */
function findElement(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)`).exec(xml)?.[1]?.replaceAll('&amp;', '&');
}
