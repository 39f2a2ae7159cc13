import { ENDPOINTS } from '../../data/query/endpoint.ts';
import { respondToQuery } from './catalogue.ts';
import type { Route, RouteContext } from './context.ts';
import { pageRoute, pictureRoute } from './files.ts';
import { healthRoutes } from './health.ts';
import { openApiRoute, problemRoute } from './reference.ts';
import { findRoute } from './resolve-request.ts';
import { statusRoute } from './status.ts';

/** All routes, in the order in which they are tried: the interface (spec §4), and what is beside it (D19). */
export function listRoutes(context: RouteContext): readonly Route[] {
  return [
    ...endpointRoutes(context),
    ...healthRoutes(context),
    pictureRoute(context),
    problemRoute(),
    openApiRoute(context),
    statusRoute(context),
    pageRoute(),
  ];
}

function endpointRoutes({ snapshots, settings }: RouteContext): readonly Route[] {
  return ENDPOINTS.map(({ name, path: pattern }) => ({
    path: pattern.replace('<id>', ':id'),
    has: (path) => findRoute(path)?.endpoint === name,
    label: name,
    access: 'key',
    handle: (request) => respondToQuery(request, snapshots, settings),
  }));
}
