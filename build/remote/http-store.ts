import { hash } from 'node:crypto';
import { extname } from 'node:path';
import { unescape } from 'node:querystring';
import { setTimeout as wait } from 'node:timers/promises';
import type { AwsClient } from 'aws4fetch';
import { MEDIA_TYPE, type Format } from '../../data/field/image.ts';
import { notPublished, RemoteError, type ListedObject, type ObjectStore } from './object-store.ts';

/** How long a request may take, beside the time for its bytes at the slowest rate that is waited for, in bytes a millisecond. */
const REQUEST_MS = 10_000;
const SLOWEST_RATE = 50;

/** Far more than a file has whose size is not known before. */
const MAX_SMALL_BYTES = 64 * 1024 * 1024;

/** What is waited for before a request is sent again: a random time below this, which doubles. */
const FIRST_WAIT_MS = 500;

/** Where a store is, and who asks. */
interface HttpPlace {
  readonly url: string;
  /** The address of the bucket, or of the folder of a web server. */
  readonly address: string;
  /** Before every key; empty, or ending with a slash. */
  readonly prefix: string;
  /** Signs requests to S3; absent for a web server. */
  readonly client?: AwsClient;
  /** How often it asks while the store is unreachable. */
  readonly tries: number;
}

/** A prefix of a bucket of an S3-compatible store, or the files of any web server or CDN, which can only be read. */
export function openHttpStore(place: HttpPlace): ObjectStore {
  const { url, prefix } = place;
  return {
    url,
    get: async (key, bytes) => {
      // A cache on the way must ask whether what it has is still valid.
      const headers = { 'cache-control': 'no-cache' };
      const { status, content } = await ask(place, key, { headers, bytes }, [200, 404]);
      return status === 200 ? content : undefined;
    },
    put: async (key, body, condition) => {
      const headers = {
        // A CDN may stand before the pictures.
        ...(key.startsWith('images/') && {
          'content-type': MEDIA_TYPE[extname(key).slice(1) as Format],
          'cache-control': 'public, max-age=31536000, immutable',
        }),
        ...(condition === 'new' && { 'if-none-match': '*' }),
      };
      return (await ask(place, key, { method: 'PUT', headers, body }, [200, 412])).status === 200;
    },
    delete: async (key) => void (await ask(place, key, { method: 'DELETE' }, [200, 204, 404])),
    list: async () => {
      const listed: ListedObject[] = [];
      // Without the encoding a key with a control character makes XML that is none.
      const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix });
      for (;;) {
        const text = (await ask(place, `?${query.toString()}`, {}, [200])).content.toString('latin1');
        for (const [item] of text.matchAll(/<Contents>.*?<\/Contents>/gs)) {
          const key = unescape((findElement(item, 'Key') ?? '').replaceAll('+', ' ')).slice(prefix.length);
          const modifiedMs = Date.parse(findElement(item, 'LastModified') ?? '');
          listed.push({ key, bytes: Number(findElement(item, 'Size')), modifiedMs });
        }
        const token = findElement(text, 'NextContinuationToken');
        // Half a list would have files deleted that are needed.
        if (!text.includes('</ListBucketResult>') || (token && token === query.get('continuation-token'))) {
          throw new RemoteError(`${url}: expected a list of files that comes to an end`);
        }
        if (token === undefined) return listed;
        query.set('continuation-token', token);
      }
    },
  };
}

interface HttpRequest {
  readonly method?: 'GET' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** How many are expected to come. */
  readonly bytes?: number | undefined;
}

/** @param target a key, or a query for the bucket @throws {RemoteError} when the status is none of `expected` */
async function ask(place: HttpPlace, target: string, request: HttpRequest, expected: readonly number[]) {
  const { url, prefix, address, tries } = place;
  const [shown, path] = target.startsWith('?') ? [url, target] : [`${url}/${target}`, encodeURI(prefix + target)];
  for (let attempt = 1; ; attempt++) {
    const { status, fault, content } = await send(place, `${address}/${path}`, request);
    if (content === undefined) throw notPublished(shown);
    if (expected.includes(status) && !fault.includes('NoSuchBucket')) return { status, content };
    const isTemporary = [0, 408, 409, 429].includes(status) || (status >= 500 && status !== 501);
    if (!isTemporary || attempt >= tries) throw Object.assign(new RemoteError(`${shown}: ${fault}`), { status });
    await wait(Math.random() * FIRST_WAIT_MS * 2 ** (attempt - 1));
  }
}

/**
 * Sends a request, which has a deadline to the end of its response. Redirects are not followed: a signature is valid for one host,
 * and so is trust. The status is 0 without an answer in time, or with one that is cut off. Too long an answer has no content.
 */
async function send({ client }: HttpPlace, url: string, { method = 'GET', headers, body, bytes = 0 }: HttpRequest) {
  const signed = client && { 'x-amz-content-sha256': hash('sha256', body ?? '', 'hex') };
  const init = { method, headers: { ...headers, ...signed }, ...(body && { body }) };
  const deadlineMs = REQUEST_MS + Math.ceil((bytes + (body?.length ?? 0)) / SLOWEST_RATE);
  try {
    const request = client === undefined ? new Request(url, init) : await client.sign(url, init);
    const response = await fetch(request, { signal: AbortSignal.timeout(deadlineMs), redirect: 'manual' });
    const { status } = response;
    const chunks: Uint8Array[] = [];
    let left = (status === 200 && bytes) || MAX_SMALL_BYTES;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      left -= chunk.length;
      if (left < 0) return { status, fault: '', content: undefined };
      chunks.push(chunk);
    }
    const content = Buffer.concat(chunks);
    const text = status === 200 ? '' : content.toString('latin1');
    const details = [findElement(text, 'Code'), findElement(text, 'Message'), response.headers.get('location')];
    return { status, content, fault: `the store answered ${status} ${details.filter(Boolean).join(': ')}`.trim() };
  } catch (error) {
    // `fetch failed` has the reason below it.
    const { cause, message, name } = error as Error;
    const isCaused = cause instanceof Error && cause.message !== '';
    const fault = name === 'TimeoutError' ? 'it took too long' : isCaused ? cause.message : message;
    return { status: 0, content: Buffer.alloc(0), fault };
  }
}

/** The text of the first element of a name, in the XML that such stores write: without attributes, our keys without entities. */
function findElement(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)`).exec(xml)?.[1]?.replaceAll('&amp;', '&');
}
