import { connect, type Socket } from 'node:net';

/** What came of a request; `lost` when the connection was closed before the whole answer was there. */
export type Outcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** Whether it is the last of its connection. */
      readonly close: boolean;
    }
  | { readonly kind: 'lost'; readonly byteCount: number };

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * A client's connection that asks one thing at a time and reads the answers by their length alone: a client of Node
 * would take more of the machine than the server that is asked.
 */
export class RawConnection {
  readonly #socket: Socket;
  #head = '';
  #waitingFor: ((outcome: Outcome) => void) | undefined;
  #answer: Extract<Outcome, { kind: 'answered' }> | undefined;
  #missingBytes = 0;
  #isChunked = false;
  #byteCount = 0;
  isClosed = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ port: Number(port), host: hostname, noDelay: true });
    this.#socket.on('data', (data: Buffer) => this.#take(data));
    this.#socket.on('error', () => this.#lose());
    this.#socket.on('close', () => this.#lose());
  }

  /** Sends a request; `onEnd` is told once. */
  ask(request: string, onEnd: (outcome: Outcome) => void): void {
    this.#waitingFor = onEnd;
    this.#byteCount = 0;
    if (this.isClosed) this.#lose();
    else this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(data: Buffer): void {
    this.#byteCount += data.length;
    if (this.#answer !== undefined) {
      this.#missingBytes -= data.length;
      if (this.#isChunked && endsBody(data)) this.#missingBytes = 0;
    } else {
      this.#head += data.toString('latin1');
      const headEnd = this.#head.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const head = this.#head.slice(0, headEnd);
      const status = Number(head.slice(9, 12));
      this.#isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
      const length = Number(/\r\ncontent-length: *([0-9]+)/i.exec(head)?.[1] ?? 0);
      this.#missingBytes = length - (this.#head.length - headEnd - HEAD_END.length);
      if (this.#isChunked) this.#missingBytes = endsBody(data) ? 0 : Infinity;
      const retryAfter = /\r\nretry-after: *([^\r]*)/i.exec(head)?.[1];
      this.#answer = { kind: 'answered', status, retryAfter, close: /\r\nconnection: close/i.test(head) };
      this.#head = '';
    }
    if (this.#missingBytes <= 0) this.#end(this.#answer);
  }

  #lose(): void {
    this.isClosed = true;
    this.#end({ kind: 'lost', byteCount: this.#byteCount });
  }

  #end(outcome: Outcome): void {
    const onEnd = this.#waitingFor;
    this.#waitingFor = undefined;
    this.#answer = undefined;
    onEnd?.(outcome);
  }
}

/** JSON holds no line break, so this is nothing else. */
function endsBody(data: Buffer): boolean {
  return data.subarray(-5).equals(LAST_CHUNK);
}
