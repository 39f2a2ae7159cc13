/** Works one after the other, as many as may wait. */
export class OneAtATime {
  readonly #maxWaiting: number;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /** Begins `work` when all before it are done; undefined when too many wait. */
  run<Result>(work: () => Promise<Result>): Promise<Result> | undefined {
    if (this.#waiting > this.#maxWaiting) return undefined;
    this.#waiting++;
    const done = this.#last.then(work).finally(() => this.#waiting--);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
