import { RemoteError, type ReadableStore } from './object-store.ts';

/** How long a request may take, beside the time for its bytes at the slowest rate that is waited for, in bytes a millisecond. */
const REQUEST_MS = 10_000;
const SLOWEST_RATE = 50;

/** A page of a listing has at most 1,000 files. */
const MAX_TEXT_LENGTH = 4_000_000;

/**
 * Sends a request, which has a deadline to the end of its response. Redirects are not followed: a signature is valid for one
 * host, and so is trust.
 * @param url for people: without credentials
 * @param bytes about how many go up or come down
 * @throws {RemoteError} `unreachable`
 */
export async function sendRequest(url: string, request: Request, bytes = 0): Promise<Response> {
  const signal = AbortSignal.timeout(REQUEST_MS + Math.ceil(bytes / SLOWEST_RATE));
  return fetch(request, { signal, redirect: 'manual' }).catch((error: unknown) => {
    throw unreachable(url, error);
  });
}

/** The content of a response as it comes. @throws {RemoteError} `unreachable` when it is cut off or takes too long */
export async function* readContent(url: string, { body }: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) yield chunk as Uint8Array;
  } catch (error) {
    throw unreachable(url, error);
  }
}

function unreachable(url: string, error: unknown): RemoteError {
  // `fetch failed` has the reason below it.
  const { cause, message, name } = error as Error;
  const reason =
    name === 'TimeoutError'
      ? 'it took too long'
      : cause instanceof Error && cause.message !== ''
        ? cause.message
        : message;
  return new RemoteError('unreachable', `${url}: ${reason}`, { cause: error });
}

/** The text of a response that is no file; the rest of one that is far too long is not read. */
export async function readText(url: string, response: Response): Promise<string> {
  let text = '';
  for await (const chunk of readContent(url, response)) {
    text += Buffer.from(chunk).toString('latin1');
    if (text.length > MAX_TEXT_LENGTH) break;
  }
  return text;
}

/** The error of a response that the caller did not expect. @param detail what the store says itself */
export function unexpectedAnswer(url: string, status: number, detail: string): RemoteError {
  const isTemporary = (status >= 500 && status !== 501) || [408, 409, 429].includes(status);
  const isDenied = status === 401 || status === 403;
  const kind = isTemporary ? 'unreachable' : isDenied ? 'denied' : 'unexpected';
  return new RemoteError(kind, `${url}: the store answered ${status}${detail === '' ? '' : ` ${detail}`}`);
}

/** A remote store behind any web server or CDN: servers read it, nothing writes it. */
export class HttpStore implements ReadableStore {
  readonly url: string;

  constructor(url: string) {
    this.url = url.replace(/\/$/, '');
  }

  async get(key: string, bytes?: number): Promise<AsyncIterable<Uint8Array> | undefined> {
    const url = `${this.url}/${key}`;
    // A cache on the way must ask whether what it has is still valid.
    const response = await sendRequest(url, new Request(url, { headers: { 'cache-control': 'no-cache' } }), bytes);
    if (response.status === 200) return readContent(url, response);
    await readText(url, response);
    if (response.status === 404 || response.status === 410) return undefined;
    throw unexpectedAnswer(url, response.status, response.headers.get('location') ?? '');
  }
}
