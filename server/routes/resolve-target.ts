import { TriedTarget } from '../explain/tried-target.ts';
import { toOriginForm } from '../http/request.ts';
import { readBody } from '../http/response.ts';
import { splitTarget } from '../query/query-string.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import { resolveRequest, singleSnapshot } from './resolve-request.ts';

/** A target without products to explain; the message says why. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/**
 * Resolves a request for products, and each of its filters alone, as a server does.
 * @throws {TargetError} for a target that is refused, or that answers with something else
 */
export function tryTarget(target: string, snapshot: LoadedSnapshot): TriedTarget {
  const request = { ...splitTarget(toOriginForm(target)), id: '' };
  const resolved = resolveRequest(request, singleSnapshot(snapshot));
  if ('status' in resolved) {
    const { detail } = JSON.parse(readBody(resolved)) as { readonly detail: string };
    throw new TargetError(`the target is refused: ${detail}`);
  }
  const { query, offset, pairs } = resolved;
  if (query.kind !== 'products') {
    throw new TargetError(`expected a target that answers with products, got one that answers with ${query.kind}`);
  }
  return new TriedTarget({ text: target, query, offset, pairs }, snapshot.index);
}
