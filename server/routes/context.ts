import type { IncomingMessage } from 'node:http';
import type { ApiKeyStore } from '../keys/key-store.ts';
import type { RateLimiter } from '../keys/rate-limit.ts';
import type { Log } from '../log.ts';
import type { RequestCounts, RouteLabel } from '../metrics/counters.ts';
import type { ServerSettings } from '../settings.ts';
import type { SnapshotManager } from '../snapshot/snapshot-manager.ts';

/** What is known of a request before it is routed. */
export interface RequestContext {
  readonly id: string;
  /** In origin form, exactly as sent. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
  /** The name of the key, once it is known. */
  keyName?: string;
  /** Under what it is counted. */
  label: RouteLabel;
}

/** What the handlers beside the interface may use. */
export interface RouteContext {
  readonly store: string;
  readonly snapshots: SnapshotManager;
  /** The keys as they are now. */
  readonly apiKeys: () => ApiKeyStore;
  readonly keysUnreadableSeconds?: () => number;
  readonly rateLimiter: RateLimiter;
  readonly settings: ServerSettings;
  readonly log: Log;
  /** Absent when nobody asks for metrics. */
  readonly counts?: RequestCounts;
  readonly now: () => Date;
  /** What is known of a request: polka hands on nothing of ours beside the request itself. */
  readonly contextOf: (req: IncomingMessage) => RequestContext;
}
