import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long loading may hold the thread before requests get their turn. */
const TURN_MS = 5;

/** The time that long work has on the thread before it gives way to whatever else is waiting. */
export class Turn {
  #start = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#start > TURN_MS;
  }

  /** Gives way, and begins the next turn. */
  async end(): Promise<void> {
    await nextTurn();
    this.#start = performance.now();
  }
}
