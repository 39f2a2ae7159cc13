import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server, and what went over them: a little work for each connection, none for a request. */
export class ConnectionCounts {
  readonly #open = new Set<Socket>();
  #accepted = 0;
  #receivedOnClosed = 0;
  #sentOnClosed = 0;

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#accepted++;
      this.#open.add(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#receivedOnClosed += socket.bytesRead;
        this.#sentOnClosed += socket.bytesWritten;
      });
    });
  }

  get open(): number {
    return this.#open.size;
  }

  get accepted(): number {
    return this.#accepted;
  }

  get receivedBytes(): number {
    return Array.from(this.#open, (socket) => socket.bytesRead).reduce(add, this.#receivedOnClosed);
  }

  get sentBytes(): number {
    return Array.from(this.#open, (socket) => socket.bytesWritten).reduce(add, this.#sentOnClosed);
  }
}

const add = (a: number, b: number): number => a + b;
