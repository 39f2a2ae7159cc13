import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '../../data/snapshot/steps.ts';

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

  /** Takes steps to their end, giving way as often as a turn is over. */
  async take<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (this.isOver) await this.end();
    }
  }
}
