import type { ResolvedTarget } from '../explain/tried-target.ts';
import { notFound } from '../http/checks.ts';
import { toOriginForm } from '../http/request.ts';
import { readBody, type ApiResponse } from '../http/response.ts';
import { parseQueryString, splitTarget } from '../query/query-string.ts';
import type { ProductsQuery } from '../query/query.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import { findRoute, resolveRequest, singleSnapshot } from './resolve-request.ts';

/**
 * Resolves a request for products, and each of its filters alone, as a server does.
 * @throws {TargetError} for a target that is refused, or that answers with something else
 */
export function resolveTarget(target: string, snapshot: LoadedSnapshot): ResolvedTarget {
  const { path, query: sent } = splitTarget(toOriginForm(target));
  const filters = parseQueryString(sent).pairs.filter(({ name }) => name.startsWith('filter['));
  return {
    target,
    ...resolveProducts(target, snapshot),
    filters: filters.map(({ name, value, raw }) => ({
      text: `${name}=${value}`,
      alone: resolveProducts(`${path}?${raw}`, snapshot).query.filters,
    })),
  };
}

/** A target without products to explain; the message says why. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/** Reads a target as a server does. */
function resolveProducts(
  target: string,
  snapshot: LoadedSnapshot,
): { readonly query: ProductsQuery; readonly offset: number } {
  const { path, query } = splitTarget(toOriginForm(target));
  const route = findRoute(path);
  if (route === undefined) throw refuse(notFound(''));
  const resolved = resolveRequest({ route, path, query, requestId: '' }, singleSnapshot(snapshot));
  if (resolved.kind === 'refused') throw refuse(resolved.answer);
  if (resolved.query.kind !== 'products') {
    throw new TargetError(
      `expected a target that answers with products, got one that answers with ${resolved.query.kind}`,
    );
  }
  return { query: resolved.query, offset: resolved.offset };
}

function refuse(answer: ApiResponse): TargetError {
  const { detail } = JSON.parse(readBody(answer)) as { readonly detail: string };
  return new TargetError(`the target is refused: ${detail}`);
}
