import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { IncrementalTask } from '../../data/snapshot/incremental-task.ts';

/** How long loading a snapshot, or all long responses together, may run before other requests run. */
const SLICE_MS = 5;

/** The time that long work may run before it yields. */
export class TimeSlice {
  #start = performance.now();

  get isUsedUp(): boolean {
    return performance.now() - this.#start > SLICE_MS;
  }

  /** Lets other requests run, and starts the next slice. */
  async yieldToEventLoop(): Promise<void> {
    await yieldToEventLoop();
    this.#start = performance.now();
  }

  /** Runs a task to its end, and yields whenever a slice is used up. */
  async run<Result>(task: IncrementalTask<Result>): Promise<Result> {
    for (;;) {
      const step = task.next();
      if (step.done === true) return step.value;
      if (this.isUsedUp) await this.yieldToEventLoop();
    }
  }
}

/** A response in a queue, and since when. */
interface Waiting {
  readonly resume: () => void;
  readonly since: number;
}

/**
 * Shares the event loop between all long responses: together they get one time slice per tick. A response that finds the
 * slice used up waits in a queue, and each tick resumes one response. With a slice for each, a hundred long responses
 * would delay every other request by half a second.
 *
 * The two queues alternate, so that a response that is not yet known to be long does not wait behind the long ones:
 * behind five hundred of them it would wait about three seconds.
 */
export class FairScheduler {
  readonly #shortQueue: Waiting[] = [];
  readonly #longQueue: Waiting[] = [];
  #isLongNext = false;
  #start: number | undefined;

  get isUsedUp(): boolean {
    if (this.#start === undefined) this.#begin();
    return performance.now() - (this.#start as number) > SLICE_MS;
  }

  /** Resolves in a later tick; the response that has waited longest in its queue comes first. */
  wait(queue: 'short' | 'long' = 'long'): Promise<void> {
    if (this.#start === undefined) this.#begin();
    const to = queue === 'short' ? this.#shortQueue : this.#longQueue;
    return new Promise((resume) => to.push({ resume, since: performance.now() }));
  }

  /** How long the first response of a queue has waited. */
  waitedMs(queue: 'short' | 'long'): number {
    const [first] = queue === 'short' ? this.#shortQueue : this.#longQueue;
    return first === undefined ? 0 : performance.now() - first.since;
  }

  #begin(): void {
    this.#start = performance.now();
    setImmediate(() => {
      this.#start = undefined;
      const resume = this.#takeNext();
      if (resume === undefined) return;
      // The next in the queue is resumed even if this response does not ask for time again.
      this.#begin();
      resume();
    });
  }

  #takeNext(): (() => void) | undefined {
    const [queue, other] = this.#isLongNext ? [this.#longQueue, this.#shortQueue] : [this.#shortQueue, this.#longQueue];
    this.#isLongNext = !this.#isLongNext;
    return (queue.shift() ?? other.shift())?.resume;
  }
}

/** As many tasks of a `TickQueue` run in one tick. */
const TASKS_PER_TICK = 4;

/**
 * Runs a few tasks in each tick of the event loop, in their order. Node 20 accepts one connection in a tick: with hundreds
 * of requests in each, a new client waited for seconds.
 */
export class TickQueue {
  readonly #waiting: (() => void)[] = [];
  #runCount = 0;

  /** Runs a task now, or in a later tick. It must not throw. */
  run(task: () => void): void {
    if (this.#runCount >= TASKS_PER_TICK) {
      this.#waiting.push(task);
      return;
    }
    if (this.#runCount++ === 0) setImmediate(() => this.#nextTick());
    task();
  }

  #nextTick(): void {
    this.#runCount = 0;
    for (const task of this.#waiting.splice(0, TASKS_PER_TICK)) this.run(task);
  }
}
