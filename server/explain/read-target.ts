import type { Answer } from '../http/answer.ts';
import { refusePath } from '../http/check-request.ts';
import { toOriginForm } from '../http/raw-request.ts';
import { findRoute } from '../http/route.ts';
import { holdOnly } from '../offline.ts';
import type { ProductsQuery } from '../query/query.ts';
import { splitTarget } from '../query/split-target.ts';
import { understandRequest } from '../respond/understand-request.ts';
import type { ServerSettings } from '../settings.ts';
import type { OpenSnapshot } from '../snapshot/open-snapshot.ts';

/** A request target as far as products are concerned. */
export type ReadTarget =
  | { readonly kind: 'products'; readonly query: ProductsQuery; readonly offset: number }
  /** The answer holds no products: gifts, or a list. */
  | { readonly kind: 'other'; readonly resource: string }
  | { readonly kind: 'refused'; readonly answer: Answer };

/** What a target asks of a snapshot, as a server understands it. */
export function readTarget(target: string, snapshot: OpenSnapshot, settings: ServerSettings): ReadTarget {
  const { path, query } = splitTarget(toOriginForm(target));
  const route = findRoute(path);
  const requestId = 'offline';
  if (route === undefined) return { kind: 'refused', answer: refusePath(path, requestId) };
  const understood = understandRequest({ route, path, query, requestId }, holdOnly(snapshot), settings);
  if (understood.kind === 'refused') return understood;
  if (understood.query.kind !== 'products') return { kind: 'other', resource: understood.query.kind };
  return { kind: 'products', query: understood.query, offset: understood.offset };
}
