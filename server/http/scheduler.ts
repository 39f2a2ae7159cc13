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
