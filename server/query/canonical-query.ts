import { hash } from 'node:crypto';
import type { Query } from './query.ts';

/** A query as text: the same for every spelling of one query, another for every other query. */
export interface CanonicalQuery {
  readonly cacheKey: string;
  /** The part that a cursor belongs to: all but the numbers of `limit`, which may change from page to page (D15). */
  readonly cursorScope: string;
}

export function canonicalQuery(query: Query): CanonicalQuery {
  return {
    cacheKey: JSON.stringify(query),
    cursorScope: JSON.stringify({ ...query, pageLimit: undefined, dealsPerProduct: undefined }),
  };
}

/** SHA-256 as base64url of the parts, each with its length. */
export function digest(...parts: readonly string[]): string {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  // In one call: 3x over createHash with an update for each part.
  return hash('sha256', text, 'base64url');
}
