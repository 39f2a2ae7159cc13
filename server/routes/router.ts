import { catalogueRoutes } from '../catalogue.ts';
import type { Route, RouteContext } from './context.ts';
import { pageRoute, pictureRoute } from './files.ts';
import { healthRoutes } from './health.ts';
import { openApiRoute, problemRoute } from './reference.ts';
import { statusRoute } from './status.ts';

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
