import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Log } from '../log.ts';

/** Node's limits for a request; the same on every port. */
export const HTTP_LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // Above the longest target, so that a target that is too long gets 414.
  maxHeaderSize: 32 * 1024,
};

/** Connections at one time; Node closes further ones as they come. */
export const MAX_CONNECTIONS = 4_000;
/** A client must read something of what waits for it within this time, and a chunk of a long body. */
export const READ_MS = 12_000;
/** At most one log line in this time about connections over the limit. */
const DROPPED_LOG_MS = 10_000;

/** How long a stopping server waits for its last responses, and how often it looks. */
const DRAIN_MS = 8_000;
const LOOK_MS = 50;

/** Starts listening. @throws {Error} with `code` `EADDRINUSE` and the like when the port cannot be had */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/**
 * The connections of a server. Node limits their number and their time, and answers what it cannot parse. A connection has
 * one request at a time: one that arrives before the response to the one before is sent closes it.
 */
export class Connections {
  readonly #server: Server;
  #responsesUnderWay = 0;
  #isStopping = false;

  constructor(server: Server, log: Log, maxConnections = MAX_CONNECTIONS) {
    this.#server = server;
    server.maxConnections = maxConnections;
    server.timeout = READ_MS;
    // After a plain close the system keeps unsent data for minutes.
    server.on('timeout', (socket: Socket) => socket.resetAndDestroy());
    let loggedAt = -Infinity;
    server.on('drop', () => {
      if (performance.now() - loggedAt < DROPPED_LOG_MS) return;
      loggedAt = performance.now();
      log({ event: 'connections-dropped', maxConnections });
    });
  }

  /** Passes requests to a listener. */
  serve(listener: RequestListener): void {
    this.#server.on('request', (req: IncomingMessage, res: ServerResponse) => {
      // No socket: the response before is not sent yet. Node passes on the requests of a packet also after the close.
      if (res.socket === null || req.socket.destroyed) {
        req.socket.destroy();
        return;
      }
      this.#responsesUnderWay++;
      res.once('close', () => this.#responsesUnderWay--);
      if (this.#isStopping) res.shouldKeepAlive = false;
      listener(req, res);
    });
  }

  /** Stops listening and resolves when every connection is closed; responses that take too long are cut off. */
  close(): Promise<void> {
    this.#isStopping = true;
    const deadline = performance.now() + DRAIN_MS;
    const look = setInterval(() => {
      if (this.#responsesUnderWay === 0 || performance.now() > deadline) this.#server.closeAllConnections();
    }, LOOK_MS);
    return new Promise((resolve) => {
      // `close` of the HTTP server would destroy connections whose response is written and not sent yet.
      NetServer.prototype.close.call(this.#server, () => {
        clearInterval(look);
        // No connection is left; this ends Node's timer for their limits.
        this.#server.close();
        resolve();
      });
    });
  }
}

/** The longest time that the requests of one tick of the event loop may take: the next requests wait as long. */
const TICK_MS = 50;
/** Ticks may be longer than that for this time: a pause is not an overload. */
const PATIENCE_MS = 500;
/** The processor time is read once in this time: to read it in each tick took a twentieth of all. */
const READING_MS = 10;
/** An overload is over when no tick was too long for this time. */
const CALM_MS = 1_000;

/**
 * Tells when the event loop is late: when requests arrive faster than they can be answered. A tick is late when it took too
 * long by the clock and in processor time: on a busy machine the clock goes on while the process waits for a processor.
 * Under overload a tick answers what it can in `TICK_MS`.
 */
export class LoadShedder {
  #isTickOpen = false;
  #startedAt = 0;
  /** When the processor time was last read, at most `READING_MS` before the tick, and what it was. */
  #readAt = -Infinity;
  #usedBefore = 0;
  /** The time of the late ticks, and the end of the last. */
  #lateMs = 0;
  #lateAt = 0;

  /** Whether to refuse a request that is about to cost work. */
  isLate(): boolean {
    if (!this.#isTickOpen) this.#openTick();
    return this.#lateMs > PATIENCE_MS && this.#measureTick() > TICK_MS;
  }

  #openTick(): void {
    this.#isTickOpen = true;
    this.#startedAt = performance.now();
    if (this.#startedAt - this.#readAt > READING_MS) {
      this.#readAt = this.#startedAt;
      this.#usedBefore = readProcessorMs();
    }
    if (this.#startedAt - this.#lateAt > CALM_MS) this.#lateMs = 0;
    setImmediate(() => {
      this.#isTickOpen = false;
      const tickMs = this.#measureTick();
      if (tickMs <= TICK_MS) return;
      this.#lateMs += tickMs;
      this.#lateAt = performance.now();
    });
  }

  /** The lesser of the time by the clock and the processor time, so that both must be too long. */
  #measureTick(): number {
    const clockMs = performance.now() - this.#startedAt;
    return clockMs <= TICK_MS ? clockMs : Math.min(clockMs, readProcessorMs() - this.#usedBefore);
  }
}

function readProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
