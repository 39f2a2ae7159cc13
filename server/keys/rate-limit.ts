/** `requests` at once, and as many in every `seconds` after that. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

const LIMIT = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,4})([smh])$/;
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const MAX_SECONDS = 86_400;

/** Parses a limit such as `600/1m`; undefined for any other text. */
export function findRateLimit(text: string): RateLimit | undefined {
  // All three groups take part in every match.
  const [, requests, count, unit] = (LIMIT.exec(text) ?? []) as unknown as [string, string, string, string];
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? 0);
  return seconds > 0 && seconds <= MAX_SECONDS ? { requests: Number(requests), seconds } : undefined;
}

/** Whether `text` can be the limit of a key. */
export function isKeyRateLimit(text: string): boolean {
  return text === 'off' || findRateLimit(text) !== undefined;
}

/** A key with its own limit, if any. */
interface LimitedKey {
  readonly id: string;
  readonly rateLimit?: string | undefined;
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

/** The rate limit of one key. */
interface Bucket {
  readonly windowMs: number;
  /** The time after which one more request is possible. */
  readonly intervalMs: number;
  readonly policy: string;
  /** When the whole quota is available again. */
  fullAtMs: number;
}

/**
 * Limits the requests of each key by GCRA, the leaky bucket with one number for each key: the quota may be used at once,
 * and comes back evenly. A request of a key without a limit costs one lookup in a map.
 */
export class RateLimiter {
  readonly #default: RateLimit | undefined;
  readonly #nowMs: () => number;
  #buckets: ReadonlyMap<string, Bucket> = new Map();

  /**
   * @param general of every key that has none of its own
   * @param nowMs of a clock that is never set: one set back would lock keys out
   */
  constructor(general: RateLimit | undefined, nowMs: () => number = () => performance.now()) {
    this.#default = general;
    this.#nowMs = nowMs;
  }

  /** Replaces the keys. Keys that were there before keep their counts. */
  setKeys(entries: readonly LimitedKey[]): void {
    const before = this.#buckets;
    const buckets = new Map<string, Bucket>();
    for (const { id, rateLimit } of entries) {
      const limit = rateLimit === undefined ? this.#default : findRateLimit(rateLimit);
      if (limit === undefined) continue;
      // No wait is longer than the window, also when the window was longer before.
      const latestMs = this.#nowMs() + limit.seconds * 1_000;
      buckets.set(id, createBucket(limit, Math.min(before.get(id)?.fullAtMs ?? -Infinity, latestMs)));
    }
    this.#buckets = buckets;
  }

  /** Counts a request of a key; undefined for a key without a limit. */
  take(keyId: string): RateLimitResult | undefined {
    const bucket = this.#buckets.get(keyId);
    return bucket === undefined ? undefined : takeFrom(bucket, this.#nowMs());
  }
}

function createBucket({ requests, seconds }: RateLimit, fullAtMs: number): Bucket {
  const windowMs = seconds * 1_000;
  const policy = `"default";q=${requests};w=${seconds}`;
  return { windowMs, intervalMs: windowMs / requests, policy, fullAtMs };
}

function takeFrom(bucket: Bucket, nowMs: number): RateLimitResult {
  const { windowMs, intervalMs, policy } = bucket;
  // Sums of fractions are not exact: without slack the last request could be lost.
  const slackMs = intervalMs / 1_000;
  const fullAtMs = Math.max(bucket.fullAtMs, nowMs) + intervalMs;
  const usedMs = fullAtMs - nowMs;
  const isExceeded = usedMs > windowMs + slackMs;
  if (isExceeded) {
    const state = describeState(0, bucket.fullAtMs - nowMs);
    return { isExceeded, policy, state, retryAfterSeconds: Math.max(1, Math.ceil((usedMs - windowMs) / 1_000)) };
  }
  bucket.fullAtMs = fullAtMs;
  const left = Math.floor((windowMs - usedMs + slackMs) / intervalMs);
  return { isExceeded, policy, state: describeState(left, usedMs), retryAfterSeconds: 0 };
}

function describeState(left: number, untilFullMs: number): string {
  return `"default";r=${left};t=${Math.ceil(untilFullMs / 1_000)}`;
}
