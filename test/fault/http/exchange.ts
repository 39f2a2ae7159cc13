import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAnswers, type ReadAnswer } from './read-answers.ts';

export interface Exchanged {
  readonly bytes: Buffer;
  /** Whether the server closed the connection, or the deadline did. */
  readonly isClosed: boolean;
}

/**
 * Sends pieces, one after another as packets of their own, and says that it was all. Reads until the server closes the
 * connection, at the latest after `deadlineMs`.
 */
export async function exchange(
  port: number,
  pieces: readonly (string | Buffer)[],
  deadlineMs: number,
): Promise<Exchanged> {
  const conversation = new Conversation(port);
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) await sleep(1);
    conversation.send(piece);
  }
  conversation.finish();
  const isClosed = await conversation.untilClosed(deadlineMs);
  conversation.drop();
  return { bytes: conversation.received, isClosed };
}

/** A connection on which one says something and listens. */
export class Conversation {
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

  /** Says that nothing more will be sent. */
  finish(): void {
    this.#socket.end();
  }

  drop(): void {
    this.#socket.destroy();
  }

  /** The answers to requests with `methods`, when they are all there, the connection is closed, or it is too late. */
  async answersTo(methods: readonly string[], deadlineMs: number): Promise<readonly ReadAnswer[]> {
    await this.#until(() => readAnswers(this.received, methods).answers.length >= methods.length, deadlineMs);
    return readAnswers(this.received, methods, this.#isClosed).answers;
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
