import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT } from '../data/query/parameter.ts';
import type { RateLimit } from './keys/rate-limit.ts';

/** What the operator may set of a server. Times are in seconds where the name does not say otherwise. */
export interface ServerSettings {
  /** Products per page when `limit` is not given, and the most that it may ask for (D15). */
  readonly defaultPageLimit: number;
  readonly maxPageLimit: number;
  /** The most deals of one answer; absent for no ceiling (D15). */
  readonly maxDealsPerAnswer?: number;
  /** `Cache-Control` of answers (D18). */
  readonly maxAgeSeconds: number;
  readonly staleWhileRevalidateSeconds: number;
  readonly staleIfErrorSeconds: number;
  /** How long a page walk may continue on the snapshot before the current one (D15). */
  readonly graceSeconds: number;
  /** Bytes for the hot answers of a snapshot; 0 keeps none. */
  readonly answerCacheBytes: number;
  /** A snapshot whose served files have more bytes than this is refused. */
  readonly maxSnapshotBytes: number;
  /** Whether every request is logged. */
  readonly accessLog: boolean;
  /** Age at which `/health/ready` says `stale: true` (D19). */
  readonly staleAfterHours: number;
  /** Origins that may call from a browser; `localhost` for this machine's, `*` for any, none for no CORS (D21). */
  readonly corsOrigins: readonly string[];
  /** Connections at one time; any more are closed as they come. */
  readonly maxConnections: number;
  /** The same from one address, other than those of this machine. */
  readonly maxConnectionsPerAddress: number;
  /** Whether requests are refused while more arrive than can be answered. */
  readonly shedsLoad: boolean;
  /** What each key may ask that has no limit of its own; absent for as much as it likes. */
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
