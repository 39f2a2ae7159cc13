import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './answer.ts';
import { isEncodingBehind } from './encoding.ts';
import type { Log } from './log.ts';
import { createProblem } from './problem.ts';
import { isSendingBehind } from './send-answer.ts';

/** How long the requests that are met in one round of the event loop may hold it: the next ones wait that long. */
const ROUND_MS = 50;
/** For so long rounds may be longer than that: a pause of the machine is not an overload. */
const PATIENCE_MS = 1_000;
/** And no longer than this, even so. */
const LONGEST_ROUND_MS = 500;
/** An overload is over when nothing was refused for this long. */
const CALM_MS = 1_000;

const RETRY_AFTER_SECONDS = 2;

/** In the place of the request id. */
const ID = '{id}';
const PROBLEM = createProblem('overloaded', {
  detail: 'More requests arrive than can be answered in time.',
  requestId: ID,
  headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
});
const [BODY_BEFORE = '', BODY_AFTER = ''] = readBody(PROBLEM).split(ID);

/** Whether a request came with a good key. */
export type Asker = 'with-key' | 'without-key';

/**
 * Refuses requests while more arrive than can be answered. Whatever is met in a round of the event loop arrived in the
 * one before, and all that is answered in it makes those who come next wait: so in an overload a round answers what it
 * can in `ROUND_MS` and refuses the rest, which costs a small part of an answer. What waits to be encoded or sent makes no
 * round longer, and is looked at besides. The thread is never without work, and nobody waits for long.
 *
 * A request with a key is refused only for the work of others with one: those without are refused first.
 */
export class LoadShedder {
  readonly #log: Log;
  #roundStart: number | undefined;
  #roundEnd = 0;
  /** The request that is being worked at, since when, and for how long there was such work for keys in this round. */
  #asker: Asker = 'without-key';
  #askedAt = 0;
  #keyMs = 0;
  /** Since when every round was too long. */
  #busySince: number | undefined;
  #refusedCount = 0;
  #calming: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Whether to refuse a request that would be worked at now. */
  isOverloaded(asker: Asker): boolean {
    const now = performance.now();
    if (this.#roundStart === undefined) this.#keyMs = 0;
    else if (this.#asker === 'with-key') this.#keyMs += now - this.#askedAt;
    this.#roundStart ??= this.#begin(now);
    this.#asker = asker;
    this.#askedAt = now;
    if (isEncodingBehind() || isSendingBehind()) return true;
    const roundMs = asker === 'with-key' ? this.#keyMs : now - this.#roundStart;
    if (roundMs < ROUND_MS) return false;
    return roundMs > LONGEST_ROUND_MS || (this.#busySince !== undefined && now - this.#busySince > PATIENCE_MS);
  }

  #begin(start: number): number {
    // There was time for a break.
    if (start - this.#roundEnd > ROUND_MS) this.#busySince = undefined;
    setImmediate(() => {
      this.#roundStart = undefined;
      this.#roundEnd = performance.now();
      if (this.#roundEnd - start < ROUND_MS) this.#busySince = undefined;
      else this.#busySince ??= start;
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
    res.writeHead(PROBLEM.status, {
      ...PROBLEM.headers,
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
