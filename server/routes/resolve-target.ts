import { TriedTarget } from '../explain/tried-target.ts';
import { notFound } from '../http/checks.ts';
import { toOriginForm } from '../http/request.ts';
import { readBody, type ApiResponse } from '../http/response.ts';
import { parseFilters } from '../query/parse-filter.ts';
import { QueryIssues } from '../query/query-issue.ts';
import { splitTarget } from '../query/query-string.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import { findRoute, resolveRequest, singleSnapshot } from './resolve-request.ts';

/** A target without products to explain; the message says why. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/**
 * Resolves a request for products, and each of its filters alone, as a server does.
 * @throws {TargetError} for a target that is refused, or that answers with something else
 */
export function tryTarget(target: string, snapshot: LoadedSnapshot): TriedTarget {
  const { path, query: sent } = splitTarget(toOriginForm(target));
  const route = findRoute(path);
  if (route === undefined) throw refuse(notFound(''));
  const resolved = resolveRequest({ route, path, query: sent, requestId: '' }, singleSnapshot(snapshot));
  if (resolved.kind === 'refused') throw refuse(resolved.answer);
  const { query, offset, pairs } = resolved;
  if (query.kind !== 'products') {
    throw new TargetError(`expected a target that answers with products, got one that answers with ${query.kind}`);
  }
  const filters = pairs
    .filter(({ name }) => name.startsWith('filter['))
    .map((pair) => ({
      text: `${pair.name}=${pair.value}`,
      alone: parseFilters([pair], snapshot.index, new QueryIssues()),
    }));
  return new TriedTarget({ target, query, offset, filters }, snapshot.index);
}

function refuse(answer: ApiResponse): TargetError {
  const { detail } = JSON.parse(readBody(answer)) as { readonly detail: string };
  return new TargetError(`the target is refused: ${detail}`);
}
