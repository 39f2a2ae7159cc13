import { setImmediate as nextTick } from 'node:timers/promises';

let turn: Promise<unknown> = Promise.resolve();

/**
 * The turn of a long response to make its next chunk: all share one chain, and one has its turn in each tick of the event
 * loop. So a short response waits for one chunk, however many long ones are sent.
 */
export function nextTurn(): Promise<unknown> {
  turn = turn.then(() => nextTick());
  return turn;
}

/** How long loading a snapshot may run before requests run. */
const SLICE_MS = 5;

/** The time that long work may run before it yields. */
export class TimeSlice {
  #start = performance.now();

  get isUsedUp(): boolean {
    return performance.now() - this.#start > SLICE_MS;
  }

  /** Lets requests run, and starts the next slice. */
  async yieldToEventLoop(): Promise<void> {
    await nextTick();
    this.#start = performance.now();
  }
}
