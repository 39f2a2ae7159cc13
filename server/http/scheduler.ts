import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { IncrementalTask } from '../../data/snapshot/incremental-task.ts';

/** How long loading may hold the thread before requests get their turn. */
const SLICE_MS = 5;

/** The time that long work has on the thread before it gives way to whatever else is waiting. */
export class TimeSlice {
  #start = performance.now();

  get isUsedUp(): boolean {
    return performance.now() - this.#start > SLICE_MS;
  }

  /** Gives way, and begins the next turn. */
  async yieldToEventLoop(): Promise<void> {
    await yieldToEventLoop();
    this.#start = performance.now();
  }

  /** Takes steps to their end, giving way as often as a turn is over. */
  async run<Result>(steps: IncrementalTask<Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (this.isUsedUp) await this.yieldToEventLoop();
    }
  }
}

/** How long all long answers together may hold the thread before other requests get their turn. */
const SHARED_SLICE_MS = 5;

/** Who stands in line, and since when. */
interface Waiting {
  readonly resume: () => void;
  readonly since: number;
}

/**
 * The time on the thread that long answers share: in one round of the event loop they have `SHARED_SLICE_MS` between them,
 * however many there are. Whoever finds it used up stands in line, and each round lets one of a line go on. With a
 * turn for each, a hundred readers of long answers could keep all others waiting for half a second.
 *
 * There are two lines, served in turns: an answer of which it is not known yet that it is long does not wait behind
 * those that are. Behind five hundred of them a short one would wait for as many rounds, some three seconds.
 */
export class FairScheduler {
  readonly #shortQueue: Waiting[] = [];
  readonly #longQueue: Waiting[] = [];
  #isLongNext = false;
  #start: number | undefined;

  get isUsedUp(): boolean {
    if (this.#start === undefined) this.#begin();
    return performance.now() - (this.#start as number) > SHARED_SLICE_MS;
  }

  /** Resolves in a later round, to whoever of the line has waited longest. */
  wait(queue: 'short' | 'long' = 'long'): Promise<void> {
    if (this.#start === undefined) this.#begin();
    const to = queue === 'short' ? this.#shortQueue : this.#longQueue;
    return new Promise((resume) => to.push({ resume, since: performance.now() }));
  }

  /** How long the first of a line has waited. */
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
      // Also when the one who goes on asks for no more: the next in line is not to be forgotten.
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
