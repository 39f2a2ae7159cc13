import { performance } from 'node:perf_hooks';

/** The longest time that the requests of one tick of the event loop may take: the next requests wait as long. */
const TICK_MS = 50;
/** Ticks may be longer than that for this time: a pause is not an overload. */
const PATIENCE_MS = 500;
/** An overload is over when no tick was too long for this time. */
const CALM_MS = 1_000;

/**
 * Tells when the event loop is late: when requests arrive faster than they can be answered. A tick is late when it took too
 * long by the clock and in processor time: on a busy machine the clock goes on while the process waits for a processor.
 * Under overload a tick answers what it can in `TICK_MS`.
 */
export class LoadShedder {
  #isTickOpen = false;
  #startedAt = 0;
  #usedAtStart = 0;
  /** The time of the late ticks, and the end of the last. */
  #lateMs = 0;
  #lateAt = 0;

  /** Whether to refuse a request that is about to cost work. */
  isLate(): boolean {
    if (!this.#isTickOpen) this.#openTick();
    return this.#lateMs > PATIENCE_MS && this.#measureTick() > TICK_MS;
  }

  #openTick(): void {
    this.#isTickOpen = true;
    this.#startedAt = performance.now();
    this.#usedAtStart = readProcessorMs();
    if (this.#startedAt - this.#lateAt > CALM_MS) this.#lateMs = 0;
    setImmediate(() => {
      this.#isTickOpen = false;
      const tickMs = this.#measureTick();
      if (tickMs <= TICK_MS) return;
      this.#lateMs += tickMs;
      this.#lateAt = performance.now();
    });
  }

  /** The lesser of the time by the clock and the processor time, so that both must be too long. */
  #measureTick(): number {
    const clockMs = performance.now() - this.#startedAt;
    return clockMs <= TICK_MS ? clockMs : Math.min(clockMs, readProcessorMs() - this.#usedAtStart);
  }
}

function readProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
