import { describe, expect, it } from 'vitest';
import { FairScheduler, TickQueue } from '../../../../server/http/scheduler.ts';

/** Keeps the thread busy. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a shared turn', () => {
  it('is over for all when it is over for one, until the next round', async () => {
    const turn = new FairScheduler();
    expect(turn.isUsedUp).toBe(false);
    work(6);
    expect([turn.isUsedUp, turn.isUsedUp]).toEqual([true, true]);
    await nextRound();
    await nextRound();
    expect(turn.isUsedUp).toBe(false);
  });

  it('lets one of the line go on in each round, first come first served, and forgets none', async () => {
    const turn = new FairScheduler();
    const order: number[] = [];
    const waiting = [1, 2, 3, 4].map(async (number) => {
      await turn.wait();
      order.push(number);
    });
    const seen: number[] = [];
    for (let round = 0; round < 8; round++) {
      await nextRound();
      seen.push(order.length);
    }
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3, 4]);
    const steps = seen.map((count, i) => count - (seen[i - 1] ?? 0));
    expect(Math.max(...steps)).toBe(1);
  });

  it('lets those who have just begun and those who are long go on in turns, so that neither line waits for the other', async () => {
    const turn = new FairScheduler();
    const order: string[] = [];
    const long = ['long 1', 'long 2', 'long 3'].map((name) => turn.wait('long').then(() => order.push(name)));
    const begun = ['begun 1', 'begun 2'].map((name) => turn.wait('short').then(() => order.push(name)));
    await Promise.all([...long, ...begun]);
    expect(order).toEqual(['begun 1', 'long 1', 'begun 2', 'long 2', 'long 3']);
  });

  it('tells how long the first of a line has waited', async () => {
    const turn = new FairScheduler();
    const waiting = turn.wait('short');
    work(3);
    expect(turn.waitedMs('short')).toBeGreaterThanOrEqual(3);
    expect(turn.waitedMs('long')).toBe(0);
    await waiting;
    expect(turn.waitedMs('short')).toBe(0);
  });

  it('leaves room for other work between many who never stop', async () => {
    const turn = new FairScheduler();
    let rounds = 0;
    let isDone = false;
    const count = (): void => {
      rounds++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    let steps = 0;
    const workers = Array.from({ length: 20 }, async () => {
      for (let i = 0; i < 5; i++) {
        work(2);
        steps++;
        if (turn.isUsedUp) await turn.wait();
      }
    });
    await Promise.all(workers);
    isDone = true;
    expect(steps).toBe(100);
    // 200 ms of work in rounds of about 5 ms and a step more; a turn for each would make it a tenth as many.
    expect(rounds).toBeGreaterThan(10);
  });
});

describe('a queue of tasks', () => {
  it('runs four in each round, those that came later after those that wait', async () => {
    const queue = new TickQueue();
    const order: number[] = [];
    const add = (numbers: readonly number[]): void =>
      numbers.forEach((number) => queue.run(() => void order.push(number)));
    add([1, 2, 3, 4, 5, 6]);
    expect(order).toEqual([1, 2, 3, 4]);
    await nextRound();
    add([7, 8, 9]);
    expect(order).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await nextRound();
    await nextRound();
    expect(order).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    add([10]);
    expect(order).toHaveLength(10);
  });
});
