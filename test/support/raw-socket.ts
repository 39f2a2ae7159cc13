import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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

  /** The statuses of the final answers, when there are so many, the connection is closed, or it is too late. */
  async statuses(count: number, deadlineMs: number): Promise<readonly number[]> {
    await this.#until(() => statusesOf(this.received).length >= count, deadlineMs);
    return statusesOf(this.received);
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

/** The statuses of final answers, from the lines that begin them. */
export function statusesOf(bytes: Buffer): readonly number[] {
  const heads = bytes.toString('latin1').matchAll(/(?:^|\r\n|[^\r\n])HTTP\/1\.1 ([2-5][0-9]{2}) [A-Z]/g);
  return Array.from(heads, ([, status]) => Number(status));
}
