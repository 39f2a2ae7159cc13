/** So many requests at once, and so many in every so many seconds after that. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

const LIMIT = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,4})([smh])$/;
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const MAX_SECONDS = 86_400;

/** The limit that a text such as `600/1m` means; undefined for any other text. */
export function findRateLimit(text: string): RateLimit | undefined {
  // All three groups take part in every match.
  const [, requests, count, unit] = (LIMIT.exec(text) ?? []) as unknown as [string, string, string, string];
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? 0);
  return seconds > 0 && seconds <= MAX_SECONDS ? { requests: Number(requests), seconds } : undefined;
}

/** Whether `text` can be the limit of a key, in the place of that of the server. */
export function isKeyRateLimit(text: string): boolean {
  return text === 'off' || findRateLimit(text) !== undefined;
}

/** A key and the limit of its own, if it has one. */
interface LimitedKey {
  readonly id: string;
  readonly rateLimit?: string | undefined;
}

/** What a request took of the share of its key, as the answer says it (draft-ietf-httpapi-ratelimit-headers). */
export interface RateLimitResult {
  /** Whether nothing was left: the request is refused, and took nothing. */
  readonly isExceeded: boolean;
  /** `RateLimit-Policy`: the quota `q` of every window of `w` seconds. */
  readonly policy: string;
  /** `RateLimit`: `r` requests are left now, and all of the quota will be in `t` seconds. */
  readonly state: string;
  /** After how long one request will be left; 0 unless it is over. */
  readonly retryAfterSeconds: number;
}

/** How much of its share a key has used. */
interface Bucket {
  readonly windowMs: number;
  /** In which time the share grows by a request. */
  readonly intervalMs: number;
  readonly policy: string;
  /** When the whole share is there again: the one thing that changes. */
  fullAtMs: number;
}

/**
 * Shares requests out to keys, each by itself (GCRA, the leaky bucket that needs one number): the quota may be used at
 * once, and grows back evenly. Holds one number a key, whatever is asked; a request whose key is under no limit costs a
 * look into a map.
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

  /** Takes up the keys of a key file. Keys that were there before have used what they have used. */
  setKeys(entries: readonly LimitedKey[]): void {
    const before = this.#buckets;
    const buckets = new Map<string, Bucket>();
    for (const { id, rateLimit } of entries) {
      const limit = rateLimit === undefined ? this.#default : findRateLimit(rateLimit);
      if (limit === undefined) continue;
      // Nobody waits for longer than the window, also when it was a longer one before.
      const latestMs = this.#nowMs() + limit.seconds * 1_000;
      buckets.set(id, createBucket(limit, Math.min(before.get(id)?.fullAtMs ?? -Infinity, latestMs)));
    }
    this.#buckets = buckets;
  }

  /** Takes a request out of the share of a key; undefined for a key without a limit. */
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
  // Sums of fractions are a little too large or too small: not to lose the last request to that.
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
