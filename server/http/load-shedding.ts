import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { isCompressionBacklogged } from './compression.ts';
import { errorResponse, readBody } from './response.ts';
import { isSendBacklogged } from './send.ts';

/** How long the requests that are met in one round of the event loop may hold it: the next ones wait that long. */
const TICK_MS = 50;
/** For so long rounds may be longer than that: a pause of the machine is not an overload. */
const PATIENCE_MS = 1_000;
/** And no longer than this, even so. */
const LONGEST_TICK_MS = 500;
/** An overload is over when nothing was refused for this long. */
const CALM_MS = 1_000;

const RETRY_AFTER_SECONDS = 2;

/** In the place of the request id. */
const ID = '{id}';
const OVERLOADED = errorResponse('overloaded', {
  detail: 'More requests arrive than can be answered in time.',
  requestId: ID,
  headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
});
const [BODY_BEFORE = '', BODY_AFTER = ''] = readBody(OVERLOADED).split(ID);

/** Whether a request came with a good key. */
export type CallerKind = 'with-key' | 'without-key';

/**
 * Refuses requests while more arrive than can be answered. Whatever is met in a round of the event loop arrived in the
 * one before, and all that is answered in it makes those who come next wait: so in an overload a round answers what it
 * can in `TICK_MS` and refuses the rest, which costs a small part of an answer. What waits to be encoded or sent makes no
 * round longer, and is looked at besides. The thread is never without work, and nobody waits for long.
 *
 * A request with a key is refused only for the work of others with one: those without are refused first.
 */
export class LoadShedder {
  readonly #log: Log;
  #tickStart: number | undefined;
  #tickEnd = 0;
  /** The request that is being worked at, since when, and for how long there was such work for keys in this round. */
  #caller: CallerKind = 'without-key';
  #calledAt = 0;
  #keyMs = 0;
  /** Since when every round was too long. */
  #overloadedSince: number | undefined;
  #refusedCount = 0;
  #calming: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Whether to refuse a request that would be worked at now. */
  isOverloaded(asker: CallerKind): boolean {
    const now = performance.now();
    if (this.#tickStart === undefined) this.#keyMs = 0;
    else if (this.#caller === 'with-key') this.#keyMs += now - this.#calledAt;
    this.#tickStart ??= this.#beginTick(now);
    this.#caller = asker;
    this.#calledAt = now;
    if (isCompressionBacklogged() || isSendBacklogged()) return true;
    const roundMs = asker === 'with-key' ? this.#keyMs : now - this.#tickStart;
    if (roundMs < TICK_MS) return false;
    return (
      roundMs > LONGEST_TICK_MS || (this.#overloadedSince !== undefined && now - this.#overloadedSince > PATIENCE_MS)
    );
  }

  #beginTick(start: number): number {
    // There was time for a break.
    if (start - this.#tickEnd > TICK_MS) this.#overloadedSince = undefined;
    setImmediate(() => {
      this.#tickStart = undefined;
      this.#tickEnd = performance.now();
      if (this.#tickEnd - start < TICK_MS) this.#overloadedSince = undefined;
      else this.#overloadedSince ??= start;
    });
    return start;
  }

  /** Answers 503. There is no line in the log for each: it would cost more than the answer. */
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
    // Renewed, since making another would cost as much as the answer.
    if (this.#calming === undefined) this.#calming = setTimeout(() => this.#calmDown(), CALM_MS).unref();
    else this.#calming.refresh();
  }

  #calmDown(): void {
    this.#log({ event: 'overload-over', refused: this.#refusedCount });
    this.#refusedCount = 0;
    this.#calming = undefined;
  }
}
