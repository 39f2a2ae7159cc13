import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describeError, type Log } from '../log.ts';

/** Longest time a stopping server waits for the answers it is sending. */
const DRAIN_MS = 8_000;
/** How often a stopping server looks for connections that have nothing to send any more. */
const IDLE_SWEEP_MS = 100;

/** How often connections are compared with their deadlines. */
const SWEEP_MS = 500;
/** A reader has this long to take what waits for it, and a second more for every so many bytes of it. */
const GRACE_MS = 10_000;
const MIN_BYTES_PER_SECOND = 10_000;
/** A peer has this long to close a connection on which the server has said its last word. */
const LINGER_MS = 1_500;

/** Pipelined requests that a connection may have waiting. A packet of 64 KB holds up to 3,000 of 2 KB and 20 µs each. */
const MAX_WAITING = 300;

/** What a parser of Node is told of a request after which nothing more is to be parsed, as after one for a tunnel. */
const PARSE_NO_MORE = 2;

/** At most one line in this time about connections beyond the most there may be. */
const DROPPED_LOG_MS = 10_000;

/** What becomes of connections every day. */
const ORDINARY_ERRORS: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED']);

/** Starts listening. @throws {Error} with `code` `EADDRINUSE` and the like when the port cannot be had */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

/** A request and its response. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export interface ConnectionLimits {
  /** Connections at one time; any more are closed as they come. */
  readonly maxConnections: number;
  /** The same from one address, other than those of this machine. */
  readonly maxConnectionsPerAddress: number;
}

interface Connection {
  /** The last request that arrived. Answers are sent in order, so all are sent when this one is. */
  last: Exchange | undefined;
  /** Requests that arrived while the one before was being answered. */
  readonly waiting: Exchange[];
  /** Whether Node has let go of it: nothing tells any more when there is room for more of an answer. */
  isDetached: boolean;
  /** Bytes that the system had taken when it was last looked at, and for how long it has taken no more. */
  takenBytes: number;
  waitedMs: number;
}

/**
 * The connections of a server. Whatever a connection asks for, it gets one answer at a time, is read no further while
 * requests wait, and is reset when its peer does not take what is sent or does not close what has ended. A fault of a
 * connection ends that connection alone.
 */
export class OpenConnections {
  readonly #server: Server;
  readonly #log: Log;
  readonly #limits: ConnectionLimits;
  readonly #connections = new Map<Duplex, Connection>();
  readonly #perGroup = new Map<string, number>();
  readonly #sweep: NodeJS.Timeout;
  #sweptAt = performance.now();
  #droppedLoggedAt = -Infinity;
  #isClosing = false;

  constructor(server: Server, limits: ConnectionLimits, log: Log) {
    this.#server = server;
    this.#limits = limits;
    this.#log = log;
    server.maxConnections = limits.maxConnections;
    // The most headers are compared in `checks.ts`: Node would leave out the rest without a word.
    server.maxHeadersCount = 0;
    server.on('connection', (socket: Socket) => this.#open(socket));
    server.on('drop', () => this.#logDropped());
    this.#sweep = setInterval(() => this.#closeOverdue(), SWEEP_MS).unref();
    server.on('close', () => clearInterval(this.#sweep));
  }

  /** Has a listener answer every request, one at a time for each connection. */
  serve(listener: RequestListener): void {
    const take = (req: IncomingMessage, res: ServerResponse): void => this.#take({ req, res }, listener);
    this.#server.on('request', take);
    // An `Expect` that nobody knows may be ignored (RFC 9110 §10.1.1); Node would answer it by itself.
    this.#server.on('checkExpectation', take);
    this.#server.on('checkContinue', (req, res) => {
      res.writeContinue();
      take(req, res);
    });
  }

  /** The last request of a connection, if there was one. */
  findLast(socket: Duplex): Exchange | undefined {
    return this.#connections.get(socket)?.last;
  }

  /** Tells of a connection that Node has handed over: it is closed soon, whatever is left to be sent. */
  detach(socket: Duplex): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined) connection.isDetached = true;
  }

