import type { Access, Admission } from '../http/checks.ts';
import type { RequestContext, RouteLabel } from '../http/request.ts';
import type { ApiResponse, FileResponse, Refusal } from '../http/response.ts';
import type { ServerKeys } from '../keys/server-keys.ts';
import type { Log } from '../log.ts';
import type { ServerSettings } from '../settings.ts';
import type { SnapshotManager } from '../snapshot/snapshot-manager.ts';

/** What the routes may use. */
export interface RouteContext extends Admission {
  readonly keys: Pick<ServerKeys, 'check' | 'count' | 'unreadableSeconds'>;
  readonly store: string;
  readonly snapshots: SnapshotManager;
  readonly settings: ServerSettings;
  readonly log: Log;
}

/** A route; all allow GET, HEAD and OPTIONS (D2). */
export interface Route {
  /** A pattern of polka, which ignores case and a last slash. */
  readonly path: string;
  /** Whether the route has a path exactly as it was sent (D1). */
  readonly has: (path: string) => boolean;
  readonly label: RouteLabel;
  readonly access: Access;
  /** Undefined when there is nothing at the path after all. */
  readonly handle: (request: RequestContext) => RouteResponse | Promise<RouteResponse>;
}

type RouteResponse = ApiResponse | FileResponse | Refusal | undefined;
