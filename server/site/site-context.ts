import type { IncomingMessage } from 'node:http';
import type { Incoming } from '../http/incoming.ts';
import type { Log } from '../http/log.ts';
import type { ServerSettings } from '../settings.ts';
import type { SnapshotHolder } from '../snapshot/snapshot-holder.ts';

/** What the handlers beside the interface may use. */
export interface SiteContext {
  readonly store: string;
  readonly snapshots: SnapshotHolder;
  readonly settings: ServerSettings;
  readonly log: Log;
  readonly now: () => Date;
  /** What is known of a request: polka hands on nothing of ours beside the request itself. */
  readonly incomingOf: (req: IncomingMessage) => Incoming;
}