  /** Runs what answers a connection outside of HTTP; a fault in it ends that connection alone. */
  guard(socket: Duplex, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#log({ event: 'connection-failed', cause: describeError(error) });
      socket.destroy();
    }
  }

  /**
   * Stops listening and resolves when every connection is closed: one with answers after the last of them, any other
   * after a moment, in which a request that was on its way is answered. Answers that take too long are cut off.
   */
  close(): Promise<void> {
    this.#isClosing = true;
    for (const { last } of this.#connections.values()) if (last !== undefined) announceEnd(last.res);
    return new Promise((resolve) => {
      const deadline = setTimeout(() => this.#closeAll(), DRAIN_MS);
      const sweep = setInterval(() => this.#closeIdle(), IDLE_SWEEP_MS);
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

  #open(socket: Socket): void {
    // Node takes its own listener away from a socket that it hands over: without another a reset would end the process.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!ORDINARY_ERRORS.has(error.code)) this.#log({ event: 'connection-failed', cause: describeError(error) });
      socket.destroy();
    });
    const group = groupOf(socket.remoteAddress);
    if (group !== undefined && !this.#admit(group, socket)) return;
    const connection: Connection = { last: undefined, waiting: [], isDetached: false, takenBytes: 0, waitedMs: 0 };
    this.#connections.set(socket, connection);
    // Node reads on when a request before has been answered.
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      this.#connections.delete(socket);
      connection.waiting.length = 0;
    });
    stopParsingWhenDestroyed(socket);
  }

  /** Counts a connection of an address, or closes it. */
  #admit(group: string, socket: Socket): boolean {
    const count = this.#perGroup.get(group) ?? 0;
    if (count >= this.#limits.maxConnectionsPerAddress) {
      socket.destroy();
      this.#logDropped();
      return false;
    }
    this.#perGroup.set(group, count + 1);
    socket.once('close', () => {
      const left = (this.#perGroup.get(group) ?? 1) - 1;
      if (left === 0) this.#perGroup.delete(group);
      else this.#perGroup.set(group, left);
    });
    return true;
  }

  #take(exchange: Exchange, listener: RequestListener): void {
    const { req, res } = exchange;
    const { socket } = req;
    const connection = this.#connections.get(socket);
    // The rest of a packet, of which a request before ended the connection.
    if (connection === undefined || socket.destroyed) return;
    if (this.#isClosing) announceEnd(res);
    const before = connection.last;
    connection.last = exchange;
    if (before === undefined || isFinished(before.res)) {
      listener(req, res);
      return;
    }
    if (connection.waiting.length >= MAX_WAITING) {
      socket.resetAndDestroy();
      return;
    }
    if (connection.waiting.push(exchange) > 1) return;
    socket.pause();
    this.#serveNextAfter(before.res, socket, connection, listener);
  }

  /** Each in a round of the event loop of its own, so that those who ask for one thing at a time get their turn. */
  #serveNextAfter(before: ServerResponse, socket: Socket, connection: Connection, listener: RequestListener): void {
    const serveNext = (): void => {
      const next = connection.waiting.shift();
      if (next === undefined) return;
      if (connection.waiting.length > 0) this.#serveNextAfter(next.res, socket, connection, listener);
      else socket.resume();
      listener(next.req, next.res);
    };
    before.once('close', () => setImmediate(serveNext));
  }

  /** Resets what its peer does not read, and closes what its peer does not close. */
  #closeOverdue(): void {
    const now = performance.now();
    // A pause of the machine is not the fault of a reader.
    const elapsedMs = Math.min(now - this.#sweptAt, 2 * SWEEP_MS);
    this.#sweptAt = now;
    for (const [duplex, connection] of this.#connections) {
      const socket = duplex as Socket;
      const unsentBytes = socket.writableLength;
      if (unsentBytes === 0 && !socket.writableFinished && !connection.isDetached) {
        connection.waitedMs = 0;
        continue;
      }
      const takenBytes = socket.bytesWritten - unsentBytes;
      connection.waitedMs = takenBytes > connection.takenBytes ? 0 : connection.waitedMs + elapsedMs;
      connection.takenBytes = takenBytes;
      const allowedMs = unsentBytes === 0 ? LINGER_MS : GRACE_MS + (unsentBytes / MIN_BYTES_PER_SECOND) * 1_000;
      if (connection.waitedMs <= allowedMs) continue;
      // One that is only closed stays with the system for minutes, with up to 4 MB that its reader has not taken: three
      // hundred of them used up the memory that the system has for all connections.
      if (unsentBytes > 0) socket.resetAndDestroy();
      else socket.destroy();
    }
  }

  /** Tells that there are more connections than there may be, and not of each: those who overwhelm us would fill the log. */
  #logDropped(): void {
    if (performance.now() - this.#droppedLoggedAt < DROPPED_LOG_MS) return;
    this.#droppedLoggedAt = performance.now();
    const { maxConnections, maxConnectionsPerAddress } = this.#limits;
    this.#log({ event: 'connections-dropped', maxConnections, maxConnectionsPerAddress });
  }

  /** Also those that HTTP no longer counts as its own, such as one that asked for a tunnel. */
  #closeAll(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  #closeIdle(): void {
    for (const [socket, { last }] of this.#connections) {
      if (last === undefined || isFinished(last.res)) (socket as Socket).destroySoon();
    }
  }
}

/** The parser of a connection, as far as Node has it. */
interface Parser {
  onIncoming?: ((req: IncomingMessage, shouldKeepAlive: boolean) => number) | null;
}

/**
 * Node parses the whole of a packet before it looks at anything else, also when the connection was reset within
 * it: a hundred such packets kept new connections waiting for ten seconds. It has no way to stop that but
 * this, which is not documented; where a Node does without `onIncoming` the packet is parsed to its end.
 */
function stopParsingWhenDestroyed(socket: Socket): void {
  const { parser } = socket as Socket & { readonly parser?: Parser | null };
  const onIncoming = parser?.onIncoming;
  if (parser === undefined || parser === null || typeof onIncoming !== 'function') return;
  parser.onIncoming = (req, shouldKeepAlive) => (socket.destroyed ? PARSE_NO_MORE : onIncoming(req, shouldKeepAlive));
}

function isFinished(res: ServerResponse): boolean {
  return res.writableFinished || res.destroyed;
}

/** Has the client know that this is the last answer of its connection, if it can still be told. */
function announceEnd(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

/**
 * Under what a connection is counted: its address, of IPv6 the network of 64 bits that one customer has. Undefined for an
 * address of this machine, on which a proxy speaks for many.
 */
function groupOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const text = address.replace(/^::ffff:(?=[0-9.]+$)/, '');
  if (text.startsWith('127.') || text === '::1') return undefined;
  if (!text.includes(':')) return text;
  const [before = [], after = []] = text.split('::').map((half) => half.split(':'));
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
