import { readSmall, RemoteError, type GetResult, type ReadableStore } from './object-store.ts';

/** How long a store may send nothing. */
const IDLE_MS = 30_000;

/** What comes in this time is at least so much, unless it is the end: a byte now and then is no answer. */
const MIN_BYTES_IN_IDLE = 30_000;

/** The slowest upload that is waited for, in bytes a millisecond. */
const MIN_UPLOAD_RATE = 50;

/** An error page that is longer is not read. */
const MAX_FAULT_BYTES = 100_000;

/** A response whose body fails when the store is silent for too long, or when it is cut off. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends a request and waits for the head of the response.
 * @param url for people: without credentials
 * @throws {RemoteError} `unreachable`
 */
export async function sendRequest(url: string, request: Request, uploadBytes = 0): Promise<HttpAnswer> {
  const abort = new AbortController();
  const allowedMs = IDLE_MS + uploadBytes / MIN_UPLOAD_RATE;
  const timer = setTimeout(
    () => abort.abort(new Error(`nothing, or too little, came in ${IDLE_MS / 1_000} s`)),
    allowedMs,
  );
  // While a request is under way, its socket keeps the process alive.
  timer.unref();
  try {
    const { status, headers, body } = await fetch(request, { signal: abort.signal });
    return { status, headers, body: readWhileSent(url, body, timer) };
  } catch (error) {
    clearTimeout(timer);
    throw unreachable(url, error);
  }
}

async function* readWhileSent(
  url: string,
  body: ReadableStream<Uint8Array> | null,
  timer: NodeJS.Timeout,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.length;
      if (bytes >= MIN_BYTES_IN_IDLE) {
        bytes = 0;
        timer.refresh();
      }
      yield chunk;
    }
  } catch (error) {
    throw unreachable(url, error);
  } finally {
    clearTimeout(timer);
  }
}

function unreachable(url: string, error: unknown): RemoteError {
  // `fetch failed` has the reason below it.
  const { cause, message } = error as Error;
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
  return new RemoteError('unreachable', `${url}: ${reason}`, { cause: error });
}

/** The text of a response that is no object. */
export async function readFault({ body }: HttpAnswer): Promise<string> {
  return (await readSmall(body, MAX_FAULT_BYTES)).toString();
}

/** The error of a response that the caller did not expect. @param detail what the store says itself */
export function unexpectedAnswer(url: string, status: number, detail: string): RemoteError {
  const isTemporary = status >= 500 || status === 429 || status === 409 || status === 408;
  const isDenied = status === 401 || status === 403;
  const kind = isTemporary && status !== 501 ? 'unreachable' : isDenied ? 'denied' : 'unexpected';
  return new RemoteError(kind, `${url}: the store answered ${status}${detail === '' ? '' : ` ${detail}`}`);
}

/** An object of an answer to GET that has one. */
export function toObject({ headers, body }: HttpAnswer): GetResult {
  const etag = headers.get('etag');
  return { kind: 'found', ...(etag === null ? {} : { etag }), body };
}

/** A remote store behind any web server or CDN: servers read it, nothing writes it. */
export class HttpStore implements ReadableStore {
  readonly url: string;

  constructor(url: string) {
    this.url = url.replace(/\/$/, '');
  }

  async get(key: string, etag?: string): Promise<GetResult> {
    const url = `${this.url}/${key}`;
    // `no-cache`: a cache on the way must ask whether what it has is still valid.
    const headers = { 'cache-control': 'no-cache', ...(etag === undefined ? {} : { 'if-none-match': etag }) };
    const answer = await sendRequest(url, new Request(url, { headers }));
    if (answer.status === 200) return toObject(answer);
    await readFault(answer);
    if (answer.status === 304) return { kind: 'unchanged' };
    if (answer.status === 404 || answer.status === 410) return { kind: 'absent' };
    throw unexpectedAnswer(url, answer.status, '');
  }
}
