/** `requests` at once, and as many in every `seconds` after that. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

const DURATION = /^([0-9]{1,6})([smh])$/;
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

/** The seconds of a duration such as `90s`, `15m` or `26h`; undefined for any other text. */
export function findSeconds(text: string): number | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNIT_SECONDS[unit] as number);
}

const LIMIT = /^([1-9][0-9]{0,6})\/(.*)$/;
const MAX_SECONDS = 86_400;

/** Parses a limit such as `600/1m`; undefined for any other text. */
export function findRateLimit(text: string): RateLimit | undefined {
  const [, requests, duration = ''] = LIMIT.exec(text) ?? [];
  const seconds = findSeconds(duration) ?? 0;
  return seconds > 0 && seconds <= MAX_SECONDS ? { requests: Number(requests), seconds } : undefined;
}

/** Whether `text` can be the limit of a key. */
export function isKeyRateLimit(text: string): boolean {
  return text === 'off' || findRateLimit(text) !== undefined;
}

/** The state of a key's rate limit after a request (draft-ietf-httpapi-ratelimit-headers). */
export interface RateLimitResult {
  /** Whether the request is rejected; then it does not count. */
  readonly isExceeded: boolean;
  /** `RateLimit-Policy`: the quota `q` of every window of `w` seconds. */
  readonly policy: string;
  /** `RateLimit`: `r` requests are left now, and all of the quota will be in `t` seconds. */
  readonly state: string;
  /** When the next request is possible; 0 unless exceeded. */
  readonly retryAfterSeconds: number;
}

/** Sums of fractions are not exact: without slack the last request could be lost. */
const SLACK = 0.001;

/** The quota of one key, a token bucket: it may be used at once, and comes back evenly. */
export class Quota {
  readonly limit: RateLimit;
  readonly #policy: string;
  readonly #intervalMs: number;
  #left: number;
  #countedAtMs = -Infinity;

  constructor(limit: RateLimit) {
    this.limit = limit;
    this.#policy = `"default";q=${limit.requests};w=${limit.seconds}`;
    this.#intervalMs = (limit.seconds * 1_000) / limit.requests;
    this.#left = limit.requests;
  }

  /**
   * Counts a request.
   * @param nowMs by a clock that is never set: one set back would lock keys out
   */
  take(nowMs: number = performance.now()): RateLimitResult {
    const { requests } = this.limit;
    this.#left = Math.min(requests, this.#left + (nowMs - this.#countedAtMs) / this.#intervalMs);
    this.#countedAtMs = nowMs;
    const isExceeded = this.#left < 1 - SLACK;
    if (!isExceeded) this.#left = Math.max(0, this.#left - 1);
    const secondsUntil = (count: number): number => Math.ceil(((count - this.#left) * this.#intervalMs) / 1_000);
    return {
      isExceeded,
      policy: this.#policy,
      state: `"default";r=${Math.floor(this.#left + SLACK)};t=${secondsUntil(requests)}`,
      retryAfterSeconds: isExceeded ? Math.max(1, secondsUntil(1)) : 0,
    };
  }
}
