import { ENDPOINTS, type EndpointName } from '../../data/query/endpoint.ts';

export interface Route {
  readonly endpoint: EndpointName;
  /** The `<id>` of the path, as sent. */
  readonly id?: string;
}

const PRODUCT_PREFIX = '/deals/v1/products/';

const FIXED_PATHS: ReadonlyMap<string, EndpointName> = new Map(
  ENDPOINTS.filter(({ name }) => name !== 'product').flatMap(({ name, path }) => [
    [path, name],
    [path.slice(0, -1), name],
  ]),
);

/** The endpoint of a path, compared as sent; the last slash may be missing (D1). */
export function findRoute(path: string): Route | undefined {
  const endpoint = FIXED_PATHS.get(path);
  if (endpoint !== undefined) return { endpoint };
  if (!path.startsWith(PRODUCT_PREFIX)) return undefined;
  const rest = path.slice(PRODUCT_PREFIX.length);
  const id = rest.endsWith('/') ? rest.slice(0, -1) : rest;
  return id === '' || id.includes('/') ? undefined : { endpoint: 'product', id };
}
