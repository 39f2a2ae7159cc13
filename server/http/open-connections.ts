import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** Longest time a stopping server waits for the answers it is sending. */
const DRAIN_MS = 8_000;
/** How often it looks for connections that have nothing to send any more. */
const SWEEP_MS = 100;

/** The connections of a server with the last answer of each, so that it can be stopped without cutting one short. */
export class OpenConnections {
  readonly #server: Server;
  /** A connection sends its answers in order, so that all of them are sent when the last one is. */
  readonly #lastAnswers = new Map<Socket, ServerResponse | undefined>();
  #isClosing = false;

  /** To be made before there are other listeners: what it does to an answer comes before anything is sent of it. */
  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#lastAnswers.set(socket, undefined);
      socket.once('close', () => this.#lastAnswers.delete(socket));
    });
    server.on('request', (req, res) => {
      this.#lastAnswers.set(req.socket, res);
      if (this.#isClosing) announceEnd(res);
    });
  }

  /**
   * Stops listening and resolves when every connection is closed: one with answers after the last of them, any other
   * after a moment, in which a request that was on its way is answered. Answers that take too long are cut off.
   */
  close(): Promise<void> {
    this.#isClosing = true;
    for (const res of this.#lastAnswers.values()) if (res !== undefined) announceEnd(res);
    return new Promise((resolve) => {
      const deadline = setTimeout(() => this.#closeAll(), DRAIN_MS);
      const sweep = setInterval(() => this.#closeIdle(), SWEEP_MS);
      // That of HTTP destroys connections, also such that an answer was written to and not sent yet.
      NetServer.prototype.close.call(this.#server, () => {
        clearTimeout(deadline);
        clearInterval(sweep);
        // By now there are none, and it ends the timer that looks for slow ones.
        this.#server.close();
        resolve();
      });
    });
  }

  /** Also those that HTTP no longer counts as its own, such as one that asked for another protocol. */
  #closeAll(): void {
    for (const socket of this.#lastAnswers.keys()) socket.destroy();
  }

  #closeIdle(): void {
    for (const [socket, res] of this.#lastAnswers) {
      if (res === undefined || res.writableFinished || res.destroyed) socket.destroySoon();
    }
  }
}

/** Has the client know that this is the last answer of its connection, if it can still be told. */
function announceEnd(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
