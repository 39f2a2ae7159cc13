import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import type { Sample } from './write-metrics.ts';

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** How late the event loop comes to a timer that is due every 20 ms. */
export class EventLoopDelay {
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#histogram.enable();
  }

  /** What was measured since this was last asked for. */
  take(): readonly Sample[] {
    const { mean, max } = this.#histogram;
    const p99 = this.#histogram.percentile(99);
    this.#histogram.reset();
    return Object.entries({ mean, p99, max }).map(([statistic, nanoseconds]) => ({
      labels: { statistic },
      value: toDelaySeconds(nanoseconds),
    }));
  }

  close(): void {
    this.#histogram.disable();
  }
}

/** The histogram holds the time between two calls of the timer; without any its mean is not a number. */
function toDelaySeconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1_000) : 0;
}
