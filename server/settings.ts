import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT } from '../data/query/parameter.ts';
import type { RateLimit } from './keys/rate-limit.ts';

/** The settings of a server. Times are in seconds unless the name has another unit. */
export interface ServerSettings {
  /** Products per page without `limit`, and the maximum of `limit` (D15). */
  readonly defaultPageLimit: number;
  readonly maxPageLimit: number;
  /** The most deals of one response; absent for no limit (D15). */
  readonly maxDealsPerAnswer?: number;
  /** `Cache-Control` of responses (D18). */
  readonly maxAgeSeconds: number;
  readonly staleWhileRevalidateSeconds: number;
  readonly staleIfErrorSeconds: number;
  /** How long pagination may continue on the previous snapshot (D15). */
  readonly graceSeconds: number;
  /** Bytes of the response cache of a snapshot; 0 for none. */
  readonly answerCacheBytes: number;
  /** A snapshot whose served files have more bytes than this is refused. */
  readonly maxSnapshotBytes: number;
  /** Whether every request is logged. */
  readonly accessLog: boolean;
  /** Age at which `/health/ready` says `stale: true` (D19). */
  readonly staleAfterHours: number;
  /** Origins that may call from a browser; `localhost` for this machine's, `*` for any, none for no CORS (D21). */
  readonly corsOrigins: readonly string[];
  /** Connections at one time; further ones are closed at once. */
  readonly maxConnections: number;
  /** The same from one address; addresses of this machine do not count. */
  readonly maxConnectionsPerAddress: number;
  /** Whether requests are rejected while more arrive than can be answered. */
  readonly shedsLoad: boolean;
  /** The rate limit of keys without their own; absent for no limit. */
  readonly rateLimit?: RateLimit;
}

export const DEFAULT_SETTINGS: ServerSettings = {
  defaultPageLimit: DEFAULT_PAGE_LIMIT,
  maxPageLimit: MAX_PAGE_LIMIT,
  maxAgeSeconds: 60,
  staleWhileRevalidateSeconds: 600,
  staleIfErrorSeconds: 86_400,
  graceSeconds: 900,
  answerCacheBytes: 16_000_000,
  maxSnapshotBytes: 1_000_000_000,
  accessLog: true,
  staleAfterHours: 26,
  corsOrigins: [],
  maxConnections: 4_000,
  maxConnectionsPerAddress: 1_000,
  shedsLoad: true,
};
