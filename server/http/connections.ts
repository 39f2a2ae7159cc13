import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describeError, type Log } from '../log.ts';

/** Longest time a stopping server waits for its last responses. */
const DRAIN_MS = 8_000;
/** How often a stopping server closes connections that have nothing left to send. */
const IDLE_SWEEP_MS = 100;

/** How often deadlines are checked. */
const SWEEP_MS = 500;
/** A client has this long to read what waits for it. A chunk of a long body takes a client of the lowest rate 9 seconds. */
const READ_MS = 12_000;
/** For more bytes, such as a cached response of 256 KB, it has the time of the lowest rate and a pause. */
const MIN_BYTES_PER_SECOND = 10_000;
const PAUSE_MS = 3_000;
/** A client has this long to close a connection after its last response. */
const LINGER_MS = 1_500;

/** Pipelined requests that a connection may have waiting. A packet of 64 KB holds up to 3,000 of 2 KB and 20 µs each. */
const MAX_WAITING = 300;

/** Tells a parser of Node to stop, as after an upgrade request. */
const PARSE_NO_MORE = 2;

/** At most one log line in this time about connections over the limits. */
const DROPPED_LOG_MS = 10_000;

/** Errors that are not logged. */
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
  /** Connections at one time; further ones are closed at once. */
  readonly maxConnections: number;
  /** The same from one address; addresses of this machine do not count. */
  readonly maxConnectionsPerAddress: number;
}

interface Connection {
  /** The last request that arrived. Responses are sent in order, so all are sent when its response is. */
  last: Exchange | undefined;
  /** Pipelined requests that wait for their turn. */
  readonly waiting: Exchange[];
  /** Whether Node has handed over the socket, so that HTTP events no longer come. */
  isDetached: boolean;
  /** Bytes that the system had taken at the last check, and how long it has taken no more. */
  takenBytes: number;
  waitedMs: number;
}

/**
 * The connections of a server. A connection gets one response at a time, and is not read while requests wait. It is reset
 * when the client does not read its response or does not close the connection. An error ends its own connection only.
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
    // `checks.ts` limits the headers: Node would silently drop the rest.
    server.maxHeadersCount = 0;
    // A client that closes its own direction still reads: Node would cut off a response that is not written at once.
    (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
    server.on('connection', (socket: Socket) => this.#open(socket));
    server.on('drop', () => this.#logDropped());
    this.#sweep = setInterval(() => this.#closeOverdue(), SWEEP_MS).unref();
    server.on('close', () => clearInterval(this.#sweep));
  }

  /** Passes requests to a listener, one at a time for each connection. */
  serve(listener: RequestListener): void {
    const take = (req: IncomingMessage, res: ServerResponse): void => this.#take({ req, res }, listener);
    this.#server.on('request', take);
    // An unknown `Expect` may be ignored (RFC 9110 §10.1.1); Node would respond to it.
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

  /** Marks a connection that Node has handed over: it is closed soon, even with unsent data. */
  detach(socket: Duplex): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined) connection.isDetached = true;
  }

  /** Runs code that responds outside of HTTP; an error in it ends this connection only. */
  guard(socket: Duplex, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#log({ event: 'connection-failed', cause: describeError(error) });
      socket.destroy();
    }
  }

  /**
   * Stops listening and resolves when every connection is closed: after its last response, or after a moment in which a
   * request that was on its way is answered. Responses that take too long are cut off.
   */
  close(): Promise<void> {
    this.#isClosing = true;
    for (const { last } of this.#connections.values()) if (last !== undefined) announceEnd(last.res);
    return new Promise((resolve) => {
      const deadline = setTimeout(() => this.#closeAll(), DRAIN_MS);
      const sweep = setInterval(() => this.#closeIdle(), IDLE_SWEEP_MS);
      // `close` of the HTTP server would destroy connections whose response is written and not sent yet.
      NetServer.prototype.close.call(this.#server, () => {
        clearTimeout(deadline);
        clearInterval(sweep);
        // No connection is left; this ends the timer that checks deadlines.
        this.#server.close();
        resolve();
      });
    });
  }

  #open(socket: Socket): void {
    // Node removes its own listener from a socket that it hands over; without another, a reset would end the process.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!ORDINARY_ERRORS.has(error.code)) this.#log({ event: 'connection-failed', cause: describeError(error) });
      socket.destroy();
    });
    const group = groupOf(socket.remoteAddress);
    if (group !== undefined && !this.#admit(group, socket)) return;
    const connection: Connection = { last: undefined, waiting: [], isDetached: false, takenBytes: 0, waitedMs: 0 };
    this.#connections.set(socket, connection);
    // Node resumes reading after each response.
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      this.#connections.delete(socket);
      connection.waiting.length = 0;
    });
    stopParsingWhenDestroyed(socket);
  }

  /** Counts a connection of an address, or closes it when there are too many. */
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
    // The rest of a packet after a request that ended the connection.
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

  /** Each in its own tick of the event loop, so that pipelined requests do not delay other clients. */
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

  /** Ends the connections that the client does not read or does not close in time. */
  #closeOverdue(): void {
    const now = performance.now();
    // A pause of the machine does not count as time of the client.
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
      const allowedMs = unsentBytes === 0 ? LINGER_MS : readDeadlineMs(unsentBytes);
      if (connection.waitedMs <= allowedMs) continue;
      // After a plain close the system keeps up to 4 MB of unsent data for minutes: three hundred such connections used up
      // its memory for all connections.
      if (unsentBytes > 0) socket.resetAndDestroy();
      else socket.destroy();
    }
  }

  /** Logs that connections are dropped, not each of them: an attack would fill the log. */
  #logDropped(): void {
    if (performance.now() - this.#droppedLoggedAt < DROPPED_LOG_MS) return;
    this.#droppedLoggedAt = performance.now();
    const { maxConnections, maxConnectionsPerAddress } = this.#limits;
    this.#log({ event: 'connections-dropped', maxConnections, maxConnectionsPerAddress });
  }

  /** Also connections that the HTTP server has handed over, as after CONNECT. */
  #closeAll(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  #closeIdle(): void {
    for (const [socket, { last }] of this.#connections) {
      if (last === undefined || isFinished(last.res)) (socket as Socket).destroySoon();
    }
  }
}

/** The part of Node's parser that is used here. */
interface Parser {
  onIncoming?: ((req: IncomingMessage, shouldKeepAlive: boolean) => number) | null;
}

/**
 * Node parses a whole packet even when the connection was reset within it: a hundred such packets delayed new connections
 * by ten seconds. Only this undocumented hook stops it; without `onIncoming` the packet is parsed to its end.
 */
function stopParsingWhenDestroyed(socket: Socket): void {
  const { parser } = socket as Socket & { readonly parser?: Parser | null };
  const onIncoming = parser?.onIncoming;
  if (parser === undefined || parser === null || typeof onIncoming !== 'function') return;
  parser.onIncoming = (req, shouldKeepAlive) => (socket.destroyed ? PARSE_NO_MORE : onIncoming(req, shouldKeepAlive));
}

function readDeadlineMs(unsentBytes: number): number {
  return Math.max(READ_MS, PAUSE_MS + (unsentBytes / MIN_BYTES_PER_SECOND) * 1_000);
}

function isFinished(res: ServerResponse): boolean {
  return res.writableFinished || res.destroyed;
}

/** Tells the client that this is the last response of its connection, if the headers are not sent yet. */
function announceEnd(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

/**
 * The address under which a connection is counted: of IPv6 the /64 network, which one customer has. Undefined for an
 * address of this machine, where a proxy has many clients.
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
