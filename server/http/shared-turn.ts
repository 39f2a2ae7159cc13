/** How long all long answers together may hold the thread before other requests get their turn. */
const TURN_MS = 5;

/**
 * The time on the thread that long answers share: in one round of the event loop they have `TURN_MS` between them,
 * however many there are. Whoever finds it used up stands in line, and each round lets one of the line go on. With a
 * turn for each, a hundred readers of long answers could keep all others waiting for half a second.
 */
export class SharedTurn {
  readonly #line: (() => void)[] = [];
  #start: number | undefined;

  get isOver(): boolean {
    if (this.#start === undefined) this.#begin();
    return performance.now() - (this.#start as number) > TURN_MS;
  }

  /** Resolves in a later round, to whoever has waited longest. */
  wait(): Promise<void> {
    if (this.#start === undefined) this.#begin();
    return new Promise((resolve) => this.#line.push(resolve));
  }

  #begin(): void {
    this.#start = performance.now();
    setImmediate(() => {
      this.#start = undefined;
      const goOn = this.#line.shift();
      if (goOn === undefined) return;
      // Also when the one who goes on asks for no more: the next in line is not to be forgotten.
      this.#begin();
      goOn();
    });
  }
}
