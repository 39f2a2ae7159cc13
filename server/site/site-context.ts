import type { IncomingMessage } from 'node:http';
import type { Incoming } from '../http/incoming.ts';
import type { Log } from '../http/log.ts';
import type { ServerSettings } from '../settings.ts';
import type { KeyRing } from '../key/key-ring.ts';
import type { RateLimiter } from '../key/rate-limiter.ts';
import type { RequestCounts } from '../metrics/request-counts.ts';
import type { SnapshotHolder } from '../snapshot/snapshot-holder.ts';

/** What the handlers beside the interface may use. */
export interface SiteContext {
  readonly store: string;
  readonly snapshots: SnapshotHolder;
  /** The keys as they are now. */
  readonly keyRing: () => KeyRing;
  readonly keysUnreadableSeconds?: () => number;
  readonly rateLimiter: RateLimiter;
  readonly settings: ServerSettings;
  readonly log: Log;
  /** Absent when nobody asks for metrics. */
  readonly counts?: RequestCounts;
  readonly now: () => Date;
  /** What is known of a request: polka hands on nothing of ours beside the request itself. */
  readonly incomingOf: (req: IncomingMessage) => Incoming;
}
