import type { Access, RequestContext, RouteLabel } from '../http/request.ts';
import type { ApiResponse, FileResponse, Refusal } from '../http/response.ts';
import type { ServerKeys } from '../keys/server-keys.ts';
import type { Log } from '../log.ts';
import type { ServerSettings } from '../settings.ts';
import type { SnapshotManager } from '../snapshot/snapshot-manager.ts';
import { catalogueRoutes } from '../catalogue.ts';
import { pageRoute, pictureRoute } from './files.ts';
import { healthRoutes } from './health.ts';
import { openApiRoute, problemRoute } from './reference.ts';
import { statusRoute } from './status.ts';

/** What the routes may use. */
export interface RouteContext {
  readonly now: () => Date;
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

/** All routes, in the order in which they are tried: the interface (spec §4), and what is beside it (D19). */
export function listRoutes(context: RouteContext): readonly Route[] {
  return [
    ...catalogueRoutes(context.snapshots, context.settings),
    ...healthRoutes(context),
    pictureRoute(context),
    problemRoute(),
    openApiRoute(context),
    statusRoute(context),
    pageRoute(),
  ];
}
