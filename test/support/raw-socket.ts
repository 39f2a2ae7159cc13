import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A response as it came over a connection. */
export interface RawResponse {
  readonly status: number;
  /** Lower-case names, in the order of arrival. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

interface ReadResponses {
  /** The final responses, without the interim ones. */
  readonly responses: readonly RawResponse[];
  /** The statuses below 200. */
  readonly interim: readonly number[];
  /** The start of a response that is not complete yet. */
  readonly rest: Buffer;
}

const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.1 ([1-5][0-9]{2}) [\t -~]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*([\t -~\u0080-\u00ff]*)$/;

/** A connection on which a test sends bytes and reads responses. */
export class RawSocket {
  readonly #socket: Socket;
  readonly #received: Buffer[] = [];
  #isClosed = false;
  /** What waits for something to arrive, or for the end. */
  #wake: () => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.#socket.on('data', (data: Buffer) => {
      this.#received.push(data);
      this.#wake();
    });
    const close = (): void => {
      this.#isClosed = true;
      this.#wake();
    };
    // A server that refuses to read on may reset the connection.
    this.#socket.on('error', close).on('end', close).on('close', close);
  }

  get received(): Buffer {
    return Buffer.concat(this.#received);
  }

  send(piece: string | Buffer): void {
    if (this.#socket.writable) this.#socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  }

  /** Sends pieces, each in its own packet. */
  async sendAll(pieces: readonly (string | Buffer)[]): Promise<void> {
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) await sleep(1);
      this.send(piece);
    }
  }

  /** Closes the writing half: nothing more will be sent. */
  finish(): void {
    this.#socket.end();
  }

  drop(): void {
    this.#socket.destroy();
  }

  /** The responses to requests with `methods`, when they are all there, the connection is closed, or it is too late. */
  async responsesTo(methods: readonly string[], deadlineMs: number): Promise<readonly RawResponse[]> {
    await this.#until(() => readResponses(this.received, methods).responses.length >= methods.length, deadlineMs);
    return readResponses(this.received, methods, this.#isClosed).responses;
  }

  untilClosed(deadlineMs: number): Promise<boolean> {
    return this.#until(() => false, deadlineMs);
  }

  /** Whether the connection was closed by the time that something is so, or that it is too late. */
  async #until(isSo: () => boolean, deadlineMs: number): Promise<boolean> {
    const deadline = Date.now() + deadlineMs;
    while (!this.#isClosed && !isSo() && Date.now() < deadline) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, Math.max(1, deadline - Date.now()));
      });
      clearTimeout(timer);
    }
    return this.#isClosed;
  }
}

/**
 * Reads the responses to a sequence of requests, strictly: what breaks RFC 9112 is an error. What is left when a connection
 * was closed is the body of a response that has neither a length nor chunks.
 */
function readResponses(bytes: Buffer, methods: readonly string[], isClosed = false): ReadResponses {
  const responses: RawResponse[] = [];
  const interim: number[] = [];
  let at = 0;
  while (at < bytes.length) {
    const headEnd = bytes.indexOf(HEAD_END, at);
    if (headEnd === -1) break;
    const { status, headers } = readHead(bytes.toString('latin1', at, headEnd));
    const bodyStart = headEnd + HEAD_END.length;
    if (status < 200) {
      interim.push(status);
      at = bodyStart;
      continue;
    }
    const hasBody = methods[responses.length] !== 'HEAD' && status !== 204 && status !== 304;
    const body = hasBody ? readBody(bytes, bodyStart, headers, isClosed) : { data: Buffer.alloc(0), end: bodyStart };
    if (body === undefined) break;
    responses.push({ status, headers, body: body.data });
    at = body.end;
  }
  return { responses, interim, rest: bytes.subarray(at) };
}

/** The value of a header; an error when it came twice. */
export function headerOf({ headers }: Pick<RawResponse, 'headers'>, name: string): string | undefined {
  const values = headers.filter(([candidate]) => candidate === name);
  if (values.length > 1) throw new Error(`${name}: came ${values.length} times`);
  return values[0]?.[1];
}

function readHead(head: string): Pick<RawResponse, 'status' | 'headers'> {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(STATUS_LINE.exec(statusLine)?.[1] ?? 0);
  if (status === 0) throw new Error(`not a status line: ${JSON.stringify(statusLine.slice(0, 200))}`);
  const headers = lines.map((line) => {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`not a header: ${JSON.stringify(line)}`);
    return [name.toLowerCase(), value.trimEnd()] as const;
  });
  return { status, headers };
}

function readBody(
  bytes: Buffer,
  start: number,
  headers: RawResponse['headers'],
  isClosed: boolean,
): { readonly data: Buffer; readonly end: number } | undefined {
  const length = headerOf({ headers }, 'content-length');
  const coding = headerOf({ headers }, 'transfer-encoding');
  if (length !== undefined && coding !== undefined) throw new Error('both Content-Length and Transfer-Encoding');
  if (coding !== undefined) return readChunks(bytes, start);
  if (length === undefined) return isClosed ? { data: bytes.subarray(start), end: bytes.length } : undefined;
  const end = start + Number(length);
  return end > bytes.length ? undefined : { data: bytes.subarray(start, end), end };
}

function readChunks(bytes: Buffer, start: number): { readonly data: Buffer; readonly end: number } | undefined {
  const pieces: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const text = bytes.toString('latin1', at, lineEnd);
    if (!/^[0-9A-Fa-f]+$/.test(text))
      throw new Error(`not the length of a chunk: ${JSON.stringify(text.slice(0, 80))}`);
    const length = Number.parseInt(text, 16);
    const next = lineEnd + 2 + length;
    if (next + 2 > bytes.length) return undefined;
    if (bytes.toString('latin1', next, next + 2) !== '\r\n') throw new Error('a chunk that does not end with its line');
    if (length === 0) return { data: Buffer.concat(pieces), end: next + 2 };
    pieces.push(bytes.subarray(lineEnd + 2, next));
    at = next + 2;
  }
}
