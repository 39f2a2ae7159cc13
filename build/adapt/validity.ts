const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const INSTANT =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;

const DAY_MS = 86_400_000;

/** What a moment of validity looks like, for messages. */
export const MOMENT_FORMAT = 'a day such as 2026-11-20 or an instant such as 2026-11-20T08:00:00Z';

/**
 * When a day or an instant begins and ends, in milliseconds since 1970; an instant ends as it begins. Days are days
 * of UTC.
 */
export interface Moment {
  readonly startMs: number;
  readonly endMs: number;
}

/** Reads `2026-11-20` or `2026-11-20T08:00:00+01:00`; undefined for anything else, such as 30 February. */
export function parseMoment(text: string): Moment | undefined {
  const isDay = DAY.test(text);
  if (!isDay && !INSTANT.test(text)) return undefined;
  const dayMs = Date.parse(text.slice(0, 10));
  // Date.parse takes 30 February for 1 March.
  if (Number.isNaN(dayMs) || new Date(dayMs).getUTCDate() !== Number(text.slice(8, 10))) return undefined;
  if (isDay) return { startMs: dayMs, endMs: dayMs + DAY_MS - 1 };
  const instantMs = Date.parse(text.replace(' ', 'T'));
  return Number.isNaN(instantMs) ? undefined : { startMs: instantMs, endMs: instantMs };
}

/** Whether the end of a validity lies before its beginning: it never holds, and one of the two is wrong. */
export function isReversed(from: Moment | undefined, to: Moment | undefined): boolean {
  return from !== undefined && to !== undefined && to.endMs < from.startMs;
}

/** From the first moment up to, but not with, the second. */
export interface Era {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * The time of a build, asked for what is valid. It remembers the era within which every answer so far stays the same, so
 * that a build of another time knows whether it would have read a file alike.
 */
export class BuildTime {
  readonly #nowMs: number;
  #fromMs = Number.MIN_SAFE_INTEGER;
  #untilMs = Number.MAX_SAFE_INTEGER;

  constructor(now: Date) {
    this.#nowMs = now.getTime();
  }

  get era(): Era {
    return { fromMs: this.#fromMs, untilMs: this.#untilMs };
  }

  /** Whether it lies between the beginning of `from` and the end of `to`, both inclusive; without a bound it does. */
  isWithin(from: Moment | undefined, to: Moment | undefined): boolean {
    const hasBegun = from === undefined || this.#isPast(from.startMs);
    const hasEnded = to !== undefined && this.#isPast(to.endMs + 1);
    return hasBegun && !hasEnded;
  }

  #isPast(momentMs: number): boolean {
    if (momentMs <= this.#nowMs) this.#fromMs = Math.max(this.#fromMs, momentMs);
    else this.#untilMs = Math.min(this.#untilMs, momentMs);
    return momentMs <= this.#nowMs;
  }
}
