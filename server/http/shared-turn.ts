/** How long all long answers together may hold the thread before other requests get their turn. */
const TURN_MS = 5;

/** Who stands in line, and since when. */
interface Waiting {
  readonly goOn: () => void;
  readonly since: number;
}

/**
 * The time on the thread that long answers share: in one round of the event loop they have `TURN_MS` between them,
 * however many there are. Whoever finds it used up stands in line, and each round lets one of a line go on. With a
 * turn for each, a hundred readers of long answers could keep all others waiting for half a second.
 *
 * There are two lines, served in turns: an answer of which it is not known yet that it is long does not wait behind
 * those that are. Behind five hundred of them a short one would wait for as many rounds, some three seconds.
 */
export class SharedTurn {
  readonly #begun: Waiting[] = [];
  readonly #long: Waiting[] = [];
  #isTurnOfLong = false;
  #start: number | undefined;

  get isOver(): boolean {
    if (this.#start === undefined) this.#begin();
    return performance.now() - (this.#start as number) > TURN_MS;
  }

  /** Resolves in a later round, to whoever of the line has waited longest. */
  wait(line: 'begun' | 'long' = 'long'): Promise<void> {
    if (this.#start === undefined) this.#begin();
    const to = line === 'begun' ? this.#begun : this.#long;
    return new Promise((goOn) => to.push({ goOn, since: performance.now() }));
  }

  /** How long the first of a line has waited. */
  waitedMs(line: 'begun' | 'long'): number {
    const [first] = line === 'begun' ? this.#begun : this.#long;
    return first === undefined ? 0 : performance.now() - first.since;
  }

  #begin(): void {
    this.#start = performance.now();
    setImmediate(() => {
      this.#start = undefined;
      const goOn = this.#takeNext();
      if (goOn === undefined) return;
      // Also when the one who goes on asks for no more: the next in line is not to be forgotten.
      this.#begin();
      goOn();
    });
  }

  #takeNext(): (() => void) | undefined {
    const [line, other] = this.#isTurnOfLong ? [this.#long, this.#begun] : [this.#begun, this.#long];
    this.#isTurnOfLong = !this.#isTurnOfLong;
    return (line.shift() ?? other.shift())?.goOn;
  }
}
