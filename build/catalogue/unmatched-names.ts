import { compareCodeUnits } from '../../data/record/code-unit.ts';
import type { ProductMatch } from './match-product.ts';

/** What a feed calls a product that the catalogue does not know, or does not know apart from another. */
export interface UnmatchedName {
  readonly feed: string;
  readonly name: string;
  readonly code: 'unknown-product' | 'ambiguous-product';
  readonly dealCount: number;
  /** The nearest products, or those that it may be: `101/new`. */
  readonly nearest: readonly string[];
}

/** Counts the deals of one feed by the name that matched no product. */
export class UnmatchedNames {
  readonly #feed: string;
  readonly #counts = new Map<string, { match: Extract<ProductMatch, { kind: 'none' }>; dealCount: number }>();

  constructor(feed: string) {
    this.#feed = feed;
  }

  count(match: Extract<ProductMatch, { kind: 'none' }>): void {
    const entry = this.#counts.get(match.name);
    if (entry === undefined) this.#counts.set(match.name, { match, dealCount: 1 });
    else entry.dealCount++;
  }

  list(): readonly UnmatchedName[] {
    return [...this.#counts].map(([name, { match, dealCount }]) => ({
      feed: this.#feed,
      name,
      code: match.finding.code,
      dealCount,
      nearest: match.nearest,
    }));
  }
}

/** Most deals first: adding that one name to `matches` wins the most. */
export function sortUnmatchedNames(names: readonly UnmatchedName[]): readonly UnmatchedName[] {
  return names.toSorted(
    (a, b) => b.dealCount - a.dealCount || compareCodeUnits(a.name, b.name) || compareCodeUnits(a.feed, b.feed),
  );
}
