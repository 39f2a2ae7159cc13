import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { isCompressionBacklogged } from './compression.ts';
import { errorResponse, readBody } from './response.ts';
import { isSendBacklogged } from './send.ts';

/** The longest time that the requests of one tick of the event loop may take: the next requests wait as long. */
const TICK_MS = 50;
/** Ticks may be longer than that for this time: a pause of the machine is not an overload. */
const PATIENCE_MS = 1_000;
/** A longer tick is an overload at once. */
const LONGEST_TICK_MS = 500;
/** An overload is over when nothing was refused for this long. */
const CALM_MS = 1_000;

const RETRY_AFTER_SECONDS = 2;

/** Placeholder of the request id. */
const ID = '{id}';
const OVERLOADED = errorResponse('overloaded', {
  detail: 'More requests arrive than can be answered in time.',
  requestId: ID,
  headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
});
const [BODY_BEFORE = '', BODY_AFTER = ''] = readBody(OVERLOADED).split(ID);

/** Whether a request has a valid key. */
export type CallerKind = 'with-key' | 'without-key';

/**
 * Rejects requests while more arrive than can be answered. Requests handled in one event-loop tick arrived during the
 * previous tick, and each response delays the next tick. So in an overload a tick answers what it can in `TICK_MS` and
 * rejects the rest, which costs a small part of a response. Bodies that wait to be encoded or sent do not lengthen a tick;
 * they are checked separately.
 *
 * Only the work for requests with a key counts against a request with a key: requests without one are rejected first.
 */
export class LoadShedder {
  readonly #log: Log;
  #tickStart: number | undefined;
  #tickEnd = 0;
  /** The current request, its start, and the time spent on requests with a key in this tick. */
  #caller: CallerKind = 'without-key';
  #calledAt = 0;
  #keyMs = 0;
  /** Since when every tick was too long. */
  #overloadedSince: number | undefined;
  #refusedCount = 0;
  #calming: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Whether to reject a request that arrives now. */
  isOverloaded(caller: CallerKind): boolean {
    const now = performance.now();
    if (this.#tickStart === undefined) this.#keyMs = 0;
    else if (this.#caller === 'with-key') this.#keyMs += now - this.#calledAt;
    this.#tickStart ??= this.#beginTick(now);
    this.#caller = caller;
    this.#calledAt = now;
    if (isCompressionBacklogged() || isSendBacklogged()) return true;
    const tickMs = caller === 'with-key' ? this.#keyMs : now - this.#tickStart;
    if (tickMs < TICK_MS) return false;
    return (
      tickMs > LONGEST_TICK_MS || (this.#overloadedSince !== undefined && now - this.#overloadedSince > PATIENCE_MS)
    );
  }

  #beginTick(start: number): number {
    // The event loop was idle.
    if (start - this.#tickEnd > TICK_MS) this.#overloadedSince = undefined;
    setImmediate(() => {
      this.#tickStart = undefined;
      this.#tickEnd = performance.now();
      if (this.#tickEnd - start < TICK_MS) this.#overloadedSince = undefined;
      else this.#overloadedSince ??= start;
    });
    return start;
  }

  /** Responds with 503, without a log line for each: it would cost more than the response. */
  refuse(
    req: IncomingMessage,
    res: ServerResponse,
    requestId: string,
    headers: Readonly<Record<string, string | undefined>>,
  ): void {
    const body = BODY_BEFORE + requestId + BODY_AFTER;
    res.writeHead(OVERLOADED.status, {
      ...OVERLOADED.headers,
      ...headers,
      'X-Request-Id': requestId,
      'Content-Length': Buffer.byteLength(body),
    });
    res.end(req.method === 'HEAD' ? undefined : body);
    if (this.#refusedCount++ === 0) this.#log({ event: 'overloaded' });
    // `refresh`, because a new timer would cost as much as the response.
    if (this.#calming === undefined) this.#calming = setTimeout(() => this.#calmDown(), CALM_MS).unref();
    else this.#calming.refresh();
  }

  #calmDown(): void {
    this.#log({ event: 'overload-over', refused: this.#refusedCount });
    this.#refusedCount = 0;
    this.#calming = undefined;
  }
}
